"""Whispers: private answers that show somebody's hand, kept true for as long as Discord lets us.

Who takes no direct messages plays from such answers ("only you can see this"). They can be
changed with the token of the interaction that they answer, for a quarter of an hour. Kept in
memory alone: when one is lost, *My hand* gives another.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.mail.post import Post, PrivatePlace, TryLater, Undelivered
from bot.play.table import Table
from bot.ui.page import Page
from db.ids import MatchId
from gin import Seat

LASTS: Final = timedelta(minutes=14)
"""Discord takes an interaction's token for fifteen minutes."""
KEPT: Final = 10_000
"""So many are remembered at most; the oldest go first."""

_Key = tuple[MatchId, Seat]


@dataclass(frozen=True, slots=True)
class _Whisper:
    place: PrivatePlace
    version: int
    said_at: datetime


class Whispers:
    """The newest private answer with each seat's hand."""

    def __init__(self, post: Post, now: Callable[[], datetime]) -> None:
        self._post = post
        self._now = now
        self._kept: OrderedDict[_Key, _Whisper] = OrderedDict()

    async def said(self, match: MatchId, seat: Seat, version: int, place: PrivatePlace) -> None:
        """Remember an answer that shows a seat's hand at a version; take the one before away.

        The one before would go on looking as if it could be played from.
        """
        before = self._newest(match, seat)
        self._kept[match, seat] = _Whisper(place, version, self._now())
        self._kept.move_to_end((match, seat))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        if before is not None and before.place.message != place.message:
            try:
                await self._post.delete_private(before.place)
            except Undelivered:
                return  # it only looks untidy

    def is_behind(self, table: Table, seat: Seat) -> bool:
        """Whether an answer stands that shows less than it must."""
        kept = self._newest(table.id, seat)
        return kept is not None and kept.version < table.due(seat)

    async def shows(self, table: Table, seat: Seat, page: Callable[[], Awaitable[Page]]) -> bool:
        """Bring a seat's answer up to date if it is behind; whether one stands that shows all.

        Nothing is raised: an answer that can't be changed any more is forgotten.
        """
        kept = self._newest(table.id, seat)
        if kept is None:
            return False
        if kept.version >= table.due(seat):
            return True
        try:
            await self._post.edit_private(kept.place, await page())
        except TryLater:
            return False
        except Undelivered:
            self.forget(table.id, seat, kept.place)
            return False
        now = self._newest(table.id, seat)
        if now is kept:
            self._kept[table.id, seat] = replace(kept, version=table.head)
        elif now is not None and now.place.message == kept.place.message:
            # An answer to a press changed it meanwhile; nobody knows which of the two landed last.
            self._kept[table.id, seat] = replace(now, version=0)
        return True

    def forget(self, match: MatchId, seat: Seat, place: PrivatePlace | None = None) -> None:
        """Know nothing of a seat's answer any more (of ``place`` only, where that is given)."""
        kept = self._kept.get((match, seat))
        if kept is not None and place in (None, kept.place):
            del self._kept[match, seat]

    def _newest(self, match: MatchId, seat: Seat) -> _Whisper | None:
        kept = self._kept.get((match, seat))
        if kept is None or self._now() - kept.said_at < LASTS:
            return kept
        del self._kept[match, seat]
        return None
