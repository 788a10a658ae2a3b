"""Pace: how much one person may ask of the bot in a short time. In memory, and cheap."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from db.ids import PersonId

WINDOW: Final = timedelta(seconds=10)
KEYS_AN_ACT: Final = 5
"""So many times somebody may ask for suggestions on the way to each act."""
PEOPLE_REMEMBERED: Final = 10_000


class Pace:
    """Counts each person's interactions of the last ten seconds.

    ``most`` of them are served; 0 means that nobody counts. What is refused isn't counted, so
    whoever waits is served again.
    """

    def __init__(self, most: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._times: OrderedDict[PersonId, deque[float]] = OrderedDict()
        self._told: OrderedDict[PersonId, float] = OrderedDict()
        """When somebody who wasn't served was told so last."""

    def of_keys(self) -> Pace:
        """The same for suggestions, which are asked for with every key: several to one act."""
        return Pace(self._most * KEYS_AN_ACT, self._clock)

    def allows(self, person: PersonId) -> bool:
        """Whether this interaction is to be served; counts it if so."""
        if not self._most:
            return True
        now = self._clock()
        times = self._times.setdefault(person, deque())
        self._times.move_to_end(person)
        while len(self._times) > PEOPLE_REMEMBERED:
            self._times.popitem(last=False)
        while times and now - times[0] >= WINDOW.total_seconds():
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        return True

    def tells(self, person: PersonId) -> bool:
        """Whether somebody who isn't served is to be told so: not again in the same ten seconds."""
        now = self._clock()
        told = self._told.get(person)
        if told is not None and now - told < WINDOW.total_seconds():
            return False
        self._told[person] = now
        self._told.move_to_end(person)
        while len(self._told) > PEOPLE_REMEMBERED:
            self._told.popitem(last=False)
        return True
