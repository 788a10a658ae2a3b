"""The post office: every message that the bot sends, edits or deletes by itself.

Each call goes by ids alone (no cache of channels or members is needed, so any process can serve
any match), waits for the governor, and turns Discord's error codes into four answers that the
callers know what to do about. Answers to interactions live in :mod:`bot.front.serving`.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import aiohttp
import discord
import structlog

from bot.mail.easel import draw
from bot.mail.governor import Governor, Urgency
from bot.ui.page import Page
from db.ids import ChannelId, MessageId, PersonId

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_GUILD: Final = 10004
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_USER: Final = 10013
UNKNOWN_WEBHOOK: Final = 10015
UNKNOWN_INTERACTION: Final = 10062
"""Three seconds passed before the first answer."""
ALREADY_ACKNOWLEDGED: Final = 40060
OPENING_DMS_TOO_FAST: Final = 40003
MISSING_ACCESS: Final = 50001
CANNOT_MESSAGE_PERSON: Final = frozenset({50007, 50278})
MISSING_PERMISSION: Final = 50013
INVALID_TOKEN: Final = 50027
"""An interaction's token after 15 minutes."""
THREAD_ARCHIVED: Final = 50083
TOO_MANY_OLD_EDITS: Final = 30046

SENDING_TAKES_AT_MOST: Final = timedelta(seconds=30)

NETWORK: Final = (OSError, TimeoutError, aiohttp.ClientError, discord.RateLimited)
"""How a request fails that Discord did not refuse; it may have been done all the same."""
FAILURES: Final = (discord.HTTPException, *NETWORK)


class Undelivered(Exception):
    """A request that Discord refused in a way that the caller must deal with."""


class MessageGone(Undelivered):
    """The message was deleted (or may no longer be edited): post it again."""


class ChannelGone(Undelivered):
    """The channel or thread was deleted, or its server left."""


class NotAllowed(Undelivered):
    """A permission is missing here, or the thread is archived."""


class DirectMessagesClosed(Undelivered):
    """The person takes no direct messages from the bot."""


class TryLater(Undelivered):
    """The network or Discord failed; the projection stays stale and is repaired."""

    def __init__(self, said: str, wait: timedelta = timedelta(0)) -> None:
        super().__init__(said)
        self.wait = wait
        """How long Discord wants to be left alone, where it said so."""


@dataclass(frozen=True, slots=True)
class Ping:
    """Who may be notified by a message: nobody else is, whatever stands in its text."""

    people: tuple[PersonId, ...] = ()

    def allowed(self) -> discord.AllowedMentions:
        """Discord's own form of it."""
        return discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(person) for person in self.people],
        )


NOBODY: Final = Ping()


class Post:
    """Sends by ids through one client, under one governor."""

    def __init__(self, client: discord.Client, governor: Governor) -> None:
        self._client = client
        self.governor = governor

    @property
    def latency(self) -> float:
        """Seconds of the last heartbeat to the gateway and back; not a number before the first."""
        return self._client.latency

    def _channel(self, channel: ChannelId) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel)

    async def send(
        self,
        channel: ChannelId,
        page: Page,
        *,
        urgency: Urgency,
        ping: Ping = NOBODY,
        silent: bool = False,
        once: str | None = None,
    ) -> MessageId:
        """Post a new message and return its id; raise :class:`Undelivered`.

        ``once`` (at most 25 characters) names what is said: when an attempt is repeated whose
        answer was lost, Discord gives the message of the first one instead of posting another.
        Without it that holds for discord.py's own repetitions.
        """
        files = await draw(page)
        await self.governor.slot(urgency)
        try:
            async with asyncio.timeout(SENDING_TAKES_AT_MOST.total_seconds()):
                message = await self._channel(channel).send(
                    view=page.layout,
                    files=files,
                    allowed_mentions=ping.allowed(),
                    silent=silent,
                    nonce=once or secrets.token_hex(8),
                )
        except FAILURES as error:
            raise told(error, "send", channel) from error
        return MessageId(message.id)

    async def edit(
        self, channel: ChannelId, message: MessageId, page: Page, *, urgency: Urgency
    ) -> None:
        """Show another page in place of the message's present one; raise :class:`Undelivered`."""
        files = await draw(page)
        await self.governor.slot(urgency)
        try:
            async with asyncio.timeout(SENDING_TAKES_AT_MOST.total_seconds()):
                await (
                    self._channel(channel)
                    .get_partial_message(message)
                    .edit(view=page.layout, attachments=files, allowed_mentions=NOBODY.allowed())
                )
        except discord.RateLimited as error:  # 30046 comes as a 429: a new message is no edit
            told(error, "edit", channel)
            raise MessageGone("edit: too many of an old message") from error
        except FAILURES as error:
            raise told(error, "edit", channel) from error

    async def delete(self, channel: ChannelId, message: MessageId) -> None:
        """Delete a message of ours; one that is gone already is as good. Raise for the rest."""
        await self.governor.slot(Urgency.TIDY)
        try:
            async with asyncio.timeout(SENDING_TAKES_AT_MOST.total_seconds()):
                await self._channel(channel).get_partial_message(message).delete()
        except discord.NotFound:
            return
        except FAILURES as error:
            raise told(error, "delete", channel) from error

    async def open_direct(self, person: PersonId) -> ChannelId:
        """The channel of direct messages with a person; raise :class:`Undelivered`."""
        await self.governor.slot(Urgency.TURN)
        try:
            async with asyncio.timeout(SENDING_TAKES_AT_MOST.total_seconds()):
                channel = await self._client.create_dm(discord.Object(person))
        except FAILURES as error:
            raise told(error, "open", None) from error
        return ChannelId(channel.id)


def told(error: Exception, act: str, channel: ChannelId | None) -> Undelivered:
    """What a failed request means for us; logged once, here."""
    code = error.code if isinstance(error, discord.HTTPException) else 0
    status = error.status if isinstance(error, discord.HTTPException) else 0
    known: type[Undelivered]
    if code in (UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS):
        known = MessageGone
    elif code in (UNKNOWN_CHANNEL, UNKNOWN_GUILD):
        known = ChannelGone
    elif code in CANNOT_MESSAGE_PERSON or code == UNKNOWN_USER:
        known = DirectMessagesClosed
    elif code in (MISSING_ACCESS, MISSING_PERMISSION, THREAD_ARCHIVED):
        known = NotAllowed
    else:
        known = TryLater
    log.warning(
        "undelivered",
        act=act,
        channel=channel,
        code=code,
        status=status,
        meaning=known.__name__,
        error=type(error).__name__,
    )
    said = f"{act}: {code or type(error).__name__}"
    if known is TryLater and isinstance(error, discord.RateLimited):
        return TryLater(said, timedelta(seconds=error.retry_after))
    return known(said)
