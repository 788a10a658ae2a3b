"""Clocks: one dispatcher that sleeps until the next deadline, reminds, and acts when time is up.

Deadlines are rows (:mod:`db.deadlines`); nothing here is remembered that a kill could lose. What
the house does goes the one way in (:meth:`bot.play.tables.Tables.time_up`), so an act that came
just in time wins, and what two dispatchers find due happens once.

Time in which nobody could act is given back: while the connection to Discord was lost, while the
bot was down (how long is known from the heartbeat, :mod:`bot.play.heartbeat`), and while its
machine slept (:mod:`bot.play.awake`). A clock that is put back takes nobody's time; no turn has
more than all its time then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import structlog

from bot.clock import Clock, MalformedClock, TimeUp
from bot.now import Now
from bot.play import deadlines, heartbeat, standin
from bot.play.alarm import Alarm
from bot.play.awake import Awake
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.refusals import UnreadableMatch
from db.errors import StoreError
from db.ids import MatchId, PersonId, ServerId
from db.rows import DeadlineRow
from db.store import Store, Transaction
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
OUTAGE_FROM: Final = timedelta(seconds=3)
"""Shorter losses of the connection happen all the time, and cost nobody his turn."""
WHILE_SUSPENDED: Final = timedelta(hours=1)
"""How often a deadline is looked at on a server that can't be served, or of an unreadable match."""
WORTH_SHOWING: Final = 20
"""A deadline that moved by at least this part of a turn is shown anew."""
AFTER_A_FAULT: Final = timedelta(seconds=5)
LONG_AGO: Final = datetime(2020, 1, 1, tzinfo=UTC)


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
        presence.when_back(self.server_is_back)
        self._tables = tables
        self._crier = crier
        self._now = now
        self._alarm = alarm
        self._lost: set[int] = set()
        """The shards without a connection."""
        self._away_since: datetime | None = None
        """Since when not all of them have one, and that time isn't given back yet."""
        self._slept_since: datetime | None = None
        """Since when the machine slept, where that time isn't given back yet."""
        self.awake = Awake(now, self._slept, self._put_back)
        """Whether this process ran all the time."""
        self._was_put_back = False
        """Whether the clock was put back, and no turn was looked at for that yet."""
        self._is_up = False
        """Whether the time before this start was given back: nothing falls due before."""
        self._giving = asyncio.Lock()
        self._given: dict[ServerId, datetime] = {}
        """Until when a server has its time back of a loss that isn't given back to all yet."""
        self._back: dict[PersonId, list[Table]] = {}
        """Whose vacation was found to be over, and where he is awaited; told in one word."""
        self._telling: set[asyncio.Task[None]] = set()
        self._failed = False

    # ----------------------------------------------------------------------------- the watch

    @property
    def is_away(self) -> bool:
        """Whether nobody's time runs: a connection is lost, or lost time isn't given back yet."""
        return self._away_since is not None or self._slept_since is not None

    async def watch(self) -> None:
        """Do what is due when it is due; runs as long as the bot does.

        Nothing is, before the time that was lost could be given back: a deadline that fell due
        while nobody could act may cost somebody his match.
        """
        breathing = asyncio.create_task(self.awake.watch(), name="awake")
        try:
            await self._watch()
        finally:
            breathing.cancel()

    async def _watch(self) -> None:
        while True:
            self._failed = False
            until = self._now() + BEAT
            try:
                await self._make_up()
                await self.do_what_is_due()
                if not self.is_away:
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
            self.awake.look()
            if self.is_away:
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
            stopped_at = row.stopped_at or max(suspended, row.began)
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

    # ------------------------------------------------------------------------ what was lost

    async def came_up(self) -> None:
        """After a start, with the connection there: give back the time since the last heartbeat.

        Where there is none yet, nobody knows since when: each turn gets all that it has lost.
        """
        async with self._giving:
            async with self._store.reading() as tx:
                last = await heartbeat.last(tx)
                missing = await tx.deadlines.missing()
            since = last or LONG_AGO
            self._slept_since = None  # that is in it
            self.awake.begin()
            now = self._now()
            self._was_put_back |= since > now
            self._show(await self._give_back(since))
            for match in missing:
                try:
                    await self._begin(match)
                except UnreadableMatch:
                    continue
                except Exception:  # a fault in one match must not stop the others
                    log.exception("deadline not put right", match=match)
            self._away_since = now if self._lost else None  # a loss before this is in it
            self._is_up = True

    async def _begin(self, match: MatchId) -> None:
        """Give the turn of a match that has no deadline its whole time."""
        table = await self._tables.load(match)
        if table is None:
            return
        async with self._store.transaction() as tx:
            if await tx.deadlines.get(match) is None and await tx.matches.head(match) == table.head:
                await deadlines.begin(tx, table, self._now())
        log.warning("deadline put right", match=match)

    def lost(self, shard: int) -> None:
        """A connection to Discord was lost: from now on nobody's time runs."""
        self.awake.look()  # where the machine slept, nobody's time has run since then
        self._lost.add(shard)
        if self._away_since is None:
            self._away_since = self._now()

    def _slept(self, since: datetime) -> None:
        """The machine slept: what was lost is the time since then, as after an outage."""
        self._slept_since = self._slept_since or since
        self._alarm.ring()

    def _put_back(self, by: timedelta) -> None:
        """The clock was put back: what was noted by it before may be later than now."""
        if self._away_since is not None:
            self._away_since -= by
        if self._slept_since is not None:
            self._slept_since -= by
        self._was_put_back = True
        self._alarm.ring()

    async def found(self, shard: int) -> None:
        """A connection is there again; with the last of them the time lost is given back."""
        self._lost.discard(shard)
        try:
            if self._is_up:
                await self._make_up()
        except Exception:  # the watch tries again, and nothing falls due before
            log.exception("time not given back")
        self._alarm.ring()

    async def _make_up(self) -> None:
        """Give back what was lost before this start, in a sleep, and while a connection was."""
        self.awake.look()
        if not self._is_up:
            if self._lost:
                return
            await self.came_up()
        async with self._giving:
            if self._lost:
                return
            losses = [since for since in (self._away_since, self._slept_since) if since is not None]
            if losses:
                now, since = self._now(), min(losses)
                self._away_since, self._slept_since = since, None
                if now - since >= OUTAGE_FROM:
                    self._show(await self._give_back(since))
                self._away_since = now if self._lost else None  # lost again meanwhile
            if self._was_put_back:
                self._show(await self._shorten())
                self._was_put_back = False

    async def server_is_back(
        self, tx: Transaction, server: ServerId, since: datetime
    ) -> Callable[[], None]:
        """A server can be served again: give its matches back the time since when it couldn't.

        Gives what is to be done once that is committed.
        """
        self.awake.look()  # else a sleep would be given back twice there
        now = self._now()
        moved = {
            match
            for match, clock in await tx.deadlines.give_back(since, now, server)
            if _can_be_seen(now - since, clock)
        }
        for row, person in await tx.deadlines.stopped_on(server):
            match = await tx.matches.get(row.match_id)
            until = None
            if match is not None:
                until = await deadlines.vacation(tx, match, person, now)
            if until is None:
                await tx.deadlines.go_on(row, now)
            elif row.stopped_at is not None:
                await tx.deadlines.stop(row, row.stopped_at, until)
            moved.add(row.match_id)

        def given() -> None:
            if self.is_away or not self._is_up:
                self._given[server] = now
            self._alarm.ring()
            self._show(sorted(moved))

        return given

    async def _give_back(self, since: datetime) -> list[MatchId]:
        """Move the deadlines by the time since then; return the matches in which one can see it.

        On a server that can't be served they move by the time before that: the rest is given back
        when it is back. Where that was meanwhile, they move by the time after that.
        """
        now = self._now()
        lost = now - since
        moved: tuple[tuple[MatchId, str], ...] = ()
        suspended, given = self._presence.suspended(), dict(self._given)
        async with self._store.transaction() as tx:
            if lost > timedelta(0):
                apart = tuple({*suspended, *given})
                moved = await tx.deadlines.give_back(since, now, but=apart)
                for server in apart:
                    start, end = max(since, given.get(server, since)), suspended.get(server, now)
                    if start < end:
                        moved += await tx.deadlines.give_back(start, end, server)
                await heartbeat.note(tx, now)
        for server in given:
            self._given.pop(server, None)
        if moved:
            said = "all before this start" if since == LONG_AGO else str(lost)
            log.info("time given back", lost=said, matches=len(moved))
        return [match for match, clock in moved if _can_be_seen(lost, clock)]

    async def _shorten(self) -> list[MatchId]:
        """After the clock was put back: leave no turn more than all its time; which were longer."""
        now = self._now()
        shortened: list[MatchId] = []
        async with self._store.transaction() as tx:
            for text in await tx.deadlines.clocks():
                with suppress(MalformedClock):  # nobody can play that match
                    turn = Clock.parse(text).turn
                    shortened += await tx.deadlines.shorten(text, turn, now)
        if shortened:
            log.info("turns have all their time again", matches=len(shortened))
        return sorted(shortened)

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
        self.awake.look()
        if self.is_away or not self._is_up:
            return  # the next start has to know since when
        try:
            await self._beat(at_once=True)
        except StoreError:  # then a little more is given back
            log.exception("no last heartbeat")


def _can_be_seen(moved: timedelta, clock: str) -> bool:
    """Whether a deadline that moved by so much looks another one, by the match's clock."""
    try:
        return moved * WORTH_SHOWING >= Clock.parse(clock).turn
    except MalformedClock:  # a match that can't be read isn't shown
        return False


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
