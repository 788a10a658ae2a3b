"""The governor: one queue in front of all requests that Discord counts.

Discord allows a bot 50 requests a second over all routes, answers to interactions not counted.
We stay below, and when there is a queue the notice of somebody's turn goes before an edit that
only looks nicer.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from enum import IntEnum
from itertools import count
from typing import Final

MOST_PER_WINDOW: Final = 45
WINDOW: Final = timedelta(seconds=1)


class Urgency(IntEnum):
    """Who goes first when requests queue; a smaller number is served earlier."""

    TURN = 0
    """A message that tells a person it is his turn."""
    TABLE = 1
    """The table that everybody reads."""
    TIDY = 2
    """Edits and deletes that only tidy up."""


class Governor:
    """Lets at most ``most`` requests start in any ``window``, the most urgent first."""

    def __init__(
        self,
        most: int = MOST_PER_WINDOW,
        window: timedelta = WINDOW,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._most = most
        self._window = window.total_seconds()
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        self._started: deque[float] = deque()
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None
        self.granted = 0

    async def slot(self, urgency: Urgency) -> None:
        """Wait for the right to start one request."""
        if not self._waiting and self._take():
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._order), turn))
        self._schedule()
        await turn

    def _take(self) -> bool:
        now = self._clock()
        while self._started and now >= self._started[0] + self._window:
            self._started.popleft()
        if len(self._started) >= self._most:
            return False
        self._started.append(now)
        self.granted += 1
        return True

    def _schedule(self) -> None:
        if self._timer is None and self._waiting:
            delay = 0.0
            if len(self._started) >= self._most:
                delay = max(0.0, self._started[0] + self._window - self._clock())
            self._timer = asyncio.get_running_loop().call_later(delay, self._serve)

    def _serve(self) -> None:
        self._timer = None
        while self._waiting:
            if self._waiting[0][2].done():  # its caller gave up waiting
                heapq.heappop(self._waiting)
                continue
            if not self._take():
                break
            heapq.heappop(self._waiting)[2].set_result(None)
        self._schedule()
