"""Vacations: correspondence clocks stand still, for so long and no longer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.refusals import NotPossibleNow
from tests.bot.play.clockroom import ADA, BEN, DAY, HOUR, LIVE, MINUTE, SECOND, SLOW, Room
from tests.db.house import CLUB

# ------------------------------------------------------------------------------------ vacations


async def test_a_clock_that_stood_still_already_does_not_go_on_on_a_vacation(room: Room) -> None:
    """An outage is not remembered across a start: the clock it stopped has to ask."""
    match = await room.match(SLOW)
    room.time.passes(HOUR)
    room.presence.out_of_order(CLUB)
    await room.passes(2 * DAY)
    await room.vacations.begin(BEN)
    room.begin()
    for _day in range(6):
        await room.passes(DAY)
    assert await room.log(match) == []
    await room.vacations.end(BEN)
    assert await room.left(match) == 2 * DAY - HOUR


async def test_the_end_of_a_vacation_lets_no_clock_go_on_where_nobody_can_act(room: Room) -> None:
    match = await room.match(SLOW)
    room.presence.out_of_order(CLUB)
    await room.passes(2 * DAY)
    await room.vacations.begin(BEN)
    await room.vacations.end(BEN)
    row = await room.deadline(match)
    assert row is not None
    assert row.stopped_at is not None
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    assert await room.left(match) == 2 * DAY


async def test_a_live_clock_goes_on_with_its_server_also_on_a_vacation(room: Room) -> None:
    match = await room.match(LIVE)
    await room.vacations.begin(BEN)
    room.presence.out_of_order(CLUB)
    await room.passes(HOUR)
    await room.presence.back(CLUB)
    await room.passes(2 * MINUTE)
    assert await room.log(match) == ["clock: B pass"]


async def test_on_vacation_correspondence_clocks_stand_still_and_live_ones_do_not(
    room: Room,
) -> None:
    slow, live = await room.match(SLOW), await room.match(LIVE)
    room.time.passes(HOUR)
    await room.passes(timedelta(0))
    await room.refuses(live, ADA)
    await room.vacations.begin(BEN)
    assert room.notes.words() == ["redraw"]
    await room.passes(10 * DAY)
    assert await room.log(slow) == []
    assert "clock: B draw stock" in await room.log(live)
    await room.vacations.end(BEN)
    assert await room.left(slow) == 2 * DAY - HOUR
    assert (await room.vacations.of(BEN)).left == 20 * DAY


async def test_a_turn_that_comes_on_vacation_stands_still_from_the_start(room: Room) -> None:
    match = await room.match(SLOW)
    await room.vacations.begin(ADA)
    await room.refuses(match, BEN)
    await room.passes(5 * DAY)
    await room.vacations.end(ADA)
    assert await room.left(match) == 2 * DAY


async def test_a_vacation_ends_by_itself_after_two_weeks(room: Room) -> None:
    match = await room.match(SLOW)
    ends = await room.vacations.begin(BEN)
    assert ends - room.time() == 14 * DAY
    assert await room.passes(14 * DAY - SECOND) == ["redraw"]
    assert await room.passes(SECOND) == ["redraw", "vacation over in 1 B"]
    assert await room.left(match) == 2 * DAY
    assert await room.passes(timedelta(0)) == []
    assert (await room.vacations.of(BEN)).until is None
    assert await room.passes(2 * DAY) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]


async def test_the_end_of_a_vacation_is_told_once_however_many_clocks_stood_still(
    room: Room,
) -> None:
    for _match in range(3):
        await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.passes(14 * DAY - SECOND)
    assert room.notes.words() == []
    assert await room.passes(SECOND) == ["redraw"] * 3 + ["vacation over in 3 B"]


async def test_who_comes_back_from_vacation_himself_is_told_nothing(room: Room) -> None:
    await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.passes(DAY)
    await room.vacations.end(BEN)
    assert await room.passes(14 * DAY) == ["redraw", "changed"]


async def test_a_vacation_that_ended_while_the_bot_was_down_is_told_after_the_start(
    room: Room,
) -> None:
    await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.clocks._beat()
    room.begin()
    room.notes.words()
    room.time.passes(15 * DAY)
    await room.clocks.lost_time.came_up()
    assert await room.passes(timedelta(0)) == ["redraw", "vacation over in 1 B"]


async def test_a_year_has_thirty_days_of_vacation_and_each_counts_as_one_at_least(
    room: Room,
) -> None:
    for _time in range(2):
        await room.vacations.begin(BEN)
        room.time.passes(15 * DAY)
    await room.vacations.begin(BEN)
    room.time.passes(HOUR)
    await room.vacations.end(BEN)
    assert (await room.vacations.of(BEN)).left == DAY
    assert await room.vacations.begin(BEN) - room.time() == DAY
    room.time.passes(2 * DAY)
    with pytest.raises(NotPossibleNow, match="30 days of vacation"):
        await room.vacations.begin(BEN)
    room.time.passes(347 * DAY)  # the first fortnight ended 366 days ago
    assert (await room.vacations.of(BEN)).left == 14 * DAY


async def test_vacation_is_begun_once_and_ended_once(room: Room) -> None:
    match = await room.match(SLOW)
    ends = await room.vacations.begin(BEN)
    room.time.passes(DAY)
    assert await room.vacations.begin(BEN) == ends
    await room.vacations.end(BEN)
    await room.vacations.end(BEN)
    assert await room.left(match) == 2 * DAY


async def test_the_time_in_which_the_bot_was_down_on_a_vacation_is_given_back_once(
    room: Room,
) -> None:
    match = await room.match(SLOW)
    await room.clocks._beat()
    await room.vacations.begin(BEN)
    room.begin()
    room.time.passes(20 * DAY)  # the vacation ended in the middle of it
    await room.clocks.lost_time.came_up()
    await room.passes(timedelta(0))
    assert await room.left(match) == 2 * DAY


async def test_a_player_on_vacation_may_play(room: Room) -> None:
    match = await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.refuses(match, BEN)
    assert await room.left(match) == 2 * DAY
    assert await room.log(match) == ["B pass"]
