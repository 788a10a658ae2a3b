"""The alarm: who sleeps until the next deadline is woken when an earlier one appears."""

from __future__ import annotations

import asyncio
from datetime import datetime

from bot.now import Now


class Alarm:
    """One sleeper, and any number of those who may wake it."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._rings = asyncio.Event()
        self._until: datetime | None = None

    def set_for(self, moment: datetime) -> None:
        """Something is to be done at this moment: who sleeps for longer wakes up at once."""
        if self._until is None or moment < self._until:
            self._rings.set()

    def ring(self) -> None:
        """Wake the sleeper."""
        self._rings.set()

    async def sleep(self, until: datetime) -> None:
        """Sleep until a moment, or until woken; what rang since the last sleep counts."""
        self._until = until
        try:
            async with asyncio.timeout(max(0.0, (until - self._now()).total_seconds())):
                await self._rings.wait()
        except TimeoutError:
            pass
        finally:
            self._until = None
            self._rings.clear()
