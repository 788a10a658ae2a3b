"""A clock that is put back: what was noted by it before may lie in the time to come then.

`test_asleep.py` has the turns that run; here is what stands still or is counted from an instant.
"""

from __future__ import annotations

from datetime import datetime
from unittest.mock import AsyncMock

import pytest

from bot.clock import Clock, TimeUp
from bot.play.idle import IDLE_AFTER, IdleMatches
from bot.play.presence import State
from db.deadlines import Deadlines
from db.errors import StoreError
from db.ids import ServerId
from db.rows import ChallengeRow, ChallengeStatus, NewChallenge, VacationRow
from db.store import Transaction
from tests.bot.moments import START
from tests.bot.play.clockroom import ADA, BEN, DAY, HOUR, LIVE, MINUTE, SECOND, SLOW, Room
from tests.db.house import CLUB, LOUNGE

FORFEIT = Clock(2 * MINUTE, TimeUp.FORFEIT_MATCH)


async def suspend(room: Room, how: str) -> None:
    if how == "removed":
        await room.presence.removed(CLUB)
    else:
        room.presence.out_of_order(CLUB)


def is_put_back(room: Room) -> None:
    """The clock is put back by an hour, and that is noticed."""
    room.time.jumps(-HOUR)
    room.clocks.lost_time.awake.look()


# --------------------------------------------------------------- servers that can't be served


@pytest.mark.parametrize("how", ["removed", "out of order"])
@pytest.mark.parametrize("longer", [1, 5, 90])
async def test_who_is_to_act_on_a_server_that_is_back_has_all_his_time(
    room: Room, how: str, longer: int
) -> None:
    match = await room.match(FORFEIT)
    await room.clocks.lost_time.make_up()
    room.time.passes(10 * SECOND)
    await suspend(room, how)
    room.time.passes(MINUTE)
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    for _minute in range(longer):
        await room.passes(MINUTE)
    await room.presence.back(CLUB)
    assert await room.left(match) == 2 * MINUTE
    await room.passes(119 * SECOND)
    assert await room.log(match) == []
    await room.passes(SECOND)
    assert await room.log(match) == ["clock: B forfeit"]


async def test_a_turn_that_stood_still_before_goes_on_with_what_was_left_of_it(room: Room) -> None:
    match = await room.match(FORFEIT)
    await room.clocks.lost_time.make_up()
    room.time.passes(30 * SECOND)
    room.presence.out_of_order(CLUB)
    await room.passes(10 * MINUTE)
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    row = await room.deadline(match)
    assert row is not None
    assert row.stopped_at == room.time()
    assert row.began == room.time() - 30 * SECOND
    await room.presence.back(CLUB)
    assert await room.left(match) == 90 * SECOND
    room.presence.out_of_order(CLUB)  # and what is lost now is given back as ever
    room.time.passes(MINUTE)
    await room.presence.back(CLUB)
    assert await room.left(match) == 90 * SECOND


async def test_a_removal_before_a_start_lies_in_the_past_after_it(room: Room) -> None:
    match = await room.match(FORFEIT)
    await room.presence.removed(CLUB)
    await room.clocks._beat()
    room.time.jumps(-HOUR)
    room.begin()
    await room.presence.compare(lambda _server: State.GONE, lambda _server: True)
    assert room.presence.since(CLUB) == room.time()
    await room.clocks.lost_time.make_up()
    async with room.store.reading() as tx:
        assert await tx.absences.all() == {CLUB: room.time()}
    await room.passes(10 * MINUTE)
    await room.presence.back(CLUB)
    assert await room.left(match) == 2 * MINUTE


async def test_a_return_that_fails_while_the_clock_is_put_back_leaves_no_absence_to_come(
    room: Room,
) -> None:
    async def fails(_tx: Transaction, _server: ServerId, _since: datetime) -> object:
        is_put_back(room)
        raise StoreError("the disk is full")

    await room.match(FORFEIT)
    for how in ("removed", "out of order"):
        await suspend(room, how)
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(room.presence, "_when_back", [fails])
            with pytest.raises(StoreError):
                await room.presence.back(CLUB)
        assert room.presence.since(CLUB) == room.time()
        await room.presence.back(CLUB)


async def test_a_deadline_never_stands_still_since_later_than_now(room: Room) -> None:
    """Also where the clock was put back by so little that nobody notices."""
    match = await room.match(LIVE)
    await room.clocks.lost_time.make_up()
    room.time.passes(98 * SECOND)
    room.presence.out_of_order(CLUB)
    room.time.jumps(-2 * SECOND)
    await room.passes(0 * SECOND)
    row = await room.deadline(match)
    assert row is not None
    assert row.stopped_at == room.time()


async def test_a_deadline_that_goes_on_never_moves_back(room: Room) -> None:
    match = await room.match(LIVE)
    row = await room.deadline(match)
    assert row is not None
    async with room.store.transaction() as tx:
        assert await tx.deadlines.stop(row, START + HOUR, START + DAY)
    stopped = await room.deadline(match)
    assert stopped is not None
    async with room.store.transaction() as tx:
        assert await tx.deadlines.go_on(stopped, START)
    assert await room.left(match) == 2 * MINUTE


# ------------------------------------------------------------------- time that isn't given back


async def test_a_turn_that_begins_in_an_outage_after_the_clock_was_put_back_has_all_its_time(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.make_up()
    room.clocks.lost_time.lost(0)
    is_put_back(room)
    await room.refuses(match, BEN)
    room.time.passes(100 * SECOND)
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 2 * MINUTE


async def test_a_turn_that_begins_before_a_sleep_is_made_up_has_all_its_time(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.make_up()
    room.time.jumps(10 * SECOND)
    room.clocks.lost_time.awake.look()
    is_put_back(room)
    await room.refuses(match, BEN)
    room.time.passes(100 * SECOND)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 2 * MINUTE


async def test_a_turn_that_begins_on_a_server_that_has_its_time_already_has_all_its_time(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.make_up()
    room.clocks.lost_time.lost(0)
    room.presence.out_of_order(CLUB)
    room.time.passes(10 * SECOND)
    await room.presence.back(CLUB)
    is_put_back(room)
    await room.refuses(match, BEN)
    room.time.passes(100 * SECOND)
    await room.clocks.lost_time.found(0)
    assert await room.left(match) == 2 * MINUTE


async def test_a_kill_after_the_clock_was_put_back_loses_nothing_of_the_time_that_is_lost_then(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks._beat()
    await room.clocks.lost_time.make_up()
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    room.begin()
    room.time.jumps(2 * HOUR)
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 2 * MINUTE


async def test_what_could_not_be_put_back_is_put_back_later(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    await room.clocks.lost_time.make_up()
    room.time.jumps(-HOUR)
    with monkeypatch.context() as broken:
        broken.setattr(Deadlines, "put_back", AsyncMock(side_effect=StoreError("full")))
        with pytest.raises(StoreError):
            await room.clocks.lost_time.make_up()
    assert await room.left(match) == HOUR + 2 * MINUTE
    await room.clocks.lost_time.make_up()
    assert await room.left(match) == 2 * MINUTE


# ------------------------------------------------------------------------- what people asked for


async def test_who_is_on_vacation_still_is_and_has_as_much_of_it_left(room: Room) -> None:
    match = await room.match(SLOW)
    await room.clocks.lost_time.make_up()
    room.time.passes(DAY)
    await room.vacations.begin(BEN)
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    assert (await room.vacations.of(BEN)).until == room.time() + 14 * DAY
    await room.passes(14 * DAY - SECOND)
    assert await room.log(match) == []
    assert room.notes.words()[-1:] != ["vacation over in 1 B"]
    assert await room.passes(HOUR + SECOND) == ["redraw", "vacation over in 1 B"]
    assert await room.left(match) == DAY


async def test_a_persons_vacations_move_together_and_keep_their_length(room: Room) -> None:
    taken = (
        VacationRow(BEN, START - DAY, START - HOUR),
        VacationRow(BEN, START + HOUR, START + 2 * HOUR),
        VacationRow(BEN, START + 4 * HOUR, START + DAY),
        VacationRow(ADA, START + MINUTE, START + HOUR),
    )
    async with room.store.transaction() as tx:
        for row in taken:
            await tx.vacations.begin(row)
        await tx.vacations.put_back(START)
    async with room.store.reading() as tx:
        assert await tx.vacations.since(BEN, START - 2 * DAY) == (
            taken[0],
            VacationRow(BEN, START - 3 * HOUR, START - 2 * HOUR),
            VacationRow(BEN, START, START + 20 * HOUR),
        )
        assert await tx.vacations.since(ADA, START - DAY) == (
            VacationRow(ADA, START, START + 59 * MINUTE),
        )


async def test_a_challenge_keeps_the_time_that_it_has_and_no_pause_gets_longer(room: Room) -> None:
    async def made(tx: Transaction, at: datetime) -> int:
        new = NewChallenge(CLUB, LOUNGE, ADA, (BEN,), LIVE.dump(), at, at + HOUR)
        return await tx.challenges.create(new)

    await room.clocks.lost_time.make_up()
    async with room.store.transaction() as tx:
        for at in (START - 3 * HOUR, START - MINUTE, START):
            await made(tx, at)
        oldest, _open, newest = await tx.challenges.between(ADA, BEN, since=START - DAY)
        await tx.challenges.settle(newest.id, ChallengeStatus.DECLINED, START + SECOND)
    room.time.jumps(-2 * HOUR)
    await room.clocks.lost_time.make_up()
    now = room.time()

    def times(row: ChallengeRow) -> object:
        return row.created_at, row.expires_at, row.settled_at

    async with room.store.reading() as tx:
        rows = await tx.challenges.between(ADA, BEN, since=START - DAY)
    assert list(map(times, rows)) == [
        times(oldest),
        (now, now + HOUR, None),
        (now, now + HOUR, now + SECOND),
    ]


async def test_a_turn_of_which_everybody_was_told_that_it_is_over_stays_over(room: Room) -> None:
    match = await room.match(Clock(2 * MINUTE, TimeUp.WAIT))
    await room.clocks.lost_time.make_up()
    await room.passes(100 * SECOND)
    assert await room.passes(20 * SECOND) == ["redraw", "time is up B"]
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    row = await room.deadline(match)
    assert row is not None
    assert (row.began, row.due) == (room.time() - 2 * MINUTE, room.time())
    assert row.next_at is None


async def test_who_plays_on_after_the_players_of_an_idle_match_were_asked_is_asked_again(
    room: Room,
) -> None:
    idle = IdleMatches(room.store, room.tables, room.notes, room.time)
    match = await room.match(None)
    room.time.passes(IDLE_AFTER)
    await idle.look()
    await room.clocks.lost_time.make_up()
    room.time.jumps(-HOUR)
    await room.clocks.lost_time.make_up()
    room.time.passes(MINUTE)
    await room.refuses(match, BEN)
    room.notes.words()
    room.time.passes(IDLE_AFTER)
    await idle.look()
    assert room.notes.words() == ["ask to close"]
