"""Whispers: private answers that show somebody's hand, kept true for as long as Discord lets us.

Who takes no direct messages plays from such answers ("only you can see this"). They can be
changed with the token of the interaction that they answer, for a quarter of an hour. Kept in
memory alone (a token is a key, and the database goes into backups): when one is lost, *My hand*
gives another. So exposed cards that one shows are put away while that can be done still: when the
token is nearly over, and when the bot is stopped.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.mail.post import TOKEN_LASTS, Post, PrivatePlace, TryLater, Undelivered
from bot.play.table import Table
from bot.ui.language import _
from bot.ui.page import MatchShown, Page
from bot.ui.pages import panel_page
from db.ids import MatchId
from gin import Seat
from gin.rules import IllegalKnock

EXPOSES_FOR: Final = timedelta(minutes=13)
"""Exposed cards are put away then: a minute later nothing could take them from there any more."""
WATCHED_EVERY: Final = timedelta(seconds=20)
"""Answers are looked through this often, as long as there are any."""
KEPT: Final = 10_000
"""So many are remembered at most; the oldest go first."""

_Key = tuple[MatchId, Seat]


@dataclass(frozen=True, slots=True)
class _Whisper:
    place: PrivatePlace
    version: int
    said_at: datetime
    may_expose: bool
    """Whether its match may show a player another's cards, as far as is known."""
    put_away: bool = False
    """Whether it shows no exposed cards any more, though they may be looked at still."""


class Whispers:
    """The newest private answer with each seat's hand."""

    def __init__(
        self,
        post: Post,
        now: Callable[[], datetime],
        remembered: Callable[[MatchId], Table | None],
        changed: Callable[[MatchId], None],
    ) -> None:
        self._post = post
        self._now = now
        self._remembered = remembered
        self._changed = changed
        self._kept: OrderedDict[_Key, _Whisper] = OrderedDict()
        self._left: dict[_Key, list[_Whisper]] = {}
        """Older ones that could not be taken away yet."""
        self._watching: asyncio.TimerHandle | None = None
        self._is_closing = False

    def close(self) -> frozenset[MatchId]:
        """From now on exposed cards are put away; gives the matches in which some may stand."""
        self._is_closing = True
        if self._watching is not None:
            self._watching.cancel()
        return frozenset({*self._exposed(), *(match for match, _seat in self._left)})

    def _watch_soon(self) -> None:
        if self._watching is None and self._kept and not self._is_closing:
            loop = asyncio.get_running_loop()
            self._watching = loop.call_later(WATCHED_EVERY.total_seconds(), self._watch)

    def _watch(self) -> None:
        """Forget answers that nothing reaches any more; have exposed cards put away before."""
        self._watching = None
        for match in self._exposed():
            self._changed(match)
        self._watch_soon()

    def _exposed(self) -> set[MatchId]:
        """The matches in which exposed cards may have to be put away; forgets what is too old."""
        matches: set[MatchId] = set()
        for (match, seat), kept in list(self._kept.items()):  # the oldest come first
            if not self._ends(kept):
                break
            table = self._remembered(match)
            if not self._is_reached(kept):
                del self._kept[match, seat]
            elif kept.put_away or not kept.may_expose:
                continue
            elif table is None or exposes(table, seat):
                matches.add(match)
        return matches

    async def said(self, match: MatchId, seat: Seat, version: int, place: PrivatePlace) -> None:
        """Remember an answer that shows a seat's hand at a version; take the one before away.

        The one before would go on looking as if it could be played from.
        """
        before = self._newest(match, seat)
        table = self._remembered(match)
        may_expose = table is None or _may_expose(table)
        self._kept[match, seat] = _Whisper(place, version, self._now(), may_expose)
        self._kept.move_to_end((match, seat))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        if before is not None and before.place.message != place.message:
            self._left.setdefault((match, seat), []).append(before)
            await self._tidy(match, seat)
        table = self._remembered(match)
        if table is None or self.is_behind(table, seat):
            self._changed(match)
        self._watch_soon()

    async def _tidy(self, match: MatchId, seat: Seat) -> None:
        """Take older answers away; what only failed for now is tried again."""
        for old in self._left.pop((match, seat), []):
            if not self._is_reached(old):
                continue
            try:
                await self._post.delete_private(old.place)
            except TryLater:
                self._left.setdefault((match, seat), []).append(old)
            except Undelivered:
                continue

    def is_behind(self, table: Table, seat: Seat) -> bool:
        """Whether an answer stands that shows less than it must, or what it may not much longer."""
        if any(self._is_reached(old) for old in self._left.get((table.id, seat), ())):
            return True
        kept = self._newest(table.id, seat)
        return kept is not None and self._has_to_change(table, seat, kept)

    def _has_to_change(self, table: Table, seat: Seat, kept: _Whisper) -> bool:
        return kept.version < table.due(seat) or (
            self._ends(kept) and not kept.put_away and exposes(table, seat)
        )

    def _ends(self, kept: _Whisper) -> bool:
        return self._is_closing or self._now() - kept.said_at >= EXPOSES_FOR

    async def shows(
        self, table: Table, seat: Seat, shown: Callable[[], Awaitable[MatchShown]]
    ) -> bool:
        """Bring a seat's answer up to date if it is behind; whether one stands that shows all.

        ``shown`` gives the match as this seat may see it. Nothing is raised: an answer that can't
        be changed any more is forgotten.
        """
        await self._tidy(table.id, seat)
        kept = self._newest(table.id, seat)
        if kept is None:
            return False
        if not self._has_to_change(table, seat, kept):
            return True
        puts_away = self._ends(kept)
        try:
            page = (without_exposed if puts_away else panel_page)(await shown())
            await self._post.edit_private(kept.place, page)
        except TryLater:
            return False
        except Undelivered:
            self.forget(table.id, seat, kept.place)
            return False
        now = self._newest(table.id, seat)
        if now is kept:
            self._kept[table.id, seat] = replace(kept, version=table.head, put_away=puts_away)
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
        if kept is None or self._is_reached(kept):
            return kept
        del self._kept[match, seat]
        return None

    def _is_reached(self, kept: _Whisper) -> bool:
        """Whether Discord still takes its token."""
        return self._now() - kept.said_at < TOKEN_LASTS


def exposes(table: Table, seat: Seat) -> bool:
    """Whether a seat may look at another's exposed cards now."""
    if not _may_expose(table):
        return False
    hand = table.view(seat).hand
    return hand is not None and hand.looked_at is not None


def _may_expose(table: Table) -> bool:
    return table.match.rules.illegal_knock is IllegalKnock.EXPOSE


def without_exposed(shown: MatchShown) -> Page:
    """A player's panel without the exposed cards that he may look at still, if there are any."""
    hand = shown.view.hand
    if hand is None or hand.looked_at is None:
        return panel_page(shown)
    hidden = replace(shown, view=replace(shown.view, hand=replace(hand, looked_at=None)))
    return panel_page(
        hidden,
        _("I've put the exposed cards away. While you may look, `/gin hand` shows them again."),
    )
