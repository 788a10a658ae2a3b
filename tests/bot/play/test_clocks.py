"""The dispatcher of deadlines: what it does, when, and only once. Time is moved by the tests."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine

from bot.clock import Clock, TimeUp
from bot.now import utc_now
from bot.play.tables import NewTable, Tables
from bot.refusals import NotPossibleNow, OldControl
from bot.ui.times import until
from db.rows import MatchStatus
from db.store import Store
from gin import Resign, Seat
from gin.rules import Rules
from tests.bot.moments import START
from tests.bot.play.clockroom import ADA, BEN, DAY, HOUR, LIVE, MINUTE, SECOND, SLOW, Room
from tests.db.house import CLUB, LOUNGE

# --------------------------------------------------------------------------- when a turn begins


async def test_a_match_without_a_clock_has_no_deadline(room: Room) -> None:
    match = await room.match(None)
    await room.refuses(match, BEN)
    assert await room.deadline(match) is None
    assert await room.passes(365 * DAY) == []


async def test_every_turn_has_its_whole_time_and_a_draw_begins_none(room: Room) -> None:
    match = await room.match(LIVE)
    assert await room.left(match) == 2 * MINUTE
    room.time.passes(30 * SECOND)
    await room.refuses(match, BEN)
    assert await room.left(match) == 2 * MINUTE
    await room.refuses(match, ADA)
    room.time.passes(50 * SECOND)
    await room.draws(match, BEN)
    assert await room.left(match) == 70 * SECOND
    await room.lays_away(match, BEN)
    assert await room.left(match) == 2 * MINUTE


async def test_a_turn_has_its_time_also_in_the_night_in_which_clocks_are_put_forward(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        with time_machine.travel(START, tick=False):  # 1:30 there; at 2:00 it will be 3:00
            tables = Tables(room.store, utc_now)
            async with room.store.transaction() as tx:
                new = NewTable(CLUB, LOUNGE, (ADA, BEN), Rules(), clock=Clock(3 * HOUR))
                table = await tables.open(tx, new)
            row = await room.deadline(table.id)
        assert row is not None
        assert row.due.timestamp() - START.timestamp() == 3 * 3600
        assert until(row.due) == f"<t:{int(START.timestamp()) + 3 * 3600}:R>"
    finally:
        monkeypatch.undo()
        time.tzset()


async def test_with_the_match_its_deadline_ends(room: Room) -> None:
    match = await room.match(LIVE)
    await room.tables.act(match, ADA, lambda _match, seat: Resign(seat))
    assert await room.deadline(match) is None


# ------------------------------------------------------------------------- when its time is up


async def test_the_house_plays_the_turn_of_somebody_who_is_away(room: Room) -> None:
    match = await room.match(LIVE)
    assert await room.passes(119 * SECOND) == ["remind B"]
    assert await room.log(match) == []
    assert await room.passes(SECOND) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]
    await room.refuses(match, ADA)
    assert await room.passes(2 * MINUTE) == ["changed"]
    assert (await room.log(match))[1:] == ["A pass", "clock: B draw stock", "clock: B discard JS"]
    table = await room.table(match)
    assert (table.stood_in, table.missed) == (Seat.B, {Seat.B: 2})
    assert await room.left(match) == 2 * MINUTE  # and it is Ada's


async def test_who_comes_back_is_there_again(room: Room) -> None:
    match = await room.match(LIVE)
    await room.passes(2 * MINUTE)
    await room.refuses(match, ADA)
    await room.draws(match, BEN)
    table = await room.table(match)
    assert (table.stood_in, table.missed) == (None, {})


async def test_a_card_that_was_drawn_in_time_is_laid_away_by_the_house(room: Room) -> None:
    match = await room.match(LIVE)
    await room.refuses(match, BEN)
    await room.refuses(match, ADA)
    await room.draws(match, BEN)
    await room.passes(2 * MINUTE)
    assert (await room.log(match))[-2:] == ["B draw stock", "clock: B discard JS"]


async def test_the_hand_is_lost_where_the_terms_say_so(room: Room) -> None:
    match = await room.match(Clock(2 * MINUTE, TimeUp.FORFEIT_HAND))
    await room.passes(2 * MINUTE)
    assert await room.log(match) == ["clock: B forfeit-hand", "deal"]
    table = await room.table(match)
    #   Ben held ace to ten of spades, a run; with the gin bonus Ada scores 25
    assert table.match.sheet.games[0].points == (25, 0)
    assert await room.left(match) == 2 * MINUTE


async def test_the_match_is_lost_where_the_terms_say_so(room: Room) -> None:
    match = await room.match(Clock(2 * MINUTE, TimeUp.FORFEIT_MATCH))
    await room.passes(2 * MINUTE)
    assert await room.log(match) == ["clock: B forfeit"]
    async with room.store.reading() as tx:
        results = await tx.matches.results(match)
    assert [line.won for line in results] == [True, False]
    assert await room.deadline(match) is None


async def test_where_everybody_waits_it_is_only_told_and_only_once(room: Room) -> None:
    match = await room.match(Clock(2 * MINUTE, TimeUp.WAIT))
    assert await room.passes(2 * MINUTE) == ["redraw", "time is up B"]
    assert await room.log(match) == []
    assert await room.passes(DAY) == []
    await room.refuses(match, BEN)
    assert await room.left(match) == 2 * MINUTE


async def test_a_match_from_which_both_have_gone_is_called_off(room: Room) -> None:
    match = await room.match(LIVE)
    for _turn in range(6):
        await room.passes(2 * MINUTE)
    assert (await room.table(match)).missed == {Seat.A: 3, Seat.B: 3}
    await room.passes(2 * MINUTE)
    assert (await room.log(match))[-1] == "clock: cancel"
    async with room.store.reading() as tx:
        row = await tx.matches.get(match)
    assert row is not None
    assert row.status is MatchStatus.CANCELLED


async def test_what_the_clock_did_is_replayed_from_the_log_alone(room: Room) -> None:
    match = await room.match(LIVE)
    for _turn in range(4):
        await room.passes(2 * MINUTE)
    before = await room.table(match)
    room.begin()
    assert await room.table(match) == before


# -------------------------------------------------------------------------------- the reminder


async def test_a_reminder_comes_once_a_turn_when_a_fifth_is_left(room: Room) -> None:
    match = await room.match(SLOW)
    assert await room.passes(2 * DAY * 4 / 5 - SECOND) == []
    assert await room.passes(SECOND) == ["remind B"]
    assert await room.passes(HOUR) == []
    await room.refuses(match, BEN)
    assert await room.passes(2 * DAY * 4 / 5) == ["remind A"]


async def test_a_short_turn_has_no_reminder(room: Room) -> None:
    await room.match(Clock(MINUTE))
    assert await room.passes(59 * SECOND) == []


# ------------------------------------------------------------------- who comes at the same time


async def test_an_act_that_comes_just_before_the_clock_counts_alone(room: Room) -> None:
    match = await room.match(LIVE)
    row = await room.deadline(match)
    assert row is not None
    room.time.passes(2 * MINUTE)
    await room.refuses(match, BEN)
    assert not await room.passes(timedelta(0))
    assert await room.clocks._do(row, room.time())  # a dispatcher that had read it before
    assert await room.log(match) == ["B pass"]
    assert (await room.table(match)).match.to_move is Seat.A


async def test_an_act_and_the_clock_at_the_same_instant_make_one_turn(room: Room) -> None:
    match = await room.match(LIVE)
    room.time.passes(2 * MINUTE)
    outcomes = await asyncio.gather(
        room.refuses(match, BEN), room.clocks.do_what_is_due(), return_exceptions=True
    )
    log = await room.log(match)
    assert log in (["B pass"], ["clock: B pass"])
    refused = [one for one in outcomes if isinstance(one, BaseException)]
    assert all(isinstance(one, NotPossibleNow | OldControl) for one in refused)
    assert len(refused) == (log == ["clock: B pass"])


async def test_two_dispatchers_on_one_database_act_once(room: Room, tmp_path: Path) -> None:
    match = await room.match(LIVE)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    other = Room(store, room.time)
    room.time.passes(2 * MINUTE)
    await asyncio.gather(*(each.clocks.do_what_is_due() for each in (room, other, room, other)))
    assert await room.log(match) == ["clock: B pass"]
    await other.clocks.settle()
    await store.close()


async def test_two_dispatchers_remind_once(room: Room, tmp_path: Path) -> None:
    await room.match(LIVE)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    other = Room(store, room.time)
    room.time.passes(110 * SECOND)
    await asyncio.gather(*(each.clocks.do_what_is_due() for each in (room, other, room, other)))
    await asyncio.gather(room.clocks.settle(), other.clocks.settle())
    assert room.notes.words() + other.notes.words() == ["remind B"]
    await store.close()


async def test_a_deadline_that_was_moved_meanwhile_does_not_fall_due_as_it_was_read(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    row = await room.deadline(match)
    assert row is not None
    room.time.passes(2 * MINUTE)
    async with room.store.transaction() as tx:
        await tx.deadlines.give_back(room.time() - MINUTE, room.time())
    await room.clocks._do(row, room.time())
    assert await room.log(match) == []
