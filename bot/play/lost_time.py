"""Lost time: what is given back of the time in which nobody could act, or a clock was set.

That is while the connection to Discord was lost, while the bot was down (how long is known from
the heartbeat, :mod:`bot.play.heartbeat`), while its machine slept (:mod:`bot.play.awake`), and
while a server couldn't be served (:mod:`bot.play.presence`). A clock that is put back takes
nobody's time; no turn has more than all its time then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from bot.clock import Clock, MalformedClock
from bot.now import Now
from bot.play import deadlines, heartbeat
from bot.play.alarm import Alarm
from bot.play.awake import Awake
from bot.play.presence import Presence
from bot.play.tables import Tables
from bot.refusals import UnreadableMatch
from db.ids import MatchId, ServerId
from db.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

OUTAGE_FROM: Final = timedelta(seconds=3)
"""Shorter losses of the connection happen all the time, and cost nobody his turn."""
WORTH_SHOWING: Final = 20
"""A deadline that moved by at least this part of a turn is shown anew."""
LONG_AGO: Final = datetime(2020, 1, 1, tzinfo=UTC)


class LostTime:
    """What one process gives back; it knows whether anybody's time runs.

    ``show`` is told the matches whose messages say something else now.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        presence: Presence,
        now: Now,
        alarm: Alarm,
        show: Callable[[Sequence[MatchId]], None],
    ) -> None:
        self._store = store
        self._tables = tables
        self._presence = presence
        self._now = now
        self._alarm = alarm
        self._show = show
        presence.when_back(self.server_is_back)
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
        self.is_up = False
        """Whether the time before this start was given back: nothing falls due before."""
        self._giving = asyncio.Lock()
        self._given: dict[ServerId, datetime] = {}
        """Until when a server has its time back of a loss that isn't given back to all yet."""

    @property
    def is_away(self) -> bool:
        """Whether nobody's time runs: a connection is lost, or lost time isn't given back yet."""
        return self._away_since is not None or self._slept_since is not None

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
            self._put_back()  # nobody knows how the clock was set before this start
            self._show(await self._give_back(since))
            for match in missing:
                try:
                    await self._begin(match)
                except UnreadableMatch:
                    continue
                except Exception:  # a fault in one match must not stop the others
                    log.exception("deadline not put right", match=match)
            self._away_since = now if self._lost else None  # a loss before this is in it
            self.is_up = True

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

    def _put_back(self) -> None:
        """The clock was put back: nothing that was noted by it may be later than now.

        Until they are looked at, the turns that run keep their deadlines, and so have more time
        left than they had, not less.
        """
        now = self._now()
        if self._away_since is not None:
            self._away_since = min(self._away_since, now)
        if self._slept_since is not None:
            self._slept_since = min(self._slept_since, now)
        for server, until in self._given.items():
            self._given[server] = min(until, now)
        self._presence.put_back()
        self._was_put_back = True
        self._alarm.ring()

    async def found(self, shard: int) -> None:
        """A connection is there again; with the last of them the time lost is given back."""
        self._lost.discard(shard)
        try:
            if self.is_up:
                await self.make_up()
        except Exception:  # the watch tries again, and nothing falls due before
            log.exception("time not given back")
        self._alarm.ring()

    async def make_up(self) -> None:
        """Give back what was lost before this start, in a sleep, and while a connection was."""
        self.awake.look()
        if not self.is_up:
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
                self._was_put_back = False
                try:
                    self._show(await self._put_rows_back())
                except BaseException:
                    self._was_put_back = True
                    raise

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
            if self.is_away or not self.is_up:
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

    async def _put_rows_back(self) -> list[MatchId]:
        """After the clock was put back: let nothing that is written down lie in the time to come.

        No turn has more than all its time then; return the matches in which one had.
        """
        now = self._now()
        shortened: list[MatchId] = []
        async with self._store.transaction() as tx:
            last = await heartbeat.last(tx)
            if last is not None and last > now:
                await heartbeat.note(tx, now)
            await tx.absences.put_back(now)
            await tx.vacations.put_back(now)
            await tx.challenges.put_back(now)
            await tx.deadlines.put_back(now)
            for text in await tx.deadlines.clocks():
                with suppress(MalformedClock):  # nobody can play that match
                    turn = Clock.parse(text).turn
                    shortened += await tx.deadlines.shorten(text, turn, now)
        if shortened:
            log.info("turns have all their time again", matches=len(shortened))
        return sorted(shortened)


def _can_be_seen(moved: timedelta, clock: str) -> bool:
    """Whether a deadline that moved by so much looks another one, by the match's clock."""
    try:
        return moved * WORTH_SHOWING >= Clock.parse(clock).turn
    except MalformedClock:  # a match that can't be read isn't shown
        return False
