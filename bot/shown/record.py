"""The record: posts what stands anew, remembers where, and takes away what it replaces."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import structlog
from discord.utils import snowflake_time

from bot.mail.governor import Urgency
from bot.mail.post import NOBODY, Ping, Post, TryLater, Undelivered
from bot.now import Now
from bot.play.table import Table
from bot.shown.attempts import Attempts, name_of
from bot.shown.notes import Notes
from bot.ui.page import Page
from db.ids import ChannelId, MatchId, MessageId
from db.rows import ShownKind, ShownRow

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TRIED_FOR: Final = timedelta(hours=1)
"""To delete an old hand."""
KEPT: Final = 1_000
"""Deleted hands that are remembered: a press is heard of within seconds."""

Place = tuple[ShownKind, int, ChannelId]
"""Which part of a match is shown in which channel: its kind, and the seat."""


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
        """Whose old hands could not be deleted when that was last tried."""
        self._deleted: OrderedDict[MessageId, None] = OrderedDict()
        """The hands deleted last: of one that was pressed just before, it is heard only after."""

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
        if message in self._deleted:
            self._once_more((match, seat))
            return
        known = await self._notes.noted(match, kind, seat)
        replaced = await self._stands(match, place, message, version)
        if known is None or message > known.message_id:  # not an old one that was pressed
            self._attempts.found(match, *place)
        if replaced is not None:
            await self.remove(replaced)

    async def _stands(
        self, match: MatchId, place: Place, message: MessageId, version: int
    ) -> ShownRow | None:
        kind, seat, channel = place
        posted_at = snowflake_time(message)  # an old message may have come back to life
        return await self._notes.stands(
            ShownRow(match, kind, seat, channel, message, version, posted_at)
        )

    async def take_away(self, row: ShownRow) -> None:
        """Note that a part stands nowhere any more, and delete its message."""
        await self.remove(await self._notes.gone(row))

    async def remove(self, row: ShownRow) -> None:
        """Delete a message that has to go.

        An old hand that can't be deleted just now stays noted, also over a stop and a kill, and
        is tried again: exposed cards may stand on it. If another message can't, that only looks
        untidy.
        """
        is_old_hand = row.kind is ShownKind.OLD
        try:
            await self._post.delete(row.channel_id, row.message_id)
        except Undelivered as error:
            log.info("left behind", match=row.match_id, kind=row.kind.value)
            is_new = self._now() - row.posted_at < TRIED_FOR
            if is_old_hand and isinstance(error, TryLater) and is_new:
                self.left.add((row.match_id, row.whose))
            elif is_old_hand:
                await self._notes.given_up(row)
            return
        if not is_old_hand:
            return
        self._deleted[row.message_id] = None
        if len(self._deleted) > KEPT:
            self._deleted.popitem(last=False)
        if await self._notes.deleted(row):
            self._once_more((row.match_id, row.whose))
