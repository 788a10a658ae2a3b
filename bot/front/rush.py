"""Rush: what to do with an interaction when more come than can be answered in time.

Discord waits three seconds for an answer. If everybody were served at once, then in a rush
everybody would be served too late, and the house would work only for answers that nobody gets. So
only as many are at work at once as are done soon; the others wait for a place, in the order in
which they came, which costs nothing. Who hasn't found one in time (he is told sooner where answers
take long) hears that he may come back in a moment, which costs little; and who was on his way for
so long that no answer would reach him is let go without any work.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from enum import Enum, auto
from typing import Final, TypeVar

import structlog
from discord.utils import snowflake_time

from db.ids import InteractionId

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")

MOST_AT_WORK: Final = 16
"""A press takes about 30 ms of the processor. More at once wouldn't be done sooner, but each would
take longer, and so would everything else."""
WAITS_AT_MOST: Final = timedelta(seconds=5)
"""Work that takes longer waits for Discord and leaves its place to others."""
PUT_OFF_AFTER: Final = timedelta(seconds=1.3)
"""From the press on; it leaves time for the work, or for saying so, and for a second attempt."""
PUT_OFF_FROM: Final = 0.5
"""The first are told after this part of it already: of many who come at once each is told at
another moment."""
TOLD_BY: Final = timedelta(seconds=1.8)
"""Four of five who are put off have heard of it by then; it leaves time to say so again, twice or
three times, where Discord fails to take it."""
SLOWER: Final = 1.1
"""By how much one who was told slowly changes what is expected; one who was told quickly changes it
by the fourth root, so that it comes to rest where one of five is told more slowly."""
SOON: Final = timedelta(seconds=0.1)
"""What it takes to tell somebody where nothing is known."""
CALM_AFTER: Final = timedelta(seconds=2)
"""So long after the house was last full, the rush is over."""
LET_GO_AFTER: Final = timedelta(seconds=2.6)
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
    is no rush nobody waits and nobody is turned away, whatever the clocks say.
    """

    def __init__(
        self,
        most: int = MOST_AT_WORK,
        patience: timedelta = PUT_OFF_AFTER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._patience = patience.total_seconds()
        self._clock = clock
        self._shortest = self._shortest_before = float("inf")
        """Of the ways in this span of time, and in the one before."""
        self._span_began = clock()
        self._full_at = float("-inf")
        self._at_work = 0
        self._waiting: deque[asyncio.Future[Turn]] = deque()
        self._chance = random.Random(0)
        self._told_in = SOON.total_seconds()
        """Seconds in which four of five were told of late that they are put off."""

    async def turn(self, interaction: InteractionId) -> Turn:
        """Decide about an interaction that has just come, once there is a place or no time left.

        Whoever is SERVED holds a place, which :meth:`follow` gives back.
        """
        now = self._clock()
        late = self._late(now, now - snowflake_time(interaction).timestamp())
        is_full = self._at_work >= self._most or self._somebody_waits()
        is_calm = now - self._full_at > CALM_AFTER.total_seconds()
        if is_full:
            self._full_at = now
            if is_calm:
                log.warning("a rush begins", at_work=self._at_work)
        elif is_calm:
            return self._served()
        if late > LET_GO_AFTER.total_seconds():
            return Turn.LET_GO
        left = min(self._patience, TOLD_BY.total_seconds() - self._told_in) - late
        if is_full and left > 0:
            return await self._wait(left)
        if is_full or late > PUT_OFF_AFTER.total_seconds():
            return Turn.PUT_OFF
        return self._served()

    @property
    def is_on(self) -> bool:
        """Whether there is a rush, in which only what was asked for is done."""
        is_full = self._at_work >= self._most or self._somebody_waits()
        return is_full or self._clock() - self._full_at <= CALM_AFTER.total_seconds()

    def follow(self, work: asyncio.Future[T]) -> None:
        """Give the place back when the work is done, or when it seems to wait for something.

        To wait until an answer has arrived costs nothing, so that is no part of the work.
        """
        waits = asyncio.get_running_loop().call_later(WAITS_AT_MOST.total_seconds(), self._leave)

        def done(_work: asyncio.Future[T]) -> None:
            if waits.when() > asyncio.get_running_loop().time():
                waits.cancel()
                self._leave()

        work.add_done_callback(done)

    @asynccontextmanager
    async def telling(self) -> AsyncIterator[None]:
        """Tell somebody inside the block that he is put off; learn from how long that takes."""
        began = self._clock()
        yield
        slowly = self._clock() - began > self._told_in
        self._told_in *= SLOWER if slowly else SLOWER**-0.25

    def _served(self) -> Turn:
        self._at_work += 1
        return Turn.SERVED

    def _leave(self) -> None:
        self._at_work -= 1
        self._let_in()

    # --------------------------------------------------------------------------- those who wait

    async def _wait(self, seconds: float) -> Turn:
        turn: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        waits = seconds * self._chance.uniform(PUT_OFF_FROM, 1.0)
        over = asyncio.get_running_loop().call_later(waits, _put_off, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled() and turn.result() is Turn.SERVED:
                self._leave()
            raise
        finally:
            over.cancel()

    def _somebody_waits(self) -> bool:
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()
        return bool(self._waiting)

    def _let_in(self) -> None:
        while self._at_work < self._most and self._somebody_waits():
            self._waiting.popleft().set_result(self._served())

    def _late(self, now: float, way: float) -> float:
        """How many seconds a way was longer than the shortest."""
        spans = (now - self._span_began) / REMEMBERED_FOR.total_seconds()
        if spans >= 1:
            self._shortest_before = self._shortest if spans < 2 else float("inf")
            self._shortest = float("inf")
            self._span_began = now
        self._shortest = min(self._shortest, way)
        return way - min(self._shortest, self._shortest_before)


def _put_off(turn: asyncio.Future[Turn]) -> None:
    if not turn.done():
        turn.set_result(Turn.PUT_OFF)
