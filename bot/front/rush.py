"""Rush: what to do with an interaction when more come than can be answered in time.

Discord waits three seconds for an answer. If everybody were served in turn, then in a rush
everybody would be served too late, and the house would work only for answers that nobody gets. So
as many are served at once as can be; others are told at once to come back in a moment, which costs
little; and who has waited so long that no answer would reach him is let go without any work.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta
from enum import Enum, auto
from typing import Final, TypeVar

from discord.utils import snowflake_time

from db.ids import InteractionId

T = TypeVar("T")

SERVED_AT_ONCE: Final = 32
"""A press takes about 30 ms of the processor, and the last of these should get his answer too."""
CALM_AFTER: Final = timedelta(seconds=2)
"""So long after the house was last full, the rush is over."""
PUT_OFF_AFTER: Final = timedelta(seconds=1.4)
"""Who comes later in a rush could hardly be told in time that his answer will come."""
LET_GO_AFTER: Final = timedelta(seconds=2.2)
REMEMBERED_FOR: Final = timedelta(minutes=5)
"""The shortest way is remembered for so long, and for up to twice as long."""


class Turn(Enum):
    """What becomes of an interaction."""

    SERVED = auto()
    PUT_OFF = auto()
    """Told to come back; nothing is done."""
    LET_GO = auto()
    """Too late for any answer; nothing is done, and its press works again."""


class Rush:
    """Knows whether there is a rush, and how long interactions were on their way.

    That is told by their ids, which hold the time on Discord's clock; the shortest way of the last
    minutes stands for the difference to ours, which nobody sets and which may drift. While there
    is no rush nobody is turned away, whatever the clocks say.
    """

    def __init__(
        self,
        most: int = SERVED_AT_ONCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._clock = clock
        self._shortest = self._shortest_before = float("inf")
        """Of the ways in this span of time, and in the one before."""
        self._span_began = clock()
        self._full_at = float("-inf")
        self._at_work = 0

    def follow(self, work: asyncio.Future[T]) -> None:
        """Count some work until it is done; to wait until an answer has arrived costs nothing."""
        self._at_work += 1
        work.add_done_callback(self._ended)

    def _ended(self, _work: asyncio.Future[T]) -> None:
        self._at_work -= 1

    def turn(self, interaction: InteractionId) -> Turn:
        """Decide about an interaction that has just come."""
        now = self._clock()
        late = self._late(now, now - snowflake_time(interaction).timestamp())
        is_full = self._at_work >= self._most
        if is_full:
            self._full_at = now
        elif now - self._full_at > CALM_AFTER.total_seconds():
            return Turn.SERVED
        if late > LET_GO_AFTER.total_seconds():
            return Turn.LET_GO
        if is_full or late > PUT_OFF_AFTER.total_seconds():
            return Turn.PUT_OFF
        return Turn.SERVED

    def _late(self, now: float, way: float) -> float:
        """How many seconds a way was longer than the shortest."""
        spans = (now - self._span_began) / REMEMBERED_FOR.total_seconds()
        if spans >= 1:
            self._shortest_before = self._shortest if spans < 2 else float("inf")
            self._shortest = float("inf")
            self._span_began = now
        self._shortest = min(self._shortest, way)
        return way - min(self._shortest, self._shortest_before)
