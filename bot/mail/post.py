"""The post office: every message that the bot sends, edits or deletes by itself.

Each call goes by ids alone (no cache of channels or members is needed, so any process can serve
any match), waits for the governor, and turns Discord's error codes into four answers that the
callers know what to do about. Answers to interactions live in :mod:`bot.front.answer`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import aiohttp
import discord
import structlog

from bot.mail.easel import draw
from bot.mail.governor import Governor, Urgency
from bot.ui import rights
from bot.ui.page import Page
from db.ids import ChannelId, MessageId, PersonId, ServerId, has_gone

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
THREAD_LOCKED: Final = 160005
NOT_FOR_MESSAGES: Final = frozenset({50008, 50024})
"""A forum, say: messages stand in its posts only."""
UNKNOWN_MEMBER: Final = 10007
TOO_MANY_OLD_EDITS: Final = 30046

SENDING_TAKES_AT_MOST: Final = timedelta(seconds=30)
CLOCKS_DIFFER: Final = timedelta(minutes=2)
"""By how much Discord's clock may be behind ours."""

NETWORK: Final = (OSError, TimeoutError, aiohttp.ClientError, discord.RateLimited)
"""How a request fails that Discord did not refuse; it may have been done all the same."""
FAILURES: Final = (discord.HTTPException, *NETWORK)


class Undelivered(Exception):
    """A request that Discord refused in a way that the caller must deal with."""


class MessageGone(Undelivered):
    """The message was deleted, or may no longer be edited (its token is over): post it again."""


class ChannelGone(Undelivered):
    """The channel or thread was deleted or can't hold messages, or its server was left."""


class NotAllowed(Undelivered):
    """A permission is missing here."""


class ThreadClosed(Undelivered):
    """The thread is locked, and the bot may not write there all the same."""


class ThreadArchived(ThreadClosed):
    """The thread is archived; it may be that it can be brought back."""


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
            users=[discord.Object(one) for one in self.people if not has_gone(one)],
        )


NOBODY: Final = Ping()


TOKEN_LASTS: Final = timedelta(minutes=14)
"""Discord takes an interaction's token for fifteen minutes; one is left for the way."""


@dataclass(frozen=True, slots=True)
class PrivatePlace:
    """Where a private answer stands: only the token of its interaction reaches it."""

    application: int
    token: str = field(repr=False)
    message: MessageId


NO_PLACE: Final = (ChannelGone, NotAllowed, ThreadClosed)
"""How a place for messages fails by itself, whatever is sent there."""
LOOKED_BACK: Final = 100
"""Messages of a channel among which one is searched for."""


def is_over(error: Exception) -> bool:
    """Whether a request came to nothing because the process ends: its connections are closed."""
    return isinstance(error, RuntimeError) and str(error) == "Session is closed"


@asynccontextmanager
async def _request() -> AsyncIterator[None]:
    """Bear one request for so long, and have it fail as any other does when the process ends."""
    try:
        async with asyncio.timeout(SENDING_TAKES_AT_MOST.total_seconds()):
            yield
    except RuntimeError as error:
        if not is_over(error):
            raise
        raise aiohttp.ClientConnectionError("the process ends") from error


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
            async with _request():
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
            async with _request():
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
            async with _request():
                await self._channel(channel).get_partial_message(message).delete()
        except discord.NotFound:
            return
        except FAILURES as error:
            raise told(error, "delete", channel) from error

    async def edit_private(self, place: PrivatePlace, page: Page) -> None:
        """Show another page in a private answer; raise :class:`Undelivered`.

        Discord doesn't count such requests among the bot's own, so they wait for no governor.
        """
        files = await draw(page)
        try:
            async with _request():
                await self._webhook(place).edit_message(
                    place.message,
                    view=page.layout,
                    attachments=files,
                    allowed_mentions=NOBODY.allowed(),
                )
        except FAILURES as error:
            raise told(error, "edit an answer", None) from error

    async def delete_private(self, place: PrivatePlace) -> None:
        """Take a private answer away; one that is gone is as good. Raise for the rest."""
        try:
            async with _request():
                await self._webhook(place).delete_message(place.message)
        except discord.NotFound:
            return
        except FAILURES as error:
            raise told(error, "delete an answer", None) from error

    def _webhook(self, place: PrivatePlace) -> discord.Webhook:
        return discord.Webhook.partial(place.application, place.token, client=self._client)

    async def open_direct(self, person: PersonId) -> ChannelId:
        """The channel of direct messages with a person; raise :class:`Undelivered`."""
        await self.governor.slot(Urgency.TURN)
        try:
            async with _request():
                channel = await self._client.create_dm(discord.Object(person))
        except FAILURES as error:
            raise told(error, "open", None) from error
        return ChannelId(channel.id)

    async def unarchive(self, thread: ChannelId) -> None:
        """Bring an archived thread back; raise :class:`Undelivered`."""
        await self.governor.slot(Urgency.TABLE)
        try:
            async with _request():
                await self._client.http.edit_channel(thread, archived=False)
        except FAILURES as error:
            raise told(error, "unarchive", thread) from error

    async def find(self, channel: ChannelId, control: str, after: datetime) -> MessageId | None:
        """The message of ours with this control, among those posted there since.

        None where there is none, or where the bot may not look. Raises :class:`Undelivered`.
        """
        since = discord.utils.time_snowflake(after - CLOCKS_DIFFER)
        said = await self._said(channel, Urgency.TABLE, after=since)
        return next((message for message, ids in said.items() if control in ids), None)

    async def newest(self, channel: ChannelId) -> dict[MessageId, set[str]]:
        """The custom ids in each message of ours among the newest of a channel.

        None of them where the bot may not look. Raises :class:`Undelivered`.
        """
        return await self._said(channel, Urgency.TIDY)

    async def _said(
        self, channel: ChannelId, urgency: Urgency, after: int | None = None
    ) -> dict[MessageId, set[str]]:
        await self.governor.slot(urgency)
        try:
            async with _request():
                said = await self._client.http.logs_from(channel, LOOKED_BACK, after=after)
        except FAILURES as error:
            raise told(error, "find", channel) from error
        me = None if self._client.user is None else str(self._client.user.id)
        return {
            MessageId(int(message["id"])): controls_in(message.get("components"))
            for message in said
            if message["author"]["id"] == me
        }

    async def is_member(
        self, server: ServerId, person: PersonId, *, urgency: Urgency = Urgency.TURN
    ) -> bool:
        """Whether somebody is on a server (10007, 10013: he has left); raise `Undelivered`."""
        await self.governor.slot(urgency)
        try:
            async with _request():
                await self._client.http.get_member(server, person)
        except FAILURES as error:
            code = error.code if isinstance(error, discord.HTTPException) else 0
            if code in (UNKNOWN_MEMBER, UNKNOWN_USER):
                return False
            raise told(error, "member", None) from error
        return True

    def server_name(self, server: ServerId) -> str | None:
        """What a server is called, not escaped; None where the bot isn't on it."""
        guild = self._client.get_guild(server)
        return None if guild is None else guild.name

    def missing_rights(self, channel: ChannelId) -> tuple[str, ...] | None:
        """The permissions that a table lacks there; None where this process can't tell."""
        place = self._client.get_channel(channel)
        if not isinstance(place, discord.abc.GuildChannel | discord.Thread):
            return None
        me = None if self._client.user is None else place.guild.get_member(self._client.user.id)
        if me is None:  # the server hasn't arrived yet
            return None
        here = place.permissions_for(me)
        return rights.missing(here, in_thread=isinstance(place, discord.Thread))


def controls_in(components: object) -> set[str]:
    """The custom ids in a message's components, as Discord writes them, however deep they lie."""
    found: set[str] = set()
    if isinstance(components, list):
        for component in components:
            if isinstance(component, dict):
                found |= {one for one in (component.get("custom_id"),) if isinstance(one, str)}
                found |= controls_in(component.get("components"))
                found |= controls_in([component.get("accessory")])
    return found


def told(error: Exception, act: str, channel: ChannelId | None) -> Undelivered:
    """What a failed request means for us; logged once, here."""
    code = error.code if isinstance(error, discord.HTTPException) else 0
    status = error.status if isinstance(error, discord.HTTPException) else 0
    known: type[Undelivered]
    if code in (UNKNOWN_MESSAGE, TOO_MANY_OLD_EDITS, INVALID_TOKEN, UNKNOWN_WEBHOOK):
        known = MessageGone
    elif code in (UNKNOWN_CHANNEL, UNKNOWN_GUILD) or code in NOT_FOR_MESSAGES:
        known = ChannelGone
    elif code in CANNOT_MESSAGE_PERSON or code == UNKNOWN_USER:
        known = DirectMessagesClosed
    elif code in (MISSING_ACCESS, MISSING_PERMISSION):
        known = NotAllowed
    elif code == THREAD_ARCHIVED:
        known = ThreadArchived
    elif code == THREAD_LOCKED:
        known = ThreadClosed
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
