"""Answering interactions in time, whatever happens.

Order of an answer: work; if it is quick, answer with the result; if not, defer after
``ANSWER_WITHIN`` (silently for controls, privately for commands) and answer when it is there.
Refusals become private notes; faults are logged once with a reference that the person is given.
An answer that comes too late (10062, 10015, 50027) or stands already (40060) is logged as one
warning: what was done is committed and stands on the table all the same.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import discord
import structlog

from bot import post
from bot.refusals import Refusal
from bot.reply import Reply
from bot.ui.language import _, speaking
from bot.ui.pages import note_page
from bot.visit import Visit
from db.ids import ChannelId, MessageId

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ANSWER_WITHIN: Final = timedelta(seconds=1.2)
"""Discord waits three seconds from the press; the way here and back takes some of them."""

TOO_LATE: Final = frozenset(
    {
        post.UNKNOWN_INTERACTION,
        post.UNKNOWN_WEBHOOK,
        post.INVALID_TOKEN,
        post.ALREADY_ACKNOWLEDGED,
        post.UNKNOWN_MESSAGE,
    }
)

Interaction = discord.Interaction[discord.Client]
Work = Callable[[Visit], Awaitable[Reply]]


async def serve(interaction: Interaction, work: Work) -> Reply:
    """Do ``work`` for this interaction and answer it; never raises what a person or Discord did.

    Returns the reply that was (or could not be) given, for the caller to show what changed.
    """
    visit = Visit.of(interaction)
    with (
        structlog.contextvars.bound_contextvars(interaction=visit.interaction),
        speaking(visit.locale),
    ):
        task = asyncio.ensure_future(_worked(visit, work))
        done, _pending = await asyncio.wait({task}, timeout=ANSWER_WITHIN.total_seconds())
        if not done:
            await _deliver(_defer(interaction, visit))
        reply = await task
        place = await _deliver(_answer(interaction, visit, reply))
        if place is not None and reply.delivered is not None:
            await _guarded(reply.delivered(*place))
        return reply


async def _worked(visit: Visit, work: Work) -> Reply:
    try:
        return await work(visit)
    except Refusal as refusal:
        return Reply(page=note_page(refusal.sentence), in_place=False)
    except Exception as error:  # the last boundary: a person must get an answer to any fault
        reference = secrets.token_hex(3)
        log.exception("fault", reference=reference, error=type(error).__name__)
        return Reply(
            page=note_page(
                _(
                    "Something went wrong on our side, and nothing was lost. Please try again; "
                    "if it stays, tell the host this reference: `{reference}`."
                ).format(reference=reference)
            ),
            in_place=False,
        )


async def _guarded(act: Awaitable[None]) -> None:
    try:
        await act
    except Exception:  # what was promised is committed; the repair at the next show catches up
        log.exception("after the answer")


async def _deliver(
    sending: Awaitable[tuple[ChannelId, MessageId] | None],
) -> tuple[ChannelId, MessageId] | None:
    try:
        return await sending
    except discord.HTTPException as error:
        if error.code not in TOO_LATE and error.status < 500:
            log.error("answer refused", code=error.code, status=error.status, text=error.text)
        else:
            log.warning("answer not delivered", code=error.code, status=error.status)
    except discord.InteractionResponded:
        log.warning("answered twice")
    except (OSError, TimeoutError) as error:
        log.warning("answer not delivered", error=type(error).__name__)
    return None


async def _defer(interaction: Interaction, visit: Visit) -> None:
    if visit.on_private_panel:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


async def _answer(
    interaction: Interaction, visit: Visit, reply: Reply
) -> tuple[ChannelId, MessageId] | None:
    if interaction.response.is_done():
        return await _answer_late(interaction, visit, reply)
    if reply.modal is not None:
        await interaction.response.send_modal(reply.modal)
        return None
    if reply.page is None:
        await _defer(interaction, visit)
        return None
    files = await post.draw(reply.page.pictures)
    if _changes_the_message(visit, reply):
        answer = await interaction.response.edit_message(
            view=reply.page.layout,
            attachments=files,
            allowed_mentions=post.NOBODY.allowed(),
        )
    else:
        answer = await interaction.response.send_message(
            view=reply.page.layout,
            files=files,
            ephemeral=not reply.public,
            allowed_mentions=post.Ping(reply.ping).allowed(),
        )
    message = answer.message_id if answer is not None else None
    return None if message is None else (visit.channel, MessageId(message))


async def _answer_late(
    interaction: Interaction, visit: Visit, reply: Reply
) -> tuple[ChannelId, MessageId] | None:
    """Answer after a defer. The first follow-up edits, and mentions in edits don't ping."""
    page = reply.page or note_page(_("That took too long. Please press it once more."))
    files = await post.draw(page.pictures)
    if _changes_the_message(visit, reply) or (not visit.on_private_panel and not reply.public):
        edited = await interaction.edit_original_response(
            view=page.layout, attachments=files, allowed_mentions=post.NOBODY.allowed()
        )
        return visit.channel, MessageId(edited.id)
    if not visit.on_private_panel:  # a private "thinking" can't become public: settle it first
        await interaction.edit_original_response(view=note_page(_("Done, see below.")).layout)
    sent = await interaction.followup.send(
        view=page.layout,
        files=files,
        ephemeral=not reply.public,
        allowed_mentions=post.Ping(reply.ping).allowed(),
        wait=True,
    )
    return visit.channel, MessageId(sent.id)


def _changes_the_message(visit: Visit, reply: Reply) -> bool:
    if reply.replaces_public and visit.message is not None:
        return True
    return visit.on_private_panel and reply.in_place
