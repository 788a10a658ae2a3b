"""The record: posts what stands anew, remembers where, and takes away what it replaces."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import structlog
from discord.utils import snowflake_time

from bot.mail.governor import Urgency
from bot.mail.post import NOBODY, ChannelGone, Ping, Post, Undelivered
from bot.now import Now
from bot.play.table import Table
from bot.shown.attempts import Attempt, Attempts, Place
from bot.shown.leftovers import Leftovers
from bot.shown.notes import Notes
from bot.shown.standing import Standing
from bot.shown.strays import Strays
from bot.ui.page import Page
from db.ids import ChannelId, MatchId, MessageId
from db.rows import ShownKind, ShownRow
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

NOTED_FOR: Final = timedelta(days=7)
"""So long it is noted that a message has to go."""
KEPT: Final = 1_000
"""Messages that are remembered as deleted: of a press is heard within seconds."""


class Record:
    """Where each part of each match stands, as it comes and goes.

    ``once_more`` has a part of a match shown again, whose message shows less than it must.
    """

    def __init__(
        self,
        notes: Notes,
        post: Post,
        strays: Strays,
        once_more: Callable[[tuple[MatchId, int]], None],
        now: Now,
        generation: int = 0,
    ) -> None:
        self._notes = notes
        self._post = post
        self._strays = strays
        self._once_more = once_more
        self._now = now
        self._attempts = Attempts(now, self._lost, generation)
        self._gone: OrderedDict[tuple[MatchId, ShownKind, int], MessageId] = OrderedDict()
        """The last message of a part that stands nowhere since."""
        self.left: set[tuple[MatchId, int]] = set()
        """Parts of which an old message could not be deleted when that was last tried."""
        self._deleted: OrderedDict[tuple[ChannelId, MessageId], None] = OrderedDict()
        """Those deleted last: of one that was pressed just before, it is heard only after."""
        self.leftovers = Leftovers(once_more, now)

    async def stand(
        self,
        table: Table,
        place: Place,
        page: Page,
        *,
        urgency: Urgency,
        silent: bool = False,
        ping: Ping = NOBODY,
        instead_of: ShownRow | None = None,
    ) -> None:
        """Post a part anew, once, and remember where it stands; raise `Undelivered`.

        Where that can't be remembered, the next attempt is to remember the same message.
        """
        kind, seat, channel = place
        gone = self._gone.get((table.id, kind, seat), MessageId(0))
        before = gone if instead_of is None else max(gone, instead_of.message_id)
        with self._attempts.attempt(table, place, before) as tried:
            if tried.message is None:
                tried.message = await self._post.send(
                    channel, page, urgency=urgency, silent=silent, ping=ping, once=tried.name
                )
            replaced = await self._stands(table.id, place, tried.message, tried.version)
        if replaced is not None:
            await self.remove(replaced)
        if tried.version < table.head:
            self._once_more((table.id, seat))

    def is_trying(self, table: Table, place: Place) -> bool:
        """Whether a newer message than the one that is noted may stand there, so `stand` finds it.

        To edit the one that is noted would leave two.
        """
        return self._attempts.is_open(table.id, place)

    async def note(
        self,
        match: MatchId,
        place: Place,
        message: MessageId,
        version: int,
        *,
        pressed: bool = False,
    ) -> None:
        """Remember where a part stands, and delete the message in whose place it came.

        One that was ``pressed`` stood before; a newer one than the one that is noted has come
        unheard then.
        """
        kind, seat, _channel = place
        known = await self._notes.noted(match, kind, seat)
        replaced = await self._stands(match, place, message, version)
        if pressed and (known is None or message > known.message_id):
            self._attempts.found(match, place, message)
            if self._strays.are_beside(match, (seat,)):
                self._once_more((match, seat))
        if replaced is not None:
            await self.remove(replaced)

    async def answered(
        self,
        match: MatchId,
        place: Place,
        message: MessageId,
        version: int,
        *,
        pressed: bool = False,
    ) -> None:
        """The same for a message that an answer has changed: it may have been deleted since."""
        _kind, seat, channel = place
        if (channel, message) in self._deleted:
            self._once_more((match, seat))
        else:
            await self.note(match, place, message, version, pressed=pressed)

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
        if row.kind is not ShownKind.OLD:
            self._stood(row.match_id, row.kind, row.seat, row.message_id)
            old = await self._notes.gone(row)
            if old is None:  # it was pressed meanwhile, and is the hand now
                return
            row = old
        await self.remove(row)

    def _stood(self, match: MatchId, kind: ShownKind, seat: int, message: MessageId) -> None:
        self._gone[match, kind, seat] = message
        self._gone.move_to_end((match, kind, seat))
        if len(self._gone) > KEPT:
            self._gone.popitem(last=False)

    async def remove_strays(self, standing: Standing, part: int) -> None:
        """Delete what stands beside a part that was just shown; raise `TryLater`."""
        table = standing.table
        row = self._notes.table(table.id) or standing.on_table

        def is_over(place: Place, tried: Attempt) -> bool:
            kind, _seat, channel = place
            if _part_of(place) != part or kind is ShownKind.HAND:
                return False
            if kind is ShownKind.TABLE:
                return channel not in (table.channel, row and row.channel_id)
            return not table.awaits(Seat(part)) or tried.version < table.turn_since(Seat(part))

        self._attempts.close(table.id, is_over)
        for stray in await self._strays.to_go((table.id, part)):
            await self.remove(stray)

    def _lost(self, match: MatchId, place: Place, message: MessageId | None) -> None:
        """A message may stand there that no attempt will find; its id, where that is known."""
        kind, _seat, channel = place
        part = match, _part_of(place)
        if message is not None:
            self._strays.seen(part, kind, channel, message)
        elif kind in (ShownKind.TABLE, ShownKind.HAND):
            self._strays.suspect(part, channel)

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
                self.leftovers.went(row.message_id)
                await self._notes.let_be(row.match_id, row.kind, row.seat)
            elif self.leftovers.failed(row, error):
                self.left.add((row.match_id, row.whose))
            return
        self.leftovers.went(row.message_id)
        self._deleted[row.channel_id, row.message_id] = None
        if len(self._deleted) > KEPT:
            self._deleted.popitem(last=False)
        stood = await self._notes.deleted(row)
        if stood is not None:
            self._stood(stood.match_id, stood.kind, stood.seat, stood.message_id)
            self._once_more((stood.match_id, stood.seat))


def _part_of(place: Place) -> int:
    """The seat for which something stands, or of whose leaving it tells; or `TABLE_SEAT`."""
    kind, seat, _channel = place
    return seat % len(Seat) if kind is ShownKind.GONE else seat
