"""Rush: what to do with an interaction when more come than can be answered in time.

Discord waits three seconds for an answer. If everybody were served at once, then in a rush
everybody would be served too late, and the house would work only for answers that nobody gets. So
as many are at work at once as are done soon; the others wait for a place, in the order in which
they came, which costs nothing; who hasn't found one when half of his time is over is told to come
back in a moment, which costs little; and who was on his way for so long that no answer would reach
him is let go without any work.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Final, TypeVar

import structlog
from discord.utils import snowflake_time

from db.ids import InteractionId

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")

MOST_AT_WORK: Final = 32
FEWEST_AT_WORK: Final = 4
"""However slow the machine is: some of them may only wait for the disk or for Discord."""
WORK_TAKES_AT_MOST: Final = timedelta(seconds=0.6)
"""So few are at work that the one who comes last is done within this time, by what work took."""
WAITS_AT_MOST: Final = timedelta(seconds=2)
"""Work that takes longer waits for something and leaves its place to others."""
ONE_IN_TWENTY: Final = 1.05
"""By how much one piece of work changes what is thought of the cost of all."""
PUT_OFF_AFTER: Final = timedelta(seconds=1.5)
"""From the press on; it leaves time for the work, or for saying so, and for a second attempt."""
PUT_OFF_FROM: Final = 0.5
"""The first are told after this part of it already: of many who come at once each is told at
another moment."""
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


@dataclass(slots=True)
class _Place:
    """A place at work: since when it is held (seconds of our clock), and by how many in all."""

    since: float
    held: int
    is_left: bool = False


class Rush:
    """Knows whether there is a rush, and how long interactions were on their way.

    That is told by their ids, which hold the time on Discord's clock; the shortest way of the last
    minutes stands for the difference to ours, which nobody sets and which may drift. While there
    is no rush nobody waits and nobody is turned away, whatever the clocks say.

    How many may be at work at once follows from what one takes when it is alone: half of the
    work of late took less, half took more, so that a few that wait for Discord don't count.
    """

    def __init__(
        self,
        most: int = MOST_AT_WORK,
        patience: timedelta = PUT_OFF_AFTER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._fewest = min(FEWEST_AT_WORK, most)
        self._patience = patience.total_seconds()
        self._clock = clock
        self._shortest = self._shortest_before = float("inf")
        """Of the ways in this span of time, and in the one before."""
        self._span_began = clock()
        self._full_at = float("-inf")
        self._at_work = 0
        self._waiting: deque[asyncio.Future[Turn]] = deque()
        self._chance = random.Random(0)
        self._one_takes = 0.0
        """Seconds of work, when nobody else is at work."""

    @property
    def places(self) -> int:
        """How many may be at work at once."""
        if not self._one_takes:
            return self._most
        fit = round(WORK_TAKES_AT_MOST.total_seconds() / self._one_takes)
        return max(self._fewest, min(self._most, fit))

    async def turn(self, interaction: InteractionId) -> Turn:
        """Decide about an interaction that has just come, once there is a place or no time left.

        Whoever is SERVED holds a place, which :meth:`follow` gives back.
        """
        now = self._clock()
        late = self._late(now, now - snowflake_time(interaction).timestamp())
        is_full = self._at_work >= self.places or self._somebody_waits()
        is_calm = now - self._full_at > CALM_AFTER.total_seconds()
        if is_full:
            self._full_at = now
            if is_calm:
                log.warning("a rush begins", at_work=self._at_work)
        elif is_calm:
            return self._served()
        if late > LET_GO_AFTER.total_seconds():
            return Turn.LET_GO
        if is_full and late < self._patience:
            return await self._wait(self._patience - late)
        if is_full or late > PUT_OFF_AFTER.total_seconds():
            return Turn.PUT_OFF
        return self._served()

    def follow(self, work: asyncio.Future[T]) -> None:
        """Give the place back when the work is done, or when it seems to wait for something.

        To wait until an answer has arrived costs nothing, so that is no part of the work.
        """
        place = _Place(self._clock(), self._at_work)
        waits = asyncio.get_running_loop().call_later(
            WAITS_AT_MOST.total_seconds(), self._leave, place
        )

        def done(_work: asyncio.Future[T]) -> None:
            waits.cancel()
            self._leave(place)

        work.add_done_callback(done)

    def _served(self) -> Turn:
        self._at_work += 1
        return Turn.SERVED

    def _leave(self, place: _Place) -> None:
        if place.is_left:
            return
        place.is_left = True
        self._at_work -= 1
        self._measure((self._clock() - place.since) / place.held)
        self._let_in()

    def _measure(self, took: float) -> None:
        """Learn from what one would have taken alone; ``took`` is in seconds."""
        allowed = WORK_TAKES_AT_MOST.total_seconds()
        before = self._one_takes or allowed / self._most
        after = before * ONE_IN_TWENTY if took > before else before / ONE_IN_TWENTY
        self._one_takes = max(allowed / self._most, min(allowed / self._fewest, after))

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
                self._at_work -= 1
                self._let_in()
            raise
        finally:
            over.cancel()

    def _somebody_waits(self) -> bool:
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()
        return bool(self._waiting)

    def _let_in(self) -> None:
        while self._at_work < self.places and self._somebody_waits():
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
