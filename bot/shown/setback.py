"""Set back: after a backup was restored, says so where people have seen what came after it.

The tables and hands themselves count as stale then, and are shown anew by `Showing.restore`.
"""

from __future__ import annotations

from datetime import datetime

import structlog

from bot.mail.governor import Urgency
from bot.mail.post import Post, TryLater, Undelivered
from bot.refusals import ChallengeRefused
from bot.shown.invitations import Invitations
from bot.ui.pages import note_page
from bot.ui.pages.places import gone_since_words, set_back_words
from db.ids import ChallengeId, ChannelId, MessageId
from db.setback import Chore, Task
from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class SetBack:
    """Does what a restore has left to be done, each thing once."""

    def __init__(self, store: Store, post: Post, invitations: Invitations) -> None:
        self._store = store
        self._post = post
        self._invitations = invitations

    async def carry_out(self) -> bool | None:
        """Do what is left; None if there was nothing, else whether all of it is done now.

        What Discord doesn't take just now is to be tried again, and so is what a fault of ours
        kept from being done, which keeps nothing else; what Discord refuses is let be.
        """
        async with self._store.reading() as tx:
            since = await tx.set_back.since()
            chores = await tx.set_back.chores()
        if since is None or not chores:
            return None
        left = [chore for chore in chores if not await self._is_done(chore, since)]
        log.info("set back", to=since.isoformat(), tasks=len(chores), left=len(left))
        return not left

    async def _is_done(self, chore: Chore, since: datetime) -> bool:
        try:
            await self._do(chore, since)
        except TryLater:
            return False
        except (Undelivered, ChallengeRefused):
            log.info("not set back", task=chore.task.value, place=chore.place)
        except Exception:
            log.exception("not set back yet", task=chore.task.value, place=chore.place)
            return False
        async with self._store.transaction() as tx:
            await tx.set_back.done(chore)
        return True

    async def _do(self, chore: Chore, since: datetime) -> None:
        channel, message = ChannelId(chore.place), MessageId(chore.message)
        if chore.task is Task.TELL:
            page = note_page(set_back_words(since))
            once = f"b{chore.place:x}.{self._store.generation:x}"[-25:]
            await self._post.send(channel, page, urgency=Urgency.TABLE, silent=True, once=once)
        elif chore.task is Task.SHOW_CHALLENGE:
            await self._invitations.expire()  # its time may have passed long since
            await self._invitations.show_again(ChallengeId(chore.place), insists=True)
        elif chore.task is Task.DELETE:
            await self._post.delete(channel, message)
        else:
            page = note_page(gone_since_words(since))
            await self._post.edit(channel, message, page, urgency=Urgency.TIDY)
