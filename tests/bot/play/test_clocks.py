"""The dispatcher of deadlines: what it does, when, and only once. Time is moved by the tests.

Ada (seat A) deals; Ben (seat B) is to act first. The up-card is JD, the stock begins JS, QS.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import time_machine

import bot.play.tables
from bot.care import audit
from bot.clock import Clock, TimeUp
from bot.play.alarm import Alarm
from bot.play.clocks import HEARTBEAT, Clocks
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import NewTable, Tables
from bot.play.vacations import Vacations
from bot.refusals import NotPossibleNow, OldControl
from bot.ui.times import until
from db.errors import StoreError
from db.ids import InteractionId, MatchId, PersonId
from db.rows import CLOCK, AdminAct, DeadlineRow, MatchStatus, NewAdminAct
from db.store import Store
from gin import Discard, Draw, Pass, Pile, Play, Resign, Seat, parse_cards, view
from gin.rules import Rules
from tests.bot.moments import START, Notes, Time
from tests.bot.play.test_tables import LAID
from tests.db.house import ANN, BOB, CLUB, LOUNGE, PUB

ADA, BEN = ANN, BOB
SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)
LIVE = Clock(2 * MINUTE)
SLOW = Clock(2 * DAY)


class Room:
    """One process on a database; time and what is told are the test's."""

    def __init__(self, store: Store, time: Time) -> None:
        self.store = store
        self.time = time
        self.notes = Notes()
        self.begin()

    def begin(self) -> None:
        """Begin the process (anew)."""
        self.alarm = Alarm(self.time)
        self.tables = Tables(self.store, self.time, self.alarm)
        self.presence = Presence(self.store, self.time)
        self.clocks = Clocks(
            self.store, self.tables, self.notes, self.presence, self.time, self.alarm
        )
        self.vacations = Vacations(self.store, self.notes, self.presence, self.time, self.alarm)

    async def match(self, clock: Clock | None, *people: PersonId) -> MatchId:
        async with self.store.transaction() as tx:
            table = await self.tables.open(
                tx, NewTable(CLUB, LOUNGE, people or (ADA, BEN), Rules(), clock=clock)
            )
        return table.id

    async def table(self, match: MatchId) -> Table:
        table = await self.tables.load(match)
        assert table is not None
        return table

    async def log(self, match: MatchId) -> list[str]:
        """The log after cut and first deal; deals without their cards, acts of the clock marked."""
        async with self.store.reading() as tx:
            entries = await tx.matches.log(match)
        return [
            ("clock: " if entry.actor == CLOCK else "")
            + (entry.text if not entry.text.startswith("deal") else "deal")
            for entry in entries[2:]
        ]

    async def deadline(self, match: MatchId) -> DeadlineRow | None:
        async with self.store.reading() as tx:
            return await tx.deadlines.get(match)

    async def left(self, match: MatchId) -> timedelta:
        row = await self.deadline(match)
        assert row is not None
        return row.due - self.time()

    async def passes(self, span: timedelta) -> list[str]:
        """Let time pass, and what is due be done; what was told meanwhile."""
        self.time.passes(span)
        await self.clocks.do_what_is_due()
        await self.clocks.settle()
        return self.notes.words()

    async def refuses(self, match: MatchId, person: PersonId) -> None:
        await self.tables.act(match, person, lambda _match, seat: Play(seat, Pass()))

    async def draws(self, match: MatchId, person: PersonId) -> None:
        await self.tables.act(match, person, lambda _match, seat: Play(seat, Draw(Pile.STOCK)))

    async def lays_away(self, match: MatchId, person: PersonId) -> None:
        def drawn(state: object, seat: Seat) -> Play:
            hand = view(state, seat).hand  # type: ignore[arg-type]
            assert hand is not None
            assert hand.drawn is not None
            return Play(seat, Discard(hand.drawn))

        await self.tables.act(match, person, drawn)


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    cut = parse_cards("KD 7H")
    monkeypatch.setattr(bot.play.tables, "cut_cards", lambda _seed, _players: cut)
    monkeypatch.setattr(bot.play.tables, "hand_deck", lambda _seed, _number: LAID)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield Room(store, Time())
    await store.close()


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
            tables = Tables(room.store)
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
    assert await room.clocks._do(row)  # a dispatcher that had read it before
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
    await room.clocks._do(row)
    assert await room.log(match) == []


# ---------------------------------------------------------------------------- what is given back


async def test_the_time_in_which_the_bot_was_down_is_given_back(room: Room) -> None:
    match = await room.match(LIVE)
    room.time.passes(30 * SECOND)
    await room.clocks._beat()
    room.begin()  # killed, and begun an hour later
    room.time.passes(HOUR)
    await room.clocks.came_up()
    assert await room.left(match) == 90 * SECOND
    assert await room.passes(timedelta(0)) == ["outdate", "repair"]
    assert await room.log(match) == []
    await room.clocks.came_up()  # begun again at once: nothing more to give
    assert await room.left(match) == 90 * SECOND


async def test_what_was_nearly_up_before_a_kill_is_not_up_after_it(room: Room) -> None:
    match = await room.match(LIVE)
    room.time.passes(119 * SECOND)
    await room.clocks._beat()
    room.begin()
    room.time.passes(10 * DAY)
    await room.clocks.came_up()
    assert await room.passes(timedelta(0)) == ["outdate", "repair", "remind B"]
    assert await room.passes(SECOND) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]


async def test_a_turn_gets_no_more_back_than_it_was_down_for(room: Room) -> None:
    """The heartbeat is a week old, since no match had a clock; the turn began a minute ago."""
    async with room.store.transaction() as tx:
        await tx.facts.put(HEARTBEAT, (room.time() - 7 * DAY).isoformat())
    match = await room.match(LIVE)
    room.begin()
    room.time.passes(MINUTE)
    await room.clocks.came_up()
    assert await room.left(match) == 2 * MINUTE


async def test_who_was_killed_before_the_first_heartbeat_gives_each_turn_all_it_lost(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    room.begin()
    room.time.passes(HOUR)
    await room.clocks.came_up()
    assert await room.left(match) == 2 * MINUTE


async def test_a_turn_that_moved_little_of_its_time_is_not_shown_anew(room: Room) -> None:
    match = await room.match(SLOW)
    await room.clocks._beat()
    room.time.passes(10 * MINUTE)
    await room.clocks.came_up()
    assert await room.left(match) == 2 * DAY
    assert room.notes.words() == []


async def test_while_discord_cannot_be_heard_nobodys_time_runs(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.came_up()
    room.time.passes(100 * SECOND)
    room.clocks.lost(0)
    room.clocks.lost(0)
    room.time.passes(10 * MINUTE)
    await room.clocks.found(0)
    assert await room.left(match) == 20 * SECOND
    await room.clocks.settle()
    assert room.notes.words() == ["outdate", "repair"]


async def test_a_connection_lost_for_a_moment_costs_nothing_and_gives_nothing(room: Room) -> None:
    match = await room.match(LIVE)
    await room.clocks.came_up()
    room.clocks.lost(0)
    room.time.passes(2 * SECOND)
    await room.clocks.found(0)
    assert await room.left(match) == 118 * SECOND


async def test_with_several_connections_the_last_that_comes_back_ends_an_outage(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    await room.clocks.came_up()
    room.clocks.lost(0)
    room.time.passes(MINUTE)
    room.clocks.lost(1)
    await room.clocks.found(0)
    room.time.passes(MINUTE)
    assert await room.left(match) == timedelta(0)
    await room.clocks.found(1)
    assert await room.left(match) == 2 * MINUTE
    await room.clocks.found(1)  # told twice
    assert await room.left(match) == 2 * MINUTE


class FullDisk:
    """Giving time back fails until the test makes room."""

    def __init__(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = True
        self.tried = 0
        real = room.clocks._give_back

        async def give_back(since: datetime) -> list[MatchId]:
            self.tried += 1
            if self.is_full:
                raise StoreError("the disk is full")
            return await real(since)

        monkeypatch.setattr(room.clocks, "_give_back", give_back)

    async def is_tried(self, room: Room) -> None:
        """Wait until it was tried once more."""
        before = self.tried
        room.alarm.ring()
        async with asyncio.timeout(10):
            while self.tried == before:  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.001)


async def test_nothing_falls_due_before_the_time_in_which_the_bot_was_down_was_given_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(Clock(2 * MINUTE, TimeUp.FORFEIT_MATCH))
    room.time.passes(30 * SECOND)
    await room.clocks._beat()
    room.begin()
    room.time.passes(HOUR)
    disk = FullDisk(room, monkeypatch)
    watch = asyncio.create_task(room.clocks.watch())
    try:
        await disk.is_tried(room)
        room.clocks.lost(0)
        room.time.passes(10 * SECOND)
        await room.clocks.found(0)
        await disk.is_tried(room)
        await room.clocks.close()  # writes no heartbeat either
        disk.is_full = False
        await disk.is_tried(room)
        await until_left(room, match, 90 * SECOND)
        assert await room.log(match) == []
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def test_time_that_could_not_be_given_back_after_a_loss_is_given_back_later_and_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await room.match(LIVE)
    await room.clocks.came_up()
    room.time.passes(MINUTE)
    room.clocks.lost(0)
    room.time.passes(HOUR)
    disk = FullDisk(room, monkeypatch)
    await room.clocks.found(0)
    assert disk.tried == 1
    watch = asyncio.create_task(room.clocks.watch())
    try:
        await disk.is_tried(room)
        disk.is_full = False
        await asyncio.gather(disk.is_tried(room), room.clocks.found(0), room.clocks.found(0))
        await until_left(room, match, MINUTE)
        assert not room.clocks.is_away
        assert await room.log(match) == []
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def until_left(room: Room, match: MatchId, span: timedelta) -> None:
    async with asyncio.timeout(10):
        while await room.left(match) != span:  # noqa: ASYNC110 - a row has no event
            await asyncio.sleep(0.001)


async def test_on_a_server_that_removed_the_bot_clocks_stand_still_until_it_is_back(
    room: Room,
) -> None:
    match = await room.match(LIVE)
    room.time.passes(30 * SECOND)
    await room.presence.removed(CLUB)
    assert await room.passes(100 * SECOND) == []  # neither a reminder nor the end
    assert await room.passes(DAY) == []
    await room.presence.back(CLUB)
    assert await room.left(match) == 90 * SECOND
    assert await room.passes(timedelta(0)) == ["outdate", "repair"]
    assert await room.passes(90 * SECOND) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]


async def test_an_outage_of_a_server_that_ends_in_time_is_given_back_too(room: Room) -> None:
    here = await room.match(LIVE)
    room.presence.out_of_order(PUB)
    room.time.passes(MINUTE)
    await room.presence.back(PUB)
    assert await room.left(here) == MINUTE
    room.presence.out_of_order(CLUB)
    room.time.passes(30 * SECOND)
    await room.presence.back(CLUB)
    assert await room.left(here) == MINUTE


async def test_who_is_on_vacation_still_is_when_the_server_is_back(room: Room) -> None:
    match = await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.presence.removed(CLUB)
    await room.passes(DAY)
    await room.presence.back(CLUB)
    await room.passes(5 * DAY)
    await room.vacations.end(BEN)
    assert await room.left(match) == 2 * DAY


async def test_the_watch_acts_in_time_wakes_for_an_earlier_deadline_and_stands_still_in_an_outage(
    room: Room,
) -> None:
    slow = await room.match(SLOW)
    await room.clocks.came_up()
    watch = asyncio.create_task(room.clocks.watch())
    try:
        await until_heartbeat(room)
        fast = await room.match(LIVE)  # rings the alarm
        room.time.passes(2 * MINUTE)
        room.clocks.lost(0)
        room.alarm.ring()
        for _step in range(50):
            await asyncio.sleep(0)
        assert await room.log(fast) == []
        room.time.passes(SECOND)
        await room.clocks.found(0)
        async with asyncio.timeout(10):
            while await room.log(fast) != ["clock: B pass"]:  # noqa: ASYNC110 - a row has no event
                await asyncio.sleep(0.001)
        assert await room.log(slow) == []
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await room.clocks.close()


async def until_heartbeat(room: Room) -> None:
    async with asyncio.timeout(10):
        while True:
            async with room.store.reading() as tx:
                if await tx.facts.get(HEARTBEAT) is not None:
                    return
            await asyncio.sleep(0.001)


async def test_a_fault_in_one_match_does_not_stop_the_clock_of_another(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = await room.match(LIVE)
    sound = await room.match(LIVE)
    real = room.tables.load

    async def load(match: MatchId) -> Table | None:
        if match == broken:
            raise RuntimeError("a fault")
        return await real(match)

    monkeypatch.setattr(room.tables, "load", load)
    await room.passes(2 * MINUTE)
    monkeypatch.undo()
    assert await room.log(broken) == []
    assert await room.log(sound) == ["clock: B pass"]


async def test_a_deadline_of_another_turn_is_put_right(room: Room) -> None:
    """As after a restored copy, or a repair."""
    match = await room.match(LIVE)
    row = await room.deadline(match)
    await room.refuses(match, BEN)
    assert row is not None
    async with room.store.transaction() as tx:
        await tx.deadlines.put(row)
    await room.passes(2 * MINUTE)
    assert await room.log(match) == ["B pass"]
    assert await room.left(match) == 2 * MINUTE


async def test_a_match_that_lost_its_deadline_has_one_after_a_start(room: Room) -> None:
    match = await room.match(LIVE)
    async with room.store.transaction() as tx:
        await tx.deadlines.drop(match)
    is_well, report = await audit.check(room.store)
    assert not is_well
    assert "its deadline is missing" in report[0]
    await room.clocks.came_up()
    assert await room.left(match) == 2 * MINUTE
    assert (await audit.check(room.store))[0]


async def test_a_rebuild_gives_a_turn_its_deadline_and_takes_others_away(room: Room) -> None:
    clocked, free = await room.match(LIVE), await room.match(None)
    row = await room.deadline(clocked)
    assert row is not None
    async with room.store.transaction() as tx:
        await tx.deadlines.put(replace(row, turn=1))
        await tx.deadlines.put(replace(row, match_id=free))
    assert not (await audit.check(room.store))[0]
    assert (await audit.rebuild(room.store))[0]
    assert (await audit.check(room.store))[0]
    assert await room.deadline(free) is None


async def test_what_an_administrator_ends_was_not_ended_by_the_clock(room: Room) -> None:
    match = await room.match(LIVE)
    await room.passes(2 * MINUTE)
    act = NewAdminAct(CLUB, ADA, AdminAct.MATCH_END, room.time(), match)
    table = await room.tables.end(match, act, InteractionId(1_400_000_000_000_000_000))
    assert table.stood_in is None
    assert await room.deadline(match) is None


async def test_time_that_was_lost_for_two_reasons_at_once_is_given_back_once(room: Room) -> None:
    """The server removed the bot for 26 hours; for 24 of them the connection was lost as well."""
    here = await room.match(Clock(3 * DAY))
    await room.clocks.came_up()
    room.time.passes(DAY)
    await room.presence.removed(CLUB)
    room.time.passes(HOUR)
    room.clocks.lost(0)
    room.time.passes(DAY)
    await room.clocks.found(0)
    room.time.passes(HOUR)
    await room.presence.back(CLUB)
    assert await room.left(here) == 2 * DAY


async def test_a_server_that_is_back_before_the_connection_counts_as_found_has_its_time_once(
    room: Room,
) -> None:
    """Servers arrive before the word that a new session is ready, as after a start."""
    here = await room.match(Clock(3 * DAY))
    await room.clocks._beat()
    room.begin()
    room.presence.out_of_order(CLUB)
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    await room.clocks.came_up()
    assert await room.left(here) == 3 * DAY
    room.clocks.lost(0)
    room.presence.out_of_order(CLUB)
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    room.time.passes(HOUR)
    await room.clocks.found(0)
    assert await room.left(here) == 3 * DAY


async def test_what_was_lost_before_a_server_was_is_given_back_there_too(room: Room) -> None:
    here = await room.match(Clock(3 * DAY))
    await room.clocks.came_up()
    room.clocks.lost(0)
    room.time.passes(DAY)
    await room.presence.removed(CLUB)
    room.time.passes(DAY)
    await room.clocks.found(0)
    room.time.passes(DAY)
    await room.presence.back(CLUB)
    assert await room.left(here) == 3 * DAY


async def test_a_server_that_comes_a_moment_late_has_nothing_shown_anew(room: Room) -> None:
    match = await room.match(SLOW)
    room.time.passes(HOUR)
    room.presence.out_of_order(CLUB)
    room.time.passes(SECOND)
    await room.presence.back(CLUB)
    await room.clocks.settle()
    assert await room.left(match) == 2 * DAY - HOUR
    assert room.notes.words() == []


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
    assert await room.passes(SECOND) == ["redraw"]
    assert await room.left(match) == 2 * DAY
    assert (await room.vacations.of(BEN)).until is None
    assert await room.passes(2 * DAY) == ["changed"]
    assert await room.log(match) == ["clock: B pass"]


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
    await room.clocks.came_up()
    await room.passes(timedelta(0))
    assert await room.left(match) == 2 * DAY


async def test_a_player_on_vacation_may_play(room: Room) -> None:
    match = await room.match(SLOW)
    await room.vacations.begin(BEN)
    await room.refuses(match, BEN)
    assert await room.left(match) == 2 * DAY
    assert await room.log(match) == ["B pass"]
