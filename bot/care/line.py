"""The line to Discord: since when the bot can't hear it, for the figures and the health check."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.now import Now

STARTING: Final = -1
"""In a shard's place, until every shard was ready once."""


class Line:
    """Which connections of this process are down, and since when."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._down: dict[int, datetime] = {STARTING: now()}

    def lost(self, shard: int) -> None:
        """Note that a shard's connection was lost; one that is known to be keeps its time."""
        self._down.setdefault(shard, self._now())

    def found(self, shard: int = STARTING) -> None:
        """Note that a shard is heard again, or, without one, that the start is over."""
        self._down.pop(shard, None)

    def last_whole(self) -> datetime:
        """When every connection was there; the start, where they never were."""
        return min(self._down.values(), default=self._now())
