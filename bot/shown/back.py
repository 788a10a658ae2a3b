"""Back: a line for each channel in which people saw an old table while the bot was away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

import structlog

from bot.mail.governor import Urgency
from bot.mail.post import Post, Undelivered
from bot.ui.pages import note_page
from bot.ui.pages.places import away_words
from db.rows import ShownKind, ShownRow

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

AWAY_FOR_LONG: Final = timedelta(minutes=2)
"""A restart takes seconds, which nobody need be told."""


async def say_back(post: Post, redrawn: Iterable[ShownRow], away: timedelta) -> None:
    """Say it once a channel, calling nobody, where a table had to be ``redrawn``."""
    if away < AWAY_FOR_LONG:
        return
    page = note_page(away_words(round(away.total_seconds() / 60)))
    for channel in sorted({row.channel_id for row in redrawn if row.kind is ShownKind.TABLE}):
        try:
            await post.send(channel, page, urgency=Urgency.TIDY, silent=True)
        except Undelivered:
            log.info("not said to be back", channel=channel)
