"""Doubles: the second click on a control whose first click has just done what it says.

The first is what counts. The second finds the match gone past the moment of its control, and the
person needs no word of that: what he sees is what he did himself.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.front.visit import Visit
from db.ids import InteractionId, MessageId, PersonId

COUNTS_FOR: Final = timedelta(seconds=10)
"""A press that comes later is another one, not a double."""
KEPT: Final = 1_000
"""So many presses are remembered at most; the oldest go first."""

_Key = tuple[PersonId, MessageId, str]


@dataclass(frozen=True, slots=True)
class _First:
    interaction: InteractionId
    at: datetime


class Doubles:
    """The newest presses that act, or are about to."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, _First] = OrderedDict()

    def begins(self, visit: Visit, now: datetime) -> None:
        """Note that somebody pressed a control (that he chose this of a select)."""
        key = _key(visit)
        if key is None:
            return
        first = self._kept.get(key)
        if first is not None and now - first.at < COUNTS_FOR:
            return
        self._kept[key] = _First(visit.interaction, now)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def did_nothing(self, visit: Visit) -> None:
        """Note that a press changed nothing: one that comes after it is no double of an act."""
        key = _key(visit)
        first = None if key is None else self._kept.get(key)
        if key is not None and first is not None and first.interaction == visit.interaction:
            del self._kept[key]

    def is_one(self, visit: Visit) -> bool:
        """Whether the same person has just acted by the same control of the same message."""
        key = _key(visit)
        first = None if key is None else self._kept.get(key)
        return first is not None and first.interaction != visit.interaction


def _key(visit: Visit) -> _Key | None:
    if visit.message is None or not visit.pressed:
        return None
    return visit.person, visit.message, visit.pressed
