"""Questions: what one player asks the others, where they will see it."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import DirectMessagesClosed, Ping, Post, Undelivered
from bot.play.table import Table
from bot.ui.page import Page
from db.ids import PersonId
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def ask_others(
    people: People,
    post: Post,
    table: Table,
    seat: Seat,
    question: Callable[[PersonId | None], Page],
) -> None:
    """Ask everybody but ``seat``: by direct message, else in the channel.

    ``question`` makes the page; in the channel it has to name the person, so that it notifies.
    """
    for other, person in enumerate(table.people):
        if other == seat:
            continue
        try:
            channel = await people.direct_channel(person)
            if channel is not None:
                await post.send(channel, question(None), urgency=Urgency.TURN)
                continue
        except DirectMessagesClosed:
            await people.closed(person)
        except Undelivered:
            log.info("question not delivered", match=table.id, seat=other)
        try:
            await post.send(
                table.channel, question(person), urgency=Urgency.TURN, ping=Ping((person,))
            )
        except Undelivered:  # the offer stands all the same: `/gin cancel` agrees to it
            log.warning("question lost", match=table.id, seat=other)
