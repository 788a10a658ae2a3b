"""The record: posts what stands anew, remembers where, and takes away what it replaces."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from discord.utils import snowflake_time

from bot.mail.governor import Urgency
from bot.mail.post import NOBODY, ChannelGone, Ping, Post, TryLater, Undelivered
from bot.now import Now
from bot.play.table import Table
from bot.shown.attempts import Attempts, name_of
from bot.shown.notes import Notes
from bot.ui.page import Page
from db.ids import ChannelId, MatchId, MessageId
from db.rows import ShownKind, ShownRow

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TRIED_FOR: Final = timedelta(hours=1)
"""So long it is tried again and again to delete a message; then now and then, and at each start."""
LEFT_ALONE_FOR: Final = timedelta(hours=1)
"""What can't be deleted, from then on, or at once where Discord refuses it."""
NOTED_FOR: Final = timedelta(days=7)
"""So long it is noted that a message has to go."""
KEPT: Final = 1_000
"""Messages that are remembered as deleted: of a press is heard within seconds; the same number of
those that are left alone."""

Place = tuple[ShownKind, int, ChannelId]
"""Which part of a match is shown in which channel: its kind, and the seat."""


@dataclass(frozen=True, slots=True)
class _Failed:
    """A message that could not be deleted: since when, and from when on it is tried again."""

    since: datetime
    again: datetime


class Record:
    """Where each part of each match stands, as it comes and goes.

    ``once_more`` has a part of a match shown again, whose message shows less than it must.
    """

    def __init__(
        self, notes: Notes, post: Post, once_more: Callable[[tuple[MatchId, int]], None], now: Now
    ) -> None:
        self._notes = notes
        self._post = post
        self._once_more = once_more
        self._now = now
        self._attempts = Attempts(now)
        self.left: set[tuple[MatchId, int]] = set()
        """Parts of which an old message could not be deleted when that was last tried."""
        self._deleted: OrderedDict[tuple[ChannelId, MessageId], None] = OrderedDict()
        """Those deleted last: of one that was pressed just before, it is heard only after."""
        self._failed: OrderedDict[MessageId, _Failed] = OrderedDict()

    async def stand(
        self,
        table: Table,
        place: Place,
        page: Page,
        *,
        urgency: Urgency,
        silent: bool = False,
        ping: Ping = NOBODY,
    ) -> None:
        """Post a part anew, once, and remember where it stands; raise `Undelivered`.

        Where that can't be remembered, the next attempt is given the same message.
        """
        kind, seat, channel = place
        with self._attempts.attempt(table, kind, seat, channel) as version:
            message = await self._post.send(
                channel,
                page,
                urgency=urgency,
                silent=silent,
                ping=ping,
                once=name_of(table, kind, seat, channel, version),
            )
            replaced = await self._stands(table.id, place, message, version)
        if replaced is not None:
            await self.remove(replaced)
        if version < table.head:
            self._once_more((table.id, seat))

    def is_trying(self, table: Table, place: Place) -> bool:
        """Whether a newer message than the one that is noted may stand there, so `stand` finds it.

        To edit the one that is noted would leave two.
        """
        return self._attempts.is_open(table.id, *place)

    async def note(self, match: MatchId, place: Place, message: MessageId, version: int) -> None:
        """Remember where a part stands, and delete the message in whose place it came."""
        kind, seat, _channel = place
        known = await self._notes.noted(match, kind, seat)
        replaced = await self._stands(match, place, message, version)
        if known is None or message > known.message_id:  # not an old one that was pressed
            self._attempts.found(match, *place)
        if replaced is not None:
            await self.remove(replaced)

    async def answered(
        self, match: MatchId, place: Place, message: MessageId, version: int
    ) -> None:
        """The same for a message that an answer has changed: it may have been deleted since."""
        _kind, seat, channel = place
        if (channel, message) in self._deleted:
            self._once_more((match, seat))
        else:
            await self.note(match, place, message, version)

    async def _stands(
        self, match: MatchId, place: Place, message: MessageId, version: int
    ) -> ShownRow | None:
        kind, seat, channel = place
        posted_at = snowflake_time(message)  # an old message may have come back to life
        return await self._notes.stands(
            ShownRow(match, kind, seat, channel, message, version, posted_at)
        )

    async def take_away(self, row: ShownRow) -> None:
        """Note that a message has to go, and delete it."""
        await self.remove(row if row.kind is ShownKind.OLD else await self._notes.gone(row))

    async def remove(self, row: ShownRow) -> None:
        """Delete a message that is noted as one that has to go (`ShownKind.OLD`).

        Where that can't be just now it stays noted, also over a stop and a kill, and is tried
        again: its controls live, and exposed cards may stand on it.
        """
        try:
            await self._post.delete(row.channel_id, row.message_id)
        except Undelivered as error:
            log.info("left behind", match=row.match_id, part=row.whose)
            if isinstance(error, ChannelGone) or self._now() - row.posted_at >= NOTED_FOR:
                self._failed.pop(row.message_id, None)
                await self._notes.let_be(row.match_id, row.kind, row.seat)
            else:
                self._failed_to_go(row, error)
            return
        self._failed.pop(row.message_id, None)
        self._deleted[row.channel_id, row.message_id] = None
        if len(self._deleted) > KEPT:
            self._deleted.popitem(last=False)
        if await self._notes.deleted(row):
            self._once_more((row.match_id, row.whose))

    def _failed_to_go(self, row: ShownRow, error: Undelivered) -> None:
        now = self._now()
        before = self._failed.pop(row.message_id, None)
        since = now if before is None else before.since
        if isinstance(error, TryLater) and now - since < TRIED_FOR:
            self._failed[row.message_id] = _Failed(since, now)
            self.left.add((row.match_id, row.whose))
        else:
            self._failed[row.message_id] = _Failed(since, now + LEFT_ALONE_FOR)
        if len(self._failed) > KEPT:
            self._failed.popitem(last=False)

    def is_left_alone(self, row: ShownRow) -> bool:
        """Whether this is a message that has to go but can't, so that it isn't tried for now."""
        failed = self._failed.get(row.message_id) if row.kind is ShownKind.OLD else None
        return failed is not None and self._now() < failed.again
