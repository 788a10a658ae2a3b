"""One answer: how far it has come, what of it stands, and what its attempts came to.

An answer that comes too late (10062, 10015, 50027), to an interaction that another process has
answered (40060), or to a place that is gone (10003, 10004, 10008), is logged as one warning: what
was done is committed and stands on the table all the same. An answer that arrived unheard is looked
for, and then is as good as any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from functools import lru_cache
from typing import Any, Final

import discord
import structlog

from bot import metrics
from bot.front import courier
from bot.front.change import Change
from bot.front.faults import fault_sentence
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.mail import post
from bot.ui.language import _
from bot.ui.page import Page
from bot.ui.pages import note_page
from db.ids import ChannelId, MessageId

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ASKS_AT_MOST: Final = timedelta(seconds=5)
"""For whether an answer stands of which nothing was heard."""

TOO_LATE: Final = frozenset(
    {
        post.UNKNOWN_INTERACTION,
        post.UNKNOWN_WEBHOOK,
        post.INVALID_TOKEN,
        post.ALREADY_ACKNOWLEDGED,
    }
)

GONE: Final = frozenset({post.UNKNOWN_CHANNEL, post.UNKNOWN_GUILD, post.UNKNOWN_MESSAGE})

Interaction = discord.Interaction[discord.Client]
Place = tuple[ChannelId, MessageId]


class Fate(Enum):
    """What became of an attempt to answer."""

    STANDS = auto()
    LANDED = auto()
    """It stands: an attempt of ours was taken, though nobody told us so or which message it is."""
    TOO_LATE = auto()
    """Discord waits no more: nothing can be answered to this interaction."""
    ANSWERED = auto()
    """An answer stands already, of another process; or a deferral of ours that nobody heard of."""
    GONE = auto()
    """The place in which it was to stand was deleted meanwhile: no answer can stand there."""
    LOST = auto()
    """The network failed; whether it arrived isn't known."""
    UNSENT = auto()
    """It came to no connection, or Discord turned it away: of this nothing can have arrived."""
    REFUSED = auto()
    """A fault of ours: Discord doesn't take such a message."""
    PUT_OFF = auto()
    """Told in a rush to come back; only counted."""


@dataclass(frozen=True, slots=True)
class Done:
    """The work's reply with its pictures drawn."""

    reply: Reply
    page: Page | None
    files: list[discord.File]
    refused: bool = False
    """Whether nothing was done, and the page says why."""
    failed: bool = False
    """Whether a fault came between what was done, if anything was, and its page."""


def note(sentence: str) -> Done:
    """Make a private note of a sentence: a message of its own."""
    page = note_page(sentence)
    return Done(Reply(page=page, in_place=False), page, [])


@lru_cache(maxsize=64)
def _too_busy(_language: str) -> dict[str, Any]:  # Any: Discord's own JSON
    """What somebody is told for whom there is no time; made once a language."""
    page = note_page(
        _("Everybody wants something at this very moment. Nothing has changed; try again shortly.")
    )
    flags = discord.MessageFlags(ephemeral=True, components_v2=True)
    return {
        "components": page.layout.to_components(),
        "flags": flags.value,
        "allowed_mentions": post.NOBODY.allowed().to_dict(),
    }


_NOT_BY_THIS: Final = (Fate.ANSWERED, Fate.LANDED, Fate.LOST, Fate.UNSENT)
"""What may have become of an answer where it may be a deferral of ours that stands."""


class Answer:
    """The answer to one interaction: how far it has come."""

    def __init__(self, interaction: Interaction, visit: Visit) -> None:
        self._interaction = interaction
        self.visit = visit
        self._began = asyncio.get_running_loop().time()
        self._deferred = False
        self._perhaps_deferred = False
        self._is_over: Fate | None = None
        """Why nothing of ours can be answered any more."""
        self.is_heard_of = True
        """Whether what :meth:`give` returned is known to show what the work gave."""

    @property
    def waited(self) -> timedelta:
        """How long the person has waited here so far."""
        return timedelta(seconds=asyncio.get_running_loop().time() - self._began)

    @property
    def is_to_a_form(self) -> bool:
        """Whether it answers what somebody filled in."""
        return self._interaction.type is discord.InteractionType.modal_submit

    def private_place(self, message: MessageId) -> post.PrivatePlace:
        """Where this answer stands, if nobody but the person sees it."""
        return post.PrivatePlace(self._interaction.application_id, self._interaction.token, message)

    async def put_off(self) -> None:
        """Say that nothing was done and that it may be tried again shortly."""
        fate, _place = await self._try(self._put_off(), is_first=True)
        stands = fate in (Fate.STANDS, Fate.LANDED)
        if stands:
            self._measure()
        self._count(Fate.PUT_OFF if stands else fate)

    async def _put_off(self) -> None:
        await courier.tell(self._interaction, _too_busy(self.visit.locale))

    async def defer(self) -> None:
        """Tell Discord that the answer will come: silently for a control, else "thinking"."""
        fate, _place = await self._try(self._defer(), is_first=True)
        self._deferred = fate in (Fate.STANDS, Fate.LANDED)
        if self._deferred:
            self._measure()
        self._perhaps_deferred = fate is Fate.LOST
        if fate in (Fate.TOO_LATE, Fate.ANSWERED, Fate.GONE):
            self._is_over = fate

    async def _defer(self) -> None:
        if self.visit.message is not None:
            await self._interaction.response.defer()
        else:
            await self._interaction.response.defer(ephemeral=True, thinking=True)

    async def give(self, done: Done, change: Change) -> Place | None:
        """Answer with what the work gave; return where it stands, or None if it doesn't."""
        if self._is_over is not None:
            self._count(self._is_over)
            return None
        if self._deferred:
            fate, place = await self._try(self._late(done))
        else:
            fate, place = await self._try(self._first(done), is_first=True)
            if self._perhaps_deferred and fate in _NOT_BY_THIS:
                place = await self._stands_instead_of_deferral()
                if place is not None:
                    fate = Fate.STANDS
                else:
                    _rewind(done.files)  # what stands is the deferral, as good as always
                    fate, place = await self._try(self._late(done))
        if fate in (Fate.LOST, Fate.ANSWERED):
            place = await self._perhaps_stands(done.reply)
        if fate is Fate.LANDED:
            place = await self._landed(done)
        if fate in (Fate.STANDS, Fate.LANDED) and not self._deferred:
            self._measure()
        self._count(fate)
        if fate is Fate.REFUSED:
            await self._apologise(change)
        return place

    async def _perhaps_stands(self, reply: Reply) -> Place | None:
        """Where a message stands of which only Discord's word was lost; None if nowhere.

        Asked for what has to be known: a challenge, and a hand, since exposed cards may be on it.
        Where a private hand was to be put into a message that stood before, nobody can tell
        whether it is there: then it isn't `is_heard_of`. A lost follow-up is found by nothing.
        """
        is_private_hand = reply.panel is not None and not reply.public
        pressed, channel = self.visit.message, self.visit.channel
        changes = self._changes_the_message(reply)
        self.is_heard_of = not (changes or self._deferred or self._perhaps_deferred)
        if changes and pressed is not None:
            return (channel, pressed) if is_private_hand and self.visit.is_ephemeral else None
        if not self.is_heard_of and (pressed is not None or not is_private_hand):
            return None
        if reply.panel is None and reply.undelivered is None:
            return None
        original = await self._original()
        if original is None or original.id == pressed:
            return None  # if that was pressed, another process has deferred: no answer stands
        return channel, MessageId(original.id)

    async def _stands_instead_of_deferral(self) -> Place | None:
        """Where the answer stands, if it and not the deferral arrived; None where nobody knows."""
        original = await self._original()
        if original is None or original.flags.loading or original.id == self.visit.message:
            return None
        return self.visit.channel, MessageId(original.id)

    async def _landed(self, done: Done) -> Place | None:
        """Where the answer stands that was taken unheard; None where it is no message."""
        if done.page is None or done.reply.modal is not None:
            return None
        original = await self._original()
        if original is not None:
            return self.visit.channel, MessageId(original.id)
        return await self._perhaps_stands(done.reply)

    async def _original(self) -> discord.InteractionMessage | None:
        """The message that answers this interaction first, or that it changed; None if unknown."""
        try:
            async with asyncio.timeout(ASKS_AT_MOST.total_seconds()):
                return await self._interaction.original_response()
        except (*post.FAILURES, discord.ClientException, RuntimeError):  # `post.is_over`
            return None

    def _measure(self) -> None:
        metrics.answer_seconds.observe(self.waited.total_seconds())

    def _count(self, fate: Fate) -> None:
        metrics.interactions.labels(self._interaction.type.name, fate.name.lower()).inc()

    async def _apologise(self, change: Change) -> None:
        sorry = note(fault_sentence(str(self.visit.interaction)[-6:], change))
        await self._try(self._late(sorry) if self._deferred else self._first(sorry))

    async def _try(
        self, sending: Awaitable[Place | None], *, is_first: bool = False
    ) -> tuple[Fate, Place | None]:
        try:
            async with asyncio.timeout(post.SENDING_TAKES_AT_MOST.total_seconds()):
                return Fate.STANDS, await sending
        except courier.Landed:
            log.info("answer arrived unheard")
            return Fate.LANDED, None
        except discord.HTTPException as error:
            if error.code == post.ALREADY_ACKNOWLEDGED:
                log.warning("answered already", code=error.code, status=error.status)
                return Fate.ANSWERED, None
            if error.code in TOO_LATE:
                log.warning("answer too late", code=error.code, status=error.status)
                return Fate.TOO_LATE, None
            if error.code in GONE:
                log.warning("answer has no place", code=error.code, status=error.status)
                return Fate.GONE, None
            if error.status >= 500 or error.status == 429:
                log.warning("answer not delivered", code=error.code, status=error.status)
                return _lost(error, is_first=is_first), None
            log.error("answer refused", code=error.code, status=error.status, text=error.text)
            return Fate.REFUSED, None
        except post.NETWORK as error:
            log.warning("answer not delivered", error=type(error).__name__)
            return _lost(error, is_first=is_first), None
        except Exception as error:  # discord.py itself refuses what it can't send
            if post.is_over(error):
                log.warning("answer not delivered", error=type(error).__name__)
                return Fate.LOST, None
            log.exception("answer impossible", error=type(error).__name__)
            return Fate.REFUSED, None

    async def _first(self, done: Done) -> Place | None:
        """Answer at once: change the pressed message, or send a new one."""
        reply, response = done.reply, self._interaction.response
        if reply.modal is not None:
            await response.send_modal(reply.modal)
            return None
        if done.page is None:
            await self._defer()
            return None
        if self._changes_the_message(reply):
            try:
                changed = await response.edit_message(
                    view=done.page.layout,
                    attachments=done.files,
                    allowed_mentions=post.NOBODY.allowed(),
                )
                return self._place(changed)
            except discord.NotFound as error:
                if error.code != post.UNKNOWN_MESSAGE:
                    raise
                _rewind(done.files)  # it was deleted in the meantime
        sent = await response.send_message(
            view=done.page.layout,
            files=done.files,
            ephemeral=not reply.public,
            allowed_mentions=post.Ping(reply.ping).allowed(),
        )
        return self._place(sent)

    def _place(
        self, answer: discord.InteractionCallbackResponse[discord.Client] | None
    ) -> Place | None:
        message = answer.message_id if answer is not None else None
        return None if message is None else (self.visit.channel, MessageId(message))

    async def _late(self, done: Done) -> Place | None:
        """Answer after a defer. The first follow-up edits, and mentions in edits don't ping."""
        reply, interaction, by_control = done.reply, self._interaction, self.visit.message
        if done.page is None and reply.modal is None:
            return None
        # A modal has to be the first answer; by now it can't be opened any more.
        page = done.page or note_page(_("That took too long. Please press it once more."))
        if reply.modal is None and self._changes_the_message(reply):
            edits = True
        else:
            edits = by_control is None and not reply.public
        if edits:
            try:
                edited = await interaction.edit_original_response(
                    view=page.layout, attachments=done.files, allowed_mentions=post.NOBODY.allowed()
                )
                return self.visit.channel, MessageId(edited.id)
            except discord.NotFound as error:
                if error.code != post.UNKNOWN_MESSAGE or by_control is None:
                    raise
                _rewind(done.files)  # it was deleted in the meantime
        if by_control is None:  # a private "thinking" can't become public: settle it first
            await interaction.edit_original_response(view=note_page(_("Done, see below.")).layout)
        sent = await interaction.followup.send(
            view=page.layout,
            files=done.files,
            ephemeral=not reply.public,
            allowed_mentions=post.Ping(reply.ping).allowed(),
            wait=True,
        )
        return self.visit.channel, MessageId(sent.id)

    def _changes_the_message(self, reply: Reply) -> bool:
        if self.visit.message is None:
            return False
        return reply.replaces_public or (self.visit.on_private_panel and reply.in_place)


def _lost(error: Exception, *, is_first: bool) -> Fate:
    # Only the courier, who carries first answers, tells of each of his attempts.
    return Fate.UNSENT if is_first and courier.never_arrived(error) else Fate.LOST


def _rewind(files: list[discord.File]) -> None:
    """Let files be sent once more."""
    for file in files:
        file.reset()
