"""What one player is asked or told, by the house or by another player, where he will see it."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import NOBODY, ChannelGone, DirectMessagesClosed, Ping, Post, Undelivered
from bot.play.table import Table
from bot.ui.page import Page
from db.ids import ChannelId, MessageId, PersonId
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


Words = Callable[[PersonId | None], Page]
"""Makes a page; in the channel it has to name the person, so that it notifies."""


async def tell(
    people: People, post: Post, table: Table, seat: Seat, words: Words, *, only_calls: bool = False
) -> tuple[ChannelId, MessageId] | None:
    """Tell one player something: by direct message, else in the channel; where it stands.

    Who wants no calls (`/gin settings`) reads it silently in either place; what does nothing but
    call (``only_calls``) isn't said to him in the channel, nor to one who has left.
    None where nothing was said.
    """
    person = table.people[seat]
    wants_calls = (await people.wishes(person)).calls
    try:
        channel = await people.direct_channel(person)
        if channel is not None:
            page = words(None)
            return channel, await post.send(
                channel, page, urgency=Urgency.TURN, silent=not wants_calls
            )
    except (DirectMessagesClosed, ChannelGone):
        await people.closed(person)
    except Undelivered:
        log.info("not told by direct message", match=table.id, seat=str(seat))
    if only_calls and (not wants_calls or await people.has_left(table.row.server_id, person)):
        return None
    try:
        message = await post.send(
            table.channel,
            words(person),
            urgency=Urgency.TURN,
            ping=Ping((person,)) if wants_calls else NOBODY,
            silent=not wants_calls,
        )
    except Undelivered:  # an offer stands all the same: `/gin cancel` agrees to it
        log.warning("not told", match=table.id, seat=str(seat))
        return None
    return table.channel, message
