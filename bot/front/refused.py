"""Refused: the private note that said last what was wrong with a form, for each person and channel.

Who gets a form wrong several times would have as many notes standing one below another, each of
which but the last is old. So the newest takes the place of the one before, and a form that is
right takes it away. Discord lets us do so for a quarter of an hour; kept in memory alone.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from typing import Final

from bot.mail.post import TOKEN_LASTS, PrivatePlace
from db.ids import ChannelId, PersonId

KEPT: Final = 1_000
"""So many are remembered at most; the oldest go first."""


class Refused:
    """Where the newest refusal of a form stands."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[PersonId, ChannelId], tuple[PrivatePlace, datetime]] = (
            OrderedDict()
        )

    def put(
        self, person: PersonId, channel: ChannelId, place: PrivatePlace | None, now: datetime
    ) -> PrivatePlace | None:
        """Note where a refusal stands (None: none does); return the one to be taken away."""
        before = self._kept.pop((person, channel), None)
        if place is not None:
            self._kept[person, channel] = place, now
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        if before is None or now - before[1] >= TOKEN_LASTS:
            return None
        return before[0]
