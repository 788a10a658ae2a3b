"""Answering interactions in time, whatever happens.

Order of an answer: work; if it is quick, answer with the result; if not, defer after
``ANSWER_WITHIN`` (silently for controls, privately for commands) and answer when it is there.
Refusals become private notes; faults are logged once with a reference that the person is given.
An answer that comes too late (10062, 10015, 50027), or to an interaction that another process has
answered (40060), is logged as one warning: what was done is committed and stands on the table all
the same. An answer that arrived unheard is looked for, and then is as good as any other.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from functools import lru_cache
from typing import Any, Final

import discord
import structlog

from bot import metrics
from bot.front import courier
from bot.front.change import Change
from bot.front.reply import Reply
from bot.front.rush import Turn
from bot.front.visit import Visit
from bot.house import House
from bot.mail import easel, post
from bot.refusals import NotPossibleNow, Refusal
from bot.ui.language import _, speaking
from bot.ui.page import Page
from bot.ui.pages import note_page
from db.errors import DatabaseUnusable
from db.ids import ChannelId, MessageId

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ANSWER_WITHIN: Final = timedelta(seconds=1.2)
"""Discord waits three seconds from the press; the way here and back takes some of them."""
OPEN_FORM_WITHIN: Final = timedelta(seconds=2.2)
"""A form has to be the first answer: a deferral would be the end of it, so it may take longer."""
SHOWN_WITHIN: Final = timedelta(seconds=3)
"""What an act changed is shown to the others then, even if its answer is still on its way."""

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

Interaction = discord.Interaction[discord.Client]
Work = Callable[[Visit], Awaitable[Reply]]
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
    LOST = auto()
    """The network failed; whether it arrived isn't known."""
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


async def serve(
    house: House, interaction: Interaction, work: Work, *, opens_form: bool = False
) -> None:
    """Do ``work`` for this interaction, answer it, and let the house show what has changed.

    Never raises what a person, Discord or a fault of ours did.
    """
    patience = max(OPEN_FORM_WITHIN, ANSWER_WITHIN) if opens_form else ANSWER_WITHIN
    visit = Visit.of(interaction)
    with (
        structlog.contextvars.bound_contextvars(interaction=visit.interaction),
        speaking(visit.locale),
        house.door.entered(visit.interaction) as may_enter,
    ):
        if not may_enter:
            log.info("not served", closing=house.door.is_closed)
            return
        answer = _Answer(interaction, visit)
        turn = await house.rush.turn(visit.interaction)
        if turn is Turn.LET_GO:
            log.warning("came too late in a rush")
            metrics.interactions.labels(interaction.type.name, "let_go").inc()
            return
        if turn is Turn.PUT_OFF:
            async with house.rush.telling():
                await answer.put_off()
            return
        if not house.pace.allows(visit.person):
            work = _too_fast
        with Change(house.showing.changed, SHOWN_WITHIN) as change:
            task = asyncio.ensure_future(_worked(visit, work, change))
            house.rush.follow(task)
            left = min(patience, OPEN_FORM_WITHIN - answer.waited)
            await asyncio.wait({task}, timeout=left.total_seconds())
            if not task.done():
                await answer.defer()
            done = await task
            place = await _answered(house, answer, done)
        if place is not None and answer.is_to_a_form:
            await _guarded(_only_the_newest(house, answer, place[1] if done.refused else None))


class LateSuggestions(logging.Filter):
    """Makes one warning of what discord.py logs as a fault: suggestions that came too late.

    The person has typed on by then, and discord.py alone answers autocompletion. Of suggestions
    that arrived unheard there is nothing to say.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change such a record; let every other one through as it is."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, courier.Landed):
            return False
        late = isinstance(error, discord.HTTPException) and error.code in TOO_LATE
        if late or isinstance(error, post.NETWORK):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args = f"suggestions not delivered: {error!r}", ()
            record.exc_info = record.exc_text = None
        return True


async def _answered(house: House, answer: _Answer, done: Done) -> Place | None:
    """Answer, and have known where that stands; return it, or None if it doesn't."""
    place = await answer.give(done)
    if place is not None and done.reply.delivered is not None:
        await _guarded(done.reply.delivered(*place))
    panel = done.reply.panel
    if place is not None and panel is not None and not done.reply.public:
        where = answer.private_place(place[1])
        version = panel.version if answer.is_heard_of else 0
        await _guarded(house.showing.whispered(panel.match, panel.seat, version, where))
    if place is None and done.reply.undelivered is not None:
        await _guarded(done.reply.undelivered())
    return place


async def _only_the_newest(house: House, answer: _Answer, refusal: MessageId | None) -> None:
    """Take away the note that refused this person's form before: what came of this one stands."""
    stands = None if refusal is None else answer.private_place(refusal)
    visit = answer.visit
    before = house.refused.put(visit.person, visit.channel, stands, house.now())
    if before is not None:
        with suppress(post.Undelivered):  # it only looks untidy
            await house.post.delete_private(before)


async def _worked(visit: Visit, work: Work, change: Change) -> Done:
    """Do the work and draw its pictures; a refusal or a fault becomes a private note."""
    try:
        reply = await work(visit)
        change.happened(reply.changed)
        files = [] if reply.page is None else await easel.draw(reply.page, urgent=True)
        return Done(reply, reply.page, files)
    except Refusal as refusal:
        return replace(_note(refusal.sentence), refused=True)
    except DatabaseUnusable as error:
        log.error("database unusable", why=str(error))
        return _note(
            _(
                "I can't write anything down just now, so nothing new counts; all that "
                "stood before still stands. Please try again in a few minutes."
            )
        )
    except Exception as error:  # the last boundary: a person must get an answer to any fault
        reference = secrets.token_hex(3)
        log.exception("fault", reference=reference, error=type(error).__name__)
        return _note(_fault_sentence(reference))


async def _too_fast(_visit: Visit) -> Reply:
    raise NotPossibleNow(
        _("That was a lot in a few seconds. Take a breath; in ten seconds I'm with you again.")
    )


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


def _note(sentence: str) -> Done:
    page = note_page(sentence)
    return Done(Reply(page=page, in_place=False), page, [])


def _fault_sentence(reference: str) -> str:
    return _(
        "Something went wrong on our side, and nothing was lost. Please try again; "
        "if it stays, tell the host this reference: `{reference}`."
    ).format(reference=reference)


async def _guarded(act: Awaitable[None]) -> None:
    try:
        await act
    except Exception:  # what was promised is committed; the repair at the next show catches up
        log.exception("after the answer")


class _Answer:
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
        fate, _place = await self._try(self._put_off())
        stands = fate in (Fate.STANDS, Fate.LANDED)
        if stands:
            self._measure()
        self._count(Fate.PUT_OFF if stands else fate)

    async def _put_off(self) -> None:
        await courier.tell(self._interaction, _too_busy(self.visit.locale))

    async def defer(self) -> None:
        """Tell Discord that the answer will come: silently for a control, else "thinking"."""
        fate, _place = await self._try(self._defer())
        self._deferred = fate in (Fate.STANDS, Fate.LANDED)
        if self._deferred:
            self._measure()
        self._perhaps_deferred = fate is Fate.LOST
        if fate in (Fate.TOO_LATE, Fate.ANSWERED):
            self._is_over = fate

    async def _defer(self) -> None:
        if self.visit.message is not None:
            await self._interaction.response.defer()
        else:
            await self._interaction.response.defer(ephemeral=True, thinking=True)

    async def give(self, done: Done) -> Place | None:
        """Answer with what the work gave; return where it stands, or None if it doesn't."""
        if self._is_over is not None:
            self._count(self._is_over)
            return None
        if self._deferred:
            fate, place = await self._try(self._late(done))
        else:
            fate, place = await self._try(self._first(done))
            if fate in (Fate.ANSWERED, Fate.LANDED, Fate.LOST) and self._perhaps_deferred:
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
            await self._apologise()
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
        if original == pressed:
            return None  # another process has deferred this press: no answer stands
        return None if original is None else (channel, original)

    async def _landed(self, done: Done) -> Place | None:
        """Where the answer stands that was taken unheard; None where it is no message."""
        if done.page is None or done.reply.modal is not None:
            return None
        original = await self._original()
        if original is not None:
            return self.visit.channel, original
        return await self._perhaps_stands(done.reply)

    async def _original(self) -> MessageId | None:
        """The message that answers this interaction first, or that it changed; None if unknown."""
        try:
            async with asyncio.timeout(ASKS_AT_MOST.total_seconds()):
                return MessageId((await self._interaction.original_response()).id)
        except (*post.FAILURES, discord.ClientException):
            return None

    def _measure(self) -> None:
        metrics.answer_seconds.observe(self.waited.total_seconds())

    def _count(self, fate: Fate) -> None:
        metrics.interactions.labels(self._interaction.type.name, fate.name.lower()).inc()

    async def _apologise(self) -> None:
        sorry = _note(_fault_sentence(str(self.visit.interaction)[-6:]))
        await self._try(self._late(sorry) if self._deferred else self._first(sorry))

    async def _try(self, sending: Awaitable[Place | None]) -> tuple[Fate, Place | None]:
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
            if error.status >= 500 or error.status == 429:
                log.warning("answer not delivered", code=error.code, status=error.status)
                return Fate.LOST, None
            log.error("answer refused", code=error.code, status=error.status, text=error.text)
            return Fate.REFUSED, None
        except post.NETWORK as error:
            log.warning("answer not delivered", error=type(error).__name__)
            return Fate.LOST, None
        except Exception as error:  # discord.py itself refuses what it can't send
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


def _rewind(files: list[discord.File]) -> None:
    """Let files be sent once more."""
    for file in files:
        file.reset()
