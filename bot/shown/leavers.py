"""Leavers: whether a player whose turn it is is still on the server at all.

Discord refuses to send to somebody who has left, but not to edit what stands there; and it tells
a bot of those who leave only by an intent that has to be asked for. So whoever lets his turn stand
is looked for, at longer and longer intervals. One timer serves all matches.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Final

import structlog

from bot.mail.governor import Urgency
from bot.mail.post import Post, TryLater, Undelivered
from bot.now import Now
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.refusals import UnreadableMatch
from db.ids import MatchId
from db.rows import MatchRow, MatchStatus, ShownKind
from db.store import Store
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PAUSES: Final = (
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=12),
)
"""Until the next look: the first of these that is longer than the turn has stood, else the last."""
TRIED_AGAIN_AFTER: Final = timedelta(minutes=10)
"""Where a look failed."""
AT_ONCE: Final = 3
"""So many are looked for side by side."""
REST: Final = timedelta(seconds=1)
"""After each of them: with 10,000 matches at a start all have been looked for within the hour."""
ROOM: Final = 64
"""So many dates that don't count any more are kept, however few matches there are."""


_pause = asyncio.sleep


@dataclass(frozen=True, slots=True)
class _Watch:
    """A turn that stands: when to look next for whom it awaits."""

    head: int
    """The version at which that was so."""
    seat: Seat | None
    """None after a start, for as long as nobody has looked whose turn it is."""
    due: datetime


class Leavers:
    """Looks for those who are awaited.

    ``found`` is called with a match whose player isn't there, or is though the others were told
    that he had left. Nobody is looked for on a server that can't be served.

    In memory alone: after a start `begin` has those looked for who are awaited then.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        post: Post,
        presence: Presence,
        found: Callable[[MatchId], None],
        now: Now,
    ) -> None:
        self._store = store
        self._tables = tables
        self._post = post
        self._presence = presence
        self._found = found
        self._now = now
        self._watched: dict[MatchId, _Watch] = {}
        self._dates: list[tuple[datetime, int, MatchId, _Watch]] = []
        """A heap; a date counts where its watch is the one that is kept for its match."""
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None
        self._looks: asyncio.Task[None] | None = None
        self._is_looking = False
        self._left: dict[MatchId, tuple[int, Seat]] = {}
        """Who was found to have left, at which version."""
        self._back: dict[MatchId, tuple[int, Seat]] = {}
        """The same of those of whom that was told, and who are there again."""
        self._is_closed = False

    def begin(self, running: Sequence[MatchId]) -> None:
        """After a start: look for those who are awaited in these matches, the newest first."""
        due = self._now() + PAUSES[0]
        for match in reversed(running):
            if match not in self._watched:
                self._keep(match, _Watch(0, None, due))
                due += REST / AT_ONCE

    def watch(self, table: Table) -> None:
        """A match was looked at: whose turn it is is looked for if he lets it stand."""
        seat = _awaited(table)
        known = self._watched.get(table.id)
        if seat is None:
            self._watched.pop(table.id, None)
            self._forget(table.id)
        elif known is None or known.head < table.head:
            self._forget(table.id)
            self._keep(table.id, _Watch(table.head, seat, self._now() + PAUSES[0]))

    def left(self, table: Table) -> Seat | None:
        """Who is awaited at this table, and was found to have left when he was looked for."""
        return self._found_at(table, self._left)

    def back(self, table: Table) -> Seat | None:
        """Who is awaited at this table, and was found though the others heard that he left."""
        return self._found_at(table, self._back)

    def _found_at(self, table: Table, found: dict[MatchId, tuple[int, Seat]]) -> Seat | None:
        head, seat = found.get(table.id, (None, None))
        is_suspended = seat is not None and self._presence.is_suspended(table.row.server_id)
        return seat if head == table.head and not is_suspended else None

    def note_left(self, table: Table, seat: Seat) -> None:
        """A player who is awaited was found to have left, by another way than a look of ours."""
        self._forget(table.id)
        self._left[table.id] = table.head, seat

    def called_back(self, table: Table) -> None:
        """Whoever was found back knows that he is awaited, and the others that he is there."""
        self._back.pop(table.id, None)

    def _forget(self, match: MatchId) -> None:
        self._left.pop(match, None)
        self._back.pop(match, None)

    def close(self) -> None:
        """Look for nobody any more."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._looks is not None:
            self._looks.cancel()

    # ----------------------------------------------------------------------------- the dates

    def _keep(self, match: MatchId, watch: _Watch) -> None:
        self._watched[match] = watch
        heapq.heappush(self._dates, (watch.due, next(self._order), match, watch))
        if len(self._dates) > 2 * len(self._watched) + ROOM:
            self._dates = [date for date in self._dates if self._watched.get(date[2]) is date[3]]
            heapq.heapify(self._dates)
        self._wait()

    def _wait(self) -> None:
        """Set the timer for the earliest date."""
        if self._is_closed or self._is_looking or not self._dates:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + max(timedelta(0), self._dates[0][0] - self._now()).total_seconds()
        if self._timer is not None:
            if self._timer.when() <= when:
                return
            self._timer.cancel()
        self._timer = loop.call_at(when, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._looks = asyncio.create_task(self.look(), name="leavers", context=Context())

    async def look(self) -> None:
        """Look for all who are due by now, a few at a time."""
        if self._is_looking:
            return
        self._is_looking = True
        try:
            await asyncio.gather(*(self._one_after_another() for _ in range(AT_ONCE)))
        finally:
            self._is_looking = False
            self._wait()

    async def _one_after_another(self) -> None:
        while (found := self._next()) is not None:
            await self._look(*found)
            await _pause(REST.total_seconds())

    def _next(self) -> tuple[MatchId, _Watch] | None:
        while self._dates and self._dates[0][0] <= self._now():
            _due, _number, match, watch = heapq.heappop(self._dates)
            if self._watched.get(match) is watch:
                return match, watch
        return None

    # ------------------------------------------------------------------------------- one look

    async def _look(self, match: MatchId, watch: _Watch) -> None:
        later: _Watch | None
        try:
            later = await self._look_for(match, watch)
        except UnreadableMatch:  # said where it was tried
            later = None
        except Exception:  # a database that fails now may be there the next time
            log.exception("nobody looked for", match=match)
            later = _Watch(watch.head, watch.seat, self._now() + TRIED_AGAIN_AFTER)
        if self._watched.get(match) is not watch:
            return  # the match went on meanwhile
        if later is None:
            del self._watched[match]
            self._forget(match)
        else:
            self._keep(match, later)

    async def _look_for(self, match: MatchId, watch: _Watch) -> _Watch | None:
        """Look for whom a match awaits; gives the next look, None where nobody is awaited."""
        async with self._store.reading() as tx:
            row = await tx.matches.get(match)
        if row is None or row.status is not MatchStatus.RUNNING:
            return None
        head, seat = watch.head, watch.seat
        if seat is None or row.head != head:
            table = await self._tables.load(match)
            seat = None if table is None else _awaited(table)
            if table is None or seat is None:
                return None
            row, head = table.row, table.head
        stood = self._now() - row.acted_at
        pause = next((pause for pause in PAUSES if pause > stood), PAUSES[-1])
        if self._presence.is_suspended(row.server_id):
            if not self._presence.is_absent(row.server_id):  # an outage is over within hours
                pause = min(pause, TRIED_AGAIN_AFTER)
        elif stood >= PAUSES[0]:
            try:
                await self._ask(row, head, seat)
            except TryLater:
                pause = min(pause, TRIED_AGAIN_AFTER)
            except Undelivered:
                log.info("nobody says whether he has left", match=match)
        return _Watch(head, seat, self._now() + pause)

    async def _ask(self, row: MatchRow, head: int, seat: Seat) -> None:
        """Ask Discord whether a player is there; raise `Undelivered` where it doesn't say it."""
        person = row.people[seat]
        is_there = await self._post.is_member(row.server_id, person, urgency=Urgency.TIDY)
        self._forget(row.id)
        if not is_there:
            self._left[row.id] = head, seat
        elif await self._was_told(row.id, seat):
            self._back[row.id] = head, seat
        else:
            return
        self._found(row.id)

    async def _was_told(self, match: MatchId, seat: Seat) -> bool:
        """Whether any of the others has been told that this player has left."""
        async with self._store.reading() as tx:
            rows = await tx.shown.of_match(match)
        return any(row.kind is ShownKind.GONE and row.whose == seat for row in rows)


def _awaited(table: Table) -> Seat | None:
    return None if table.is_over else table.match.to_move
