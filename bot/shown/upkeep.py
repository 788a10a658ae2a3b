"""Upkeep: a worker for each part of a match that is behind; latest wins, failures come again.

A change makes one look at the match; the look sets workers on the parts that are behind. While a
part's worker is busy further changes only mark it, so edits are coalesced; no part waits for
another, and what failed is tried again after longer and longer pauses.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextvars import Context
from datetime import timedelta
from typing import Final

import structlog

from bot.mail.post import TryLater, Undelivered
from bot.refusals import UnreadableMatch
from bot.shown.standing import Standing
from db.ids import MatchId
from db.rows import TABLE_SEAT

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

FIRST_RETRY: Final = timedelta(seconds=3)
LAST_RETRY: Final = timedelta(minutes=5)
REPAIRED_AT_ONCE: Final = 4
"""Matches that are repaired side by side after a start; to replay one may take 10 ms."""
REPAIR_PAUSE: Final = timedelta(milliseconds=400)
"""After a match that was repaired: with its three or four messages that leaves half of what
Discord allows to those who play on."""
MOST_SEATS: Final = 3
MOST_OFTEN: Final = 12
"""Times in a row that a part is shown at one version: something asks for it in a circle then."""

Part = tuple[MatchId, int]
"""What one worker keeps up to date: a match, and its table (`TABLE_SEAT`) or a seat's hand."""
Look = Callable[[MatchId], Awaitable[Standing | None]]
Show = Callable[[Standing, int], Awaitable[None]]


_pause = asyncio.sleep


class Upkeep:
    """Runs ``show`` for the parts that a ``look`` finds behind."""

    def __init__(self, look: Look, show: Show) -> None:
        self._look_at = look
        self._show = show
        self._changed: set[MatchId] = set()
        self._looks: dict[MatchId, asyncio.Task[None]] = {}
        self._stale: set[Part] = set()
        self._workers: dict[Part, asyncio.Task[None]] = {}
        self._failures: Counter[Part] = Counter()
        self._retries: dict[Part, asyncio.TimerHandle] = {}
        self._is_closed = False

    def changed(self, match: MatchId) -> None:
        """Something happened at this match: bring it up to date soon."""
        if self._is_closed:
            return
        self._changed.add(match)
        if match not in self._looks:
            # In a context of its own: a table doesn't speak the language of who pressed last.
            self._looks[match] = asyncio.create_task(
                self._look(match), name=f"look-{match}", context=Context()
            )

    def is_working(self, part: Part) -> bool:
        """Whether this part is being shown at the moment."""
        return part in self._workers

    def once_more(self, part: Part) -> None:
        """What this part's worker shows just now doesn't count: it has to look again."""
        if part in self._workers:
            self._stale.add(part)
        else:
            self.changed(part[0])

    async def repair(self, matches: Iterable[MatchId]) -> None:
        """Bring many matches up to date, a few at a time, each waited for."""
        left = iter(matches)

        async def one_after_another() -> None:
            pause = 0.0
            for match in left:
                await _pause(pause)
                self.changed(match)
                pause = 0.0
                while busy := self._busy_with(match):
                    if not busy <= {self._looks.get(match)}:  # something had to be sent
                        pause = REPAIR_PAUSE.total_seconds()
                    await asyncio.wait(busy)

        await asyncio.gather(*(one_after_another() for _ in range(REPAIRED_AT_ONCE)))

    def _busy_with(self, match: MatchId) -> set[asyncio.Task[None]]:
        parts = ((match, number) for number in range(TABLE_SEAT, MOST_SEATS))
        tasks = (self._looks.get(match), *(self._workers.get(part) for part in parts))
        return {task for task in tasks if task is not None}

    async def settle(self) -> None:
        """Wait until everything is shown that can be now (what failed waits for its retry)."""
        while busy := {*self._looks.values(), *self._workers.values()}:
            await asyncio.wait(busy)

    async def close(self, patience: timedelta) -> None:
        """Finish for so long what is to be shown; the rest is found at the next start."""
        try:
            async with asyncio.timeout(patience.total_seconds()):
                await self.settle()
        except TimeoutError:
            log.warning("closed with messages left to show; they are repaired at the next start")
        self._is_closed = True
        for timer in self._retries.values():
            timer.cancel()
        self._retries.clear()
        left = {*self._looks.values(), *self._workers.values()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self._looks.clear()  # what never began has not taken itself out
        self._workers.clear()

    async def _look(self, match: MatchId) -> None:
        try:
            while match in self._changed:
                self._changed.discard(match)
                standing = await self._look_at(match)
                if standing is not None:
                    self._set_workers_on(match, standing)
        except UnreadableMatch:  # said where it was tried; there is nothing to show
            return
        except Exception:  # a fault in one match must not stop the others
            log.exception("not looked at", match=match)
            self._retry((match, TABLE_SEAT))
        finally:
            del self._looks[match]

    def _set_workers_on(self, match: MatchId, standing: Standing) -> None:
        for number in standing.parts_behind():
            part = (match, number)
            if part in self._workers:
                self._stale.add(part)
            else:
                self._workers[part] = asyncio.create_task(
                    self._work(part, standing), name=f"show-{match}-{number}"
                )

    async def _work(self, part: Part, seen: Standing) -> None:
        standing: Standing | None = seen
        shown: Counter[int] = Counter()
        try:
            while standing is not None:
                await self._show(standing, part[1])
                if part not in self._stale:
                    self._succeeded(part)
                    return
                self._stale.discard(part)
                shown[standing.table.head] += 1
                if shown[standing.table.head] >= MOST_OFTEN:
                    log.warning("shown in a circle", match=part[0], part=part[1])
                    raise TryLater("asked for at once again and again")
                self._succeeded(part)
                standing = await self._look_at(part[0])
        except TryLater as error:
            self._retry(part, error.wait)
        except Undelivered:
            self._succeeded(part)  # it can't be shown there; the next change tries again
        except Exception:  # a fault in one page must not stop the others
            log.exception("not shown", match=part[0], part=part[1])
            self._retry(part)
        finally:
            del self._workers[part]
            if part in self._stale:  # it changed while this attempt failed
                self._stale.discard(part)
                self.changed(part[0])

    def _succeeded(self, part: Part) -> None:
        self._failures.pop(part, None)
        self._cancel_retry(part)

    def _retry(self, part: Part, wait: timedelta = timedelta(0)) -> None:
        self._failures[part] += 1
        self._cancel_retry(part)
        if self._is_closed:
            return
        pause = max(wait, FIRST_RETRY * 2 ** min(self._failures[part] - 1, 10))
        self._retries[part] = asyncio.get_running_loop().call_later(
            max(wait, min(pause, LAST_RETRY)).total_seconds(), self._again, part
        )

    def _again(self, part: Part) -> None:
        self._retries.pop(part, None)
        self.changed(part[0])

    def _cancel_retry(self, part: Part) -> None:
        timer = self._retries.pop(part, None)
        if timer is not None:
            timer.cancel()
