"""Leftovers: messages that have to go, but that Discord doesn't delete.

For an hour each is tried again and again, where Discord only fails; after that, or at once where
Discord refuses it, once an hour, and when what is allowed there may have changed.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.mail.post import TryLater, Undelivered
from bot.now import Now
from db.ids import MatchId, MessageId
from db.rows import ShownKind, ShownRow

TRIED_FOR: Final = timedelta(hours=1)
"""So long it is tried again and again to delete a message; then now and then, and at each start."""
LEFT_ALONE_FOR: Final = timedelta(hours=1)
"""What can't be deleted, from then on, or at once where Discord refuses it."""
KEPT: Final = 1_000
"""So many are left alone; more are tried whenever their part is shown."""
SOON: Final = timedelta(milliseconds=1)

Part = tuple[MatchId, int]


@dataclass(frozen=True, slots=True)
class _Failed:
    """A message that could not be deleted: since when, and from when on it is tried again."""

    row: ShownRow
    since: datetime
    again: datetime
    is_alone: bool = False
    """Whether nobody else tries it again: it has been left alone."""

    @property
    def part(self) -> Part:
        return self.row.match_id, self.row.whose


class Leftovers:
    """Which they are. ``once_more`` has a part shown again, so that its messages are tried."""

    def __init__(self, once_more: Callable[[Part], None], now: Now) -> None:
        self._once_more = once_more
        self._now = now
        self._failed: OrderedDict[MessageId, _Failed] = OrderedDict()
        """The one that failed last comes last."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def failed(self, row: ShownRow, error: Undelivered) -> bool:
        """Note that one could not be deleted; give whether that is to be tried again right away."""
        now = self._now()
        before = self._failed.pop(row.message_id, None)
        since = now if before is None else before.since
        is_alone = not isinstance(error, TryLater) or now - since >= TRIED_FOR
        again = now + LEFT_ALONE_FOR if is_alone else now
        self._failed[row.message_id] = _Failed(row, since, again, is_alone)
        if len(self._failed) > KEPT:
            self._failed.popitem(last=False)
        self._wake_later()
        return not is_alone

    def went(self, message: MessageId) -> None:
        """Note that one is no leftover any more."""
        self._failed.pop(message, None)

    def is_left_alone(self, row: ShownRow) -> bool:
        """Whether this is a message that has to go but can't, so that it isn't tried for now."""
        failed = self._failed.get(row.message_id) if row.kind is ShownKind.OLD else None
        return failed is not None and self._now() < failed.again

    @property
    def matches(self) -> frozenset[MatchId]:
        """The matches with a message that is left alone."""
        return frozenset(one.row.match_id for one in self._failed.values() if one.is_alone)

    def try_again(self, matches: Collection[MatchId]) -> None:
        """Something has changed where these matches are: try theirs at once."""
        self._try([one for one in self._alone() if one.row.match_id in matches])

    def close(self) -> None:
        """Wake nobody any more."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _alone(self) -> list[_Failed]:
        return [one for one in self._failed.values() if one.is_alone]

    def _try(self, some: list[_Failed]) -> None:
        for one in some:
            self._failed[one.row.message_id] = _Failed(one.row, one.since, self._now())
        for part in sorted({one.part for one in some}):
            self._once_more(part)

    def _wake_later(self) -> None:
        if self._timer is not None or self._is_closed:
            return
        alone = self._alone()
        if alone:
            wait = min(max(min(one.again for one in alone) - self._now(), SOON), LEFT_ALONE_FOR)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wait.total_seconds(), self._wake)

    def _wake(self) -> None:
        """Try what was left alone for long enough, also of matches in which nobody plays."""
        self._timer = None
        now = self._now()
        self._try([one for one in self._alone() if one.again <= now])
        self._wake_later()
