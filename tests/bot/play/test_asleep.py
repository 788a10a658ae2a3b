"""A machine that sleeps, a clock that is set: nobody loses a turn by it; nothing counts twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from bot.clock import Clock, TimeUp
from bot.play import awake, heartbeat
from db.deadlines import Deadlines
from db.ids import MatchId
from db.rows import DeadlineRow
from db.store import Transaction
from tests.bot.play.clockroom import BEN, DAY, HOUR, LIVE, MINUTE, SECOND, SLOW, Room
from tests.db.house import CLUB

FORFEIT = Clock(30 * SECOND, TimeUp.FORFEIT_MATCH)


@asynccontextmanager
async def watching(room: Room) -> AsyncIterator[None]:
    """The watch runs meanwhile."""
    watch = asyncio.create_task(room.clocks.watch())
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def until_left(room: Room, match: MatchId, left: object) -> None:
    async with asyncio.timeout(10):
        while await room.left(match) != left or room.clocks.lost_time.is_away:  # noqa: ASYNC110 - a row has no event
            await asyncio.sleep(0.001)


async def test_a_machine_that_slept_through_a_turn_costs_nobody_his_match(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(awake, "_pause", lambda _seconds: asyncio.sleep(0.001))
    match = await room.match(FORFEIT)
    await room.clocks.lost_time.came_up()
    room.time.passes(5 * SECOND)
    async with watching(room):
        await asyncio.sleep(0)
        room.time.jumps(HOUR)
        await until_left(room, match, 25 * SECOND)
        assert await room.log(match) == []
        room.time.passes(25 * SECOND)
        room.alarm.ring()
        async with asyncio.timeout(10):
            while await room.log(match) != ["clock: B forfeit"]:  # noqa: ASYNC110 - a row has no event
                await asyncio.sleep(0.001)


async def test_what_was_slept_is_given_back_before_anything_falls_due_and_is_shown(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    room.time.jumps(DAY)
    await room.clocks.do_what_is_due()
    assert room.clocks.lost_time.is_away
    assert (await room.log(match), room.notes.words()) == ([], [])
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND
    assert await room.passes(SECOND) == ["outdate", "repair"]
    assert await room.left(match) == 89 * SECOND


async def test_a_breath_that_was_long_gives_nothing_back(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.jumps(2 * SECOND)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 118 * SECOND


@pytest.mark.parametrize("first", ["the watch", "the connection"])
async def test_a_sleep_and_the_outage_that_it_makes_are_given_back_once(
    room: Room, first: str
) -> None:
    """Nobody can say which is noticed first: the jump of the time, or the lost connection."""
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    room.time.jumps(HOUR)
    if first == "the watch":
        await room.clocks.lost_time.make_up()
    room.clocks.lost_time.lost(0)
    room.time.passes(MINUTE)
    await room.clocks.lost_time.make_up()
    assert room.clocks.lost_time.is_away
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 90 * SECOND
    await room.clocks.lost_time.found(0)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND


async def test_a_sleep_within_an_outage_is_a_part_of_it(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    room.clocks.lost_time.lost(0)
    room.time.passes(MINUTE)
    room.time.jumps(HOUR)
    room.clocks.lost_time.awake.look()
    room.time.passes(MINUTE)
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 90 * SECOND


async def test_a_server_that_is_back_before_a_sleep_was_noticed_has_its_time_once(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    room.presence.out_of_order(CLUB)
    room.time.passes(MINUTE)
    room.time.jumps(HOUR)
    await room.presence.back(CLUB)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND


async def test_a_sleep_before_a_start_is_given_back_as_the_time_that_the_bot_was_down(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    room.time.passes(30 * SECOND)
    await room.clocks._beat()
    room.begin()
    room.time.jumps(HOUR)
    room.clocks.lost_time.awake.look()  # before it is connected
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND


async def test_a_sleep_while_time_is_given_back_is_given_back_too(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    real = heartbeat.note
    slept = False

    async def note(tx: Transaction, now: datetime) -> None:
        nonlocal slept
        await real(tx, now)
        if not slept:
            slept = True
            room.time.jumps(DAY)

    monkeypatch.setattr(heartbeat, "note", note)
    room.time.jumps(HOUR)
    await room.clocks.lost_time.make_up()
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND


async def test_what_is_being_done_when_the_machine_falls_asleep_is_done_as_of_before(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reminder is due, is read, and the machine sleeps for an hour: the turn isn't over."""
    match = await room.match(Clock(2 * MINUTE, TimeUp.FORFEIT_MATCH))
    await room.clocks.lost_time.came_up()
    real = Deadlines.due

    async def due(rows: Deadlines, now: datetime, limit: int) -> tuple[DeadlineRow, ...]:
        found = await real(rows, now, limit)
        room.time.jumps(HOUR)
        return found

    room.time.passes(100 * SECOND)
    with monkeypatch.context() as asleep:
        asleep.setattr(Deadlines, "due", due)
        await room.clocks.do_what_is_due()
    await room.clocks.lost_time.make_up()
    assert await room.log(match) == []
    assert await room.left(match) == 20 * SECOND


async def test_what_could_not_be_given_back_after_a_sleep_is_given_back_after_the_next_start(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    await room.clocks._beat()
    room.time.jumps(HOUR)
    with monkeypatch.context() as broken:
        broken.setattr(Deadlines, "give_back", AsyncMock(side_effect=OSError("full")))
        with pytest.raises(OSError, match="full"):
            await room.clocks.lost_time.make_up()
    assert room.clocks.lost_time.is_away
    await room.clocks.close()  # writes no heartbeat
    room.begin()
    await room.clocks.lost_time.came_up()
    assert await room.left(match) == 90 * SECOND


async def test_a_turn_by_correspondence_has_its_slept_hours_back_and_a_vacation_ends_when_it_would(
    room: Room,
) -> None:
    match, away = await room.match(SLOW), await room.match(SLOW)
    await room.clocks.lost_time.came_up()
    room.time.passes(HOUR)
    room.time.jumps(10 * HOUR)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 47 * HOUR
    await room.vacations.begin(BEN)
    room.time.jumps(DAY)
    await room.clocks.lost_time.make_up()
    await room.vacations.end(BEN)
    assert [await room.left(one) for one in (match, away)] == [47 * HOUR, 47 * HOUR]


# ------------------------------------------------------------------- a clock that is put back


async def test_a_clock_put_back_leaves_a_turn_what_it_had_but_no_more_than_all_its_time(
    room: Room,
) -> None:
    live, slow = await room.match(LIVE), await room.match(SLOW)
    await room.clocks.lost_time.came_up()
    room.time.passes(MINUTE)
    with capture_logs() as logs:
        room.time.jumps(-30 * SECOND)
        await room.clocks.lost_time.make_up()
        assert await room.left(live) == 90 * SECOND  # all that the clock said
        room.time.jumps(-5 * HOUR)
        await room.clocks.lost_time.make_up()
    assert await room.left(live) == 2 * MINUTE
    assert await room.left(slow) == 2 * DAY
    assert [line["by"] for line in logs if "by" in line] == ["0:00:30", "5:00:00"]
    assert await room.passes(97 * SECOND) == ["outdate", "outdate", "repair", "repair", "remind B"]
    assert await room.passes(23 * SECOND) == ["changed"]
    assert await room.log(live) == ["clock: B pass"]


async def test_a_clock_put_forward_by_mistake_and_back_again_leaves_no_turn_for_hours(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.came_up()
    room.time.passes(30 * SECOND)
    room.time.jumps(5 * HOUR)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 90 * SECOND
    room.time.jumps(-5 * HOUR)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 2 * MINUTE
    room.time.jumps(HOUR)  # and time is given back as before
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 2 * MINUTE


async def test_a_clock_put_back_while_the_bot_was_down_or_not_connected_is_noticed_too(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks._beat()
    room.begin()
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 2 * MINUTE
    room.time.passes(MINUTE)
    room.clocks.lost_time.lost(0)
    room.time.jumps(-HOUR)
    room.clocks.lost_time.awake.look()
    room.time.passes(10 * SECOND)
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 2 * MINUTE


async def test_a_clock_put_back_during_an_outage_of_a_server_takes_nobodys_time(
    room: Room,
) -> None:
    match = await room.match(SLOW)
    await room.clocks.lost_time.came_up()
    room.time.passes(DAY)
    room.presence.out_of_order(CLUB)
    room.time.jumps(-2 * HOUR)
    await room.presence.back(CLUB)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == DAY + 2 * HOUR


async def test_who_is_on_vacation_when_the_clock_is_put_back_has_as_much_left_as_before(
    room: Room,
) -> None:
    match = await room.match(SLOW)
    await room.clocks.lost_time.came_up()
    room.time.passes(DAY)
    await room.vacations.begin(BEN)
    room.time.passes(DAY)
    room.time.jumps(-5 * HOUR)
    await room.clocks.lost_time.make_up()
    await room.vacations.end(BEN)
    assert await room.left(match) == DAY
