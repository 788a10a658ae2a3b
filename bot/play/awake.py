"""Awake: whether the bot ran all the time, or its machine slept, or its clock was set.

A laptop's lid is shut, a virtual machine is moved, a process is stopped and goes on: nobody could
act meanwhile, and nothing says so but that the time has gone on further than it can have in one
breath. A clock that is put forward looks the same, and is taken for the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.now import Now

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BREATH: Final = timedelta(seconds=1)
"""How often it is looked: so much more may be given back than was slept."""
SLEEP_FROM: Final = timedelta(seconds=3)
"""From one look to the next; less is only a machine that has much to do."""

_pause = asyncio.sleep


class Awake:
    """Looks at the time again and again.

    ``slept`` is told since when nobody could act, up to now; ``put_back`` that the clock was put
    back.
    """

    def __init__(
        self,
        now: Now,
        slept: Callable[[datetime], None],
        put_back: Callable[[], None],
    ) -> None:
        self._now = now
        self._slept = slept
        self._put_back = put_back
        self._seen = now()

    def begin(self) -> None:
        """Count from now on: what was before is known already."""
        self._seen = self._now()

    def look(self) -> None:
        """See whether time has jumped since the last look."""
        before, self._seen = self._seen, self._now()
        jumped = self._seen - before
        if jumped >= SLEEP_FROM:
            log.warning("slept, or the clock was put forward", lost=str(jumped))
            self._slept(before)
        elif jumped <= -SLEEP_FROM:
            log.warning("the clock was put back", by=str(-jumped))
            self._put_back()

    async def watch(self) -> None:
        """Look at every breath; runs as long as the bot does."""
        while True:
            self.look()
            await _pause(BREATH.total_seconds())
