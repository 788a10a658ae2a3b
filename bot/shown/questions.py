"""What one player asks or tells another, where that one will see it."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import DirectMessagesClosed, Ping, Post, Undelivered
from bot.play.table import Table
from bot.ui.page import Page
from db.ids import ChannelId, MessageId, PersonId
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


Words = Callable[[PersonId | None], Page]
"""Makes a page; in the channel it has to name the person, so that it notifies."""


async def tell(
    people: People, post: Post, table: Table, seat: Seat, words: Words
) -> tuple[ChannelId, MessageId] | None:
    """Tell one player something: by direct message, else in the channel; where it stands."""
    person = table.people[seat]
    try:
        channel = await people.direct_channel(person)
        if channel is not None:
            return channel, await post.send(channel, words(None), urgency=Urgency.TURN)
    except DirectMessagesClosed:
        await people.closed(person)
    except Undelivered:
        log.info("not told by direct message", match=table.id, seat=str(seat))
    try:
        message = await post.send(
            table.channel, words(person), urgency=Urgency.TURN, ping=Ping((person,))
        )
    except Undelivered:  # an offer stands all the same: `/gin cancel` agrees to it
        log.warning("not told", match=table.id, seat=str(seat))
        return None
    return table.channel, message
