"""Clocks: one dispatcher that sleeps until the next deadline, reminds, and acts when time is up.

Deadlines are rows (:mod:`db.deadlines`); nothing here is remembered that a kill could lose. What
the house does goes the one way in (:meth:`bot.play.tables.Tables.time_up`), so an act that came
just in time wins, and what two dispatchers find due happens once.

Time in which nobody could act is given back first (:mod:`bot.play.lost_time`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol

import structlog

from bot.clock import TimeUp
from bot.now import Now
from bot.play import deadlines, heartbeat, standin
from bot.play.alarm import Alarm
from bot.play.lost_time import LostTime
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.refusals import UnreadableMatch
from db.errors import StoreError
from db.ids import MatchId, PersonId
from db.rows import DeadlineRow
from db.store import Store
from gin import Cancel, Forfeit, ForfeitHand, Seat
from gin.events import Event

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BEAT: Final = timedelta(seconds=15)
"""How often the heartbeat is written; after a kill so much more may be given back."""
QUIET_BEAT: Final = timedelta(minutes=1)
"""The same while no deadline depends on it."""
AT_ONCE: Final = 50
"""Deadlines read in one go."""
NOBODY_THERE: Final = 3
"""When both who play a hand have let so many turns in a row run out, the match is called off."""
WHILE_SUSPENDED: Final = timedelta(hours=1)
"""How often a deadline is looked at on a server that can't be served, or of an unreadable match."""
AFTER_A_FAULT: Final = timedelta(seconds=5)


class Crier(Protocol):
    """Who tells people what the clock says; nothing of it is awaited by a match."""

    def changed(self, match: MatchId) -> None:
        """Something happened in this match."""

    def redraw(self, match: MatchId) -> None:
        """What this match's messages say of the clock has changed, though nothing happened."""

    def outdate(self, match: MatchId) -> None:
        """The same, to be shown when the match is looked at."""

    async def repair(self, matches: Sequence[MatchId]) -> None:
        """Show anew what is outdated in these matches, a few of them at a time."""

    async def remind(self, table: Table, seat: Seat, due: datetime) -> None:
        """Tell a player, once, that his time is running out."""

    async def vacation_over(self, person: PersonId, tables: Sequence[Table]) -> None:
        """Tell a player, once, that his vacation is over: in which matches he is awaited."""

    async def time_is_up(self, table: Table, seat: Seat) -> None:
        """Tell everybody at the table that a player's time is up, and that they may wait."""


class Clocks:
    """The dispatcher of one process."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        crier: Crier,
        presence: Presence,
        now: Now,
        alarm: Alarm,
    ) -> None:
        self._store = store
        self._presence = presence
        self._tables = tables
        self._crier = crier
        self._now = now
        self._alarm = alarm
        self.lost_time = LostTime(store, tables, presence, now, alarm, self._show)
        """What is given back of the time in which nobody could act."""
        self._back: dict[PersonId, list[Table]] = {}
        """Whose vacation was found to be over, and where he is awaited; told in one word."""
        self._telling: set[asyncio.Task[None]] = set()
        self._failed = False

    # ----------------------------------------------------------------------------- the watch

    async def watch(self) -> None:
        """Do what is due when it is due; runs as long as the bot does.

        Nothing is, before the time that was lost could be given back: a deadline that fell due
        while nobody could act may cost somebody his match.
        """
        breathing = asyncio.create_task(self.lost_time.awake.watch(), name="awake")
        try:
            await self._watch()
        finally:
            breathing.cancel()

    async def _watch(self) -> None:
        while True:
            self._failed = False
            until = self._now() + BEAT
            try:
                await self.lost_time.make_up()
                await self.do_what_is_due()
                if not self.lost_time.is_away:
                    await self._beat()
                    async with self._store.reading() as tx:
                        following = await tx.deadlines.next()
                    if following is not None:
                        until = min(until, following)
            except Exception:  # one failed look must not end the watch
                log.exception("clocks")
                self._failed = True
            if self._failed:
                until = max(until, self._now() + AFTER_A_FAULT)
            await self._alarm.sleep(until)

    async def do_what_is_due(self) -> None:
        """Remind, go on after vacations, and act for everybody whose time is up.

        Due is what was so at a moment up to which people could act, however long the rest takes.
        """
        while True:
            self.lost_time.awake.look()
            if self.lost_time.is_away:
                return
            now = self._now()
            async with self._store.reading() as tx:
                rows = await tx.deadlines.due(now, AT_ONCE)
            done = [await self._done(row, now) for row in rows]
            if not any(done):
                break
        back, self._back = self._back, {}
        for person, tables in back.items():
            self._tell(self._crier.vacation_over(person, tables))

    async def _done(self, row: DeadlineRow, now: datetime) -> bool:
        """Do what is due about one deadline; whether that got it anywhere."""
        try:
            return await self._do(row, now)
        except UnreadableMatch:  # nobody can act in it: its turn has all its time again then
            async with self._store.transaction() as tx:
                at = row.stopped_at or row.began
                return await tx.deadlines.stop(row, at, self._now() + WHILE_SUSPENDED)
        except Exception:  # a fault in one match must not stop the others
            log.exception("clock", match=row.match_id)
            self._failed = True
            return False

    async def _do(self, row: DeadlineRow, now: datetime) -> bool:
        table = await self._tables.load(row.match_id)
        if table is None or table.turn != (row.seat, row.turn):
            return await self._put_right(row, table)
        suspended = self._presence.since(table.row.server_id)
        if suspended is not None:
            stopped_at = row.stopped_at or min(now, max(suspended, row.began))
            async with self._store.transaction() as tx:
                stands = await tx.deadlines.stop(row, stopped_at, now + WHILE_SUSPENDED)
            if row.stopped_at is None:  # before a hand shows a deadline that has passed
                self._crier.redraw(row.match_id)
            return stands
        if row.stopped_at is not None:
            person = table.people[row.seat]
            async with self._store.transaction() as tx:
                until = await deadlines.vacation(tx, table.row, person, now)
                if until is not None:
                    return await tx.deadlines.stop(row, row.stopped_at, until)
                went_on = await tx.deadlines.go_on(row, now)
                taken = await tx.vacations.since(person, row.stopped_at)
            self._crier.redraw(row.match_id)
            if went_on and deadlines.by_correspondence(table.row) and taken:
                self._back.setdefault(person, []).append(table)
            return went_on
        seat = Seat(row.seat)
        if now < row.due:
            async with self._store.transaction() as tx:
                is_first = await tx.deadlines.reminded(row)
            if is_first:
                log.info("reminded", match=table.id, seat=str(seat))
                self._tell(self._crier.remind(table, seat, row.due))
            return is_first
        return await self._time_up(table, seat, row)

    async def _put_right(self, row: DeadlineRow, table: Table | None) -> bool:
        """Write the deadline of the turn that a match is in, where another one stood."""
        async with self._store.transaction() as tx:
            if await tx.deadlines.get(row.match_id) != row:
                return True  # somebody acted meanwhile
            await tx.deadlines.drop(row.match_id)
            if table is not None:
                await deadlines.begin(tx, table, self._now())
        log.warning("deadline put right", match=row.match_id)
        return True

    async def _time_up(self, table: Table, seat: Seat, row: DeadlineRow) -> bool:
        clock = table.clock
        if clock is None or clock.then is TimeUp.WAIT:
            async with self._store.transaction() as tx:
                is_first = await tx.deadlines.told(row)
            if is_first:
                log.info("time is up", match=table.id, seat=str(seat))
                self._crier.redraw(table.id)
                self._tell(self._crier.time_is_up(table, seat))
            return is_first
        after = await self._tables.time_up(row, house_acts)
        if after is not None:
            log.info("acted for a player", match=table.id, seat=str(seat), then=clock.then.value)
            self._crier.changed(table.id)
        return True

    def _show(self, matches: Sequence[MatchId]) -> None:
        """Have the messages of these matches changed soon, a few matches at a time."""
        for match in matches:
            self._crier.outdate(match)
        self._tell(self._crier.repair(matches))

    async def _beat(self, *, at_once: bool = False) -> None:
        """Say that the bot is there, unless that was said a moment ago."""
        async with self._store.reading() as tx:
            every = BEAT if await tx.deadlines.any() else QUIET_BEAT
            last = await heartbeat.last(tx)
        now = self._now()
        if last is not None and not at_once and timedelta(0) <= now - last < every * 0.9:
            return  # woken in between
        async with self._store.transaction() as tx:
            await heartbeat.note(tx, now)

    # ------------------------------------------------------------------------------ telling

    def _tell(self, word: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(word, name="clock tells")
        self._telling.add(task)
        task.add_done_callback(self._told)

    def _told(self, task: asyncio.Task[None]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("not told", exc_info=task.exception())

    async def settle(self) -> None:
        """Wait until everybody was told."""
        while self._telling:
            await asyncio.wait(tuple(self._telling))

    async def close(self) -> None:
        """Tell nobody any more, and note until when the bot was there.

        What was not told yet is lost, as a reminder may be.
        """
        for task in tuple(self._telling):
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)
        self.lost_time.awake.look()
        if self.lost_time.is_away or not self.lost_time.is_up:
            return  # the next start has to know since when
        try:
            await self._beat(at_once=True)
        except StoreError:  # then a little more is given back
            log.exception("no last heartbeat")


def house_acts(table: Table, seat: Seat) -> Sequence[Event]:
    """What the terms of a match say of a player whose time is up.

    Where nobody sits at the table any more, the match is called off.
    """
    clock, hand = table.clock, table.match.hand
    if clock is None or hand is None:
        return ()
    if clock.then is TimeUp.FORFEIT_MATCH:
        return (Forfeit(seat),)
    if all(table.missed.get(other, 0) >= NOBODY_THERE for other in hand.players):
        return (Cancel(),)
    if clock.then is TimeUp.FORFEIT_HAND:
        return (ForfeitHand(seat),)
    return standin.rest_of_turn(table.match, seat)
