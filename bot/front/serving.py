"""Answering interactions in time, whatever happens.

Order of an answer: work; if it is quick, answer with the result; if not, defer after
``ANSWER_WITHIN`` (silently for controls, privately for commands) and answer when it is there.
Refusals become private notes; faults are logged once with a reference that the person is given.
How an answer gets there, or what becomes of it: :mod:`bot.front.answer`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord
import structlog

from bot import metrics
from bot.front import courier
from bot.front.answer import GONE, TOO_LATE, Answer, Done, Interaction, Place, note
from bot.front.change import Change
from bot.front.faults import database_sentence, fault_sentence
from bot.front.reply import Reply
from bot.front.rush import Turn
from bot.front.visit import Visit
from bot.house import House
from bot.mail import easel, post
from bot.play import deed
from bot.refusals import NotPossibleNow, Refusal
from bot.ui.language import _, speaking
from db.errors import DatabaseUnusable
from db.ids import MessageId
from db.store import told_of_commits, told_of_doubts

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ANSWER_WITHIN: Final = timedelta(seconds=1.2)
"""Discord waits three seconds from the press; the way here and back takes some of them."""
OPEN_FORM_WITHIN: Final = timedelta(seconds=2.2)
"""A form has to be the first answer: a deferral would be the end of it, so it may take longer."""
SHOWN_WITHIN: Final = timedelta(seconds=3)
"""What an act changed is shown to the others then, even if its answer is still on its way."""

Work = Callable[[Visit], Awaitable[Reply]]


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
        answer = Answer(interaction, visit)
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
            was_told = not house.pace.tells(visit.person)
            work = _nothing if was_told and visit.pressed else _too_fast
        with Change(house.showing.changed, SHOWN_WITHIN) as change:
            task = asyncio.ensure_future(_worked(visit, work, change))
            house.rush.follow(task)
            left = min(patience, OPEN_FORM_WITHIN - answer.waited)
            await asyncio.wait({task}, timeout=left.total_seconds())
            if not task.done():
                await answer.defer()
            done = await task
            if done.failed:
                for challenge in change.challenges:
                    house.invitations.in_doubt(challenge)
            place = await _answered(house, answer, done, change)
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
        late = isinstance(error, discord.HTTPException) and error.code in TOO_LATE | GONE
        if late or isinstance(error, post.NETWORK):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args = f"suggestions not delivered: {error!r}", ()
            record.exc_info = record.exc_text = None
        return True


async def _answered(house: House, answer: Answer, done: Done, change: Change) -> Place | None:
    """Answer, and have known where that stands; return it, or None if it doesn't."""
    place = await answer.give(done, change)
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


async def _only_the_newest(house: House, answer: Answer, refusal: MessageId | None) -> None:
    """Take away the note that refused this person's form before: what came of this one stands."""
    stands = None if refusal is None else answer.private_place(refusal)
    visit = answer.visit
    before = house.refused.put(visit.person, visit.channel, stands, house.now())
    if before is not None:
        with suppress(post.Undelivered):  # it only looks untidy
            await house.post.delete_private(before)


async def _worked(visit: Visit, work: Work, change: Change) -> Done:
    """Do the work and draw its pictures; a refusal or a fault becomes a private note."""
    deed.witnessed_by(change)
    told_of_commits.set(change.committed)
    told_of_doubts.set(change.doubted)
    try:
        reply = await work(visit)
        change.answered(reply.changed)
        files = [] if reply.page is None else await easel.draw(reply.page, urgent=True)
        return Done(reply, reply.page, files)
    except Refusal as refusal:
        return replace(note(refusal.sentence), refused=True)
    except DatabaseUnusable as error:
        log.error("database unusable", why=str(error))
        return replace(note(database_sentence(change)), failed=True)
    except Exception as error:  # the last boundary: a person must get an answer to any fault
        reference = secrets.token_hex(3)
        log.exception("fault", reference=reference, error=type(error).__name__)
        return replace(note(fault_sentence(reference, change)), failed=True)


async def _too_fast(_visit: Visit) -> Reply:
    raise NotPossibleNow(
        _("That was a lot in a few seconds. Take a breath; in ten seconds I'm with you again.")
    )


async def _nothing(_visit: Visit) -> Reply:
    return Reply()  # the note that he was given stands


async def _guarded(act: Awaitable[None]) -> None:
    try:
        await act
    except Exception:  # what was promised is committed; the repair at the next show catches up
        log.exception("after the answer")
