"""Reminders: that time runs, kept true when the deadline moves or the clock stands still."""

from __future__ import annotations

import structlog

from bot.mail.governor import Urgency
from bot.mail.post import Post, TryLater, Undelivered
from bot.play.table import Table
from bot.shown.record import Record
from bot.shown.sight import Sight
from bot.shown.standing import Standing
from bot.ui.page import MatchShown
from bot.ui.pages.clocks import reminder_page
from db.rows import ShownKind, ShownRow
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Reminders:
    """Changes the reminders that stand. When a turn is over they go with everything else."""

    def __init__(self, post: Post, record: Record, sight: Sight) -> None:
        self._post = post
        self._record = record
        self._sight = sight

    async def keep_true(self, standing: Standing, seat: Seat) -> None:
        """Where the clock has changed, let a seat's reminder say so; raise `TryLater`.

        A clock that stands still hurries nobody: the reminder goes, and so does the word that it
        runs again after a vacation.
        """
        kinds = ShownKind.REMINDER, ShownKind.BACK
        stand = [row for kind in kinds if (row := standing.rows.get((kind, seat))) is not None]
        over = standing.calls_over(seat)
        left = [row for row in stand if row not in over]
        if not left or seat not in standing.again:
            return
        shown = await self._sight.of(standing.table, None, standing.on_table)
        if shown.deadline is None:
            for row in left:
                await self._record.take_away(row)
            return
        if left[0].kind is ShownKind.REMINDER and not shown.time_is_up:
            await self._edit(standing.table, seat, left[0], shown)

    async def _edit(self, table: Table, seat: Seat, row: ShownRow, shown: MatchShown) -> None:
        called = table.people[seat] if row.channel_id == table.channel else None
        page = reminder_page(shown, seat, called)
        try:
            await self._post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TIDY)
        except TryLater:
            raise
        except Undelivered:
            log.info("reminder not changed", match=table.id, seat=str(seat))
