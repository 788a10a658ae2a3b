"""Invitations: the messages in which challenges stand, from their posting to what became of them.

The first message is the answer to a command. Where that is lost the challenge is looked for, else
posted, else tried again, and in the end withdrawn: nobody is kept from challenging anew by what
nobody saw. A challenge whose thread is gone or closed moves to the channel of the thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import (
    ChannelGone,
    NotAllowed,
    Ping,
    Post,
    ThreadArchived,
    ThreadClosed,
    TryLater,
    Undelivered,
)
from bot.now import Now
from bot.play.challenges import Challenges
from bot.refusals import ChallengeRefused
from bot.ui.controls import Control, Verb
from bot.ui.escape import name as escaped
from bot.ui.language import _
from bot.ui.pages import challenge_over_page, challenge_page, note_page
from bot.ui.parts import listed
from db.ids import ChallengeId, ChannelId, MessageId, PersonId, ServerId, has_gone
from db.rows import ChallengeRow, ChallengeStatus
from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PAUSES: Final = tuple(timedelta(seconds=pause) for pause in (2, 4, 8, 16, 32))
"""Before each further attempt to post a challenge; after the last it is withdrawn."""
AFTER_A_FAULT: Final = timedelta(minutes=1)
"""Before the same attempt is made once more."""


class Invitations:
    """Every challenge's message, kept true."""

    def __init__(
        self, store: Store, challenges: Challenges, post: Post, people: People, now: Now
    ) -> None:
        self._store = store
        self._challenges = challenges
        self._post = post
        self._people = people
        self._now = now
        self._since = self._now()
        self._being_posted: set[ChallengeId] = set()
        self._again: dict[ChallengeId, tuple[int, datetime]] = {}
        """What is to be posted again: how often that was tried, and when it is next."""
        self._doubtful: dict[ChallengeId, datetime] = {}
        """What a fault kept from being shown, and when that is tried."""
        self._unseen: dict[ChallengeId, ServerId] = {}
        """Settled ones whose message can't say so, as a right is missing or the thread locked."""

    async def posted(self, challenge: ChallengeId, message: MessageId) -> None:
        """Note where the challenge stands."""
        async with self._store.transaction(aside=True) as tx:
            await tx.challenges.set_message(challenge, message)

    async def restore(self) -> None:
        """After a start: post the open challenges that were written but never posted."""
        async with self._store.reading() as tx:
            rows = await tx.challenges.unposted()
        for row in rows:
            if row.created_at < self._since:  # others are being answered just now
                await self.post_again(row)

    async def post_again(self, row: ChallengeRow, attempt: int = 0) -> None:
        """Post a challenge whose answer never reached its channel; where that can't be, end it.

        It may be that only Discord's word of it was lost, so it is looked for first.
        """
        if row.id in self._being_posted:
            return
        self._being_posted.add(row.id)
        try:
            now = await self._challenges.get(row.id)
            if self._is_open(now) and now.message_id is None:
                await self._post_again(now, attempt)
        finally:
            self._being_posted.discard(row.id)

    async def _post_again(self, row: ChallengeRow, attempt: int) -> None:
        if any(has_gone(person) for person in (row.challenger, *row.opponents)):
            await self._end_unseen(row)  # no mention could name him, and nobody could answer
            return
        try:
            accept = Control(Verb.ACCEPT, row.id).encode()
            message = await self._post.find(row.channel_id, accept, row.created_at)
            await self.posted(row.id, message or await self._post_to_channel(row))
        except TryLater:
            await self._post_later(row, attempt)
        except Undelivered as error:
            await self._no_place(row, error)
        except ChallengeRefused:  # by rules that can't be read: nobody could accept it
            await self._end_unseen(row)
        else:
            now = await self._challenges.get(row.id)
            if not self._is_open(now):  # withdrawn, say, while it was on its way
                await self.show_settled(now)

    async def _post_later(self, row: ChallengeRow, attempt: int) -> None:
        if attempt >= len(PAUSES):
            log.warning("challenge never posted", challenge=row.id)
            await self._end_unseen(row)
            return
        log.info("challenge not posted yet", challenge=row.id, attempt=attempt)
        self._again[row.id] = (attempt + 1, self._now() + PAUSES[attempt])
        self._challenges.changed.set()

    def in_doubt(self, challenge: ChallengeId) -> None:
        """It was made or answered, but no answer showed so: do that, as often as that fails."""
        self._doubtful.setdefault(challenge, self._now())
        self._challenges.changed.set()

    async def show_again(self, challenge: ChallengeId, *, insists: bool = False) -> None:
        """Show a challenge as it is, whatever its message says, or post it.

        Where that can't be just now it is done later, or `TryLater` is raised if one ``insists``.
        """
        row = await self._challenges.get(challenge)
        if self._is_open(row) and row.message_id is None:
            await self.post_again(row)
        elif self._is_open(row):
            await self.show_open(row, insists=insists)
        else:
            await self.show_settled(row, insists=insists)

    async def _show_doubtful(self) -> None:
        now = self._now()
        for challenge in [one for one, due in self._doubtful.items() if due <= now]:
            del self._doubtful[challenge]
            await self._show_or_later(challenge)

    async def _show_or_later(self, challenge: ChallengeId) -> None:
        try:
            await self.show_again(challenge)
        except ChallengeRefused:
            log.info("challenge not shown", challenge=challenge)  # nor is there one any more
        except Exception:
            log.exception("challenge not shown", challenge=challenge)
            self._later(challenge)

    def _later(self, challenge: ChallengeId) -> None:
        """Show a challenge in a minute: a fault of ours or of Discord's kept it from that."""
        self._doubtful.setdefault(challenge, self._now() + AFTER_A_FAULT)
        self._challenges.changed.set()

    async def post_due(self) -> datetime | None:
        """Show, or try again to post, what is due; gives when the next of them is."""
        now = self._now()
        for challenge in [one for one, (_count, due) in self._again.items() if due <= now]:
            tried = self._again[challenge]
            try:
                await self.post_again(await self._challenges.get(challenge), tried[0])
            except ChallengeRefused:
                log.info("challenge not posted", challenge=challenge)  # nor is there one any more
            except Exception:  # of ours, not of the challenge: it counts as no attempt
                log.exception("challenge not posted", challenge=challenge)
                self._again[challenge] = tried[0], now + AFTER_A_FAULT
            if self._again.get(challenge) is tried:
                del self._again[challenge]
        await self._show_doubtful()
        due_again = [due for _count, due in self._again.values()]
        return min((*due_again, *self._doubtful.values()), default=None)

    async def _end_unseen(self, row: ChallengeRow) -> None:
        with suppress(ChallengeRefused):  # it was settled meanwhile
            await self._challenges.settle(row, ChallengeStatus.WITHDRAWN)

    async def _post_to_channel(self, row: ChallengeRow) -> MessageId:
        return await self._post.send(
            row.channel_id,
            challenge_page(await self._challenges.shown(row)),
            urgency=Urgency.TURN,
            ping=Ping(row.opponents),
            once=_name_of(row, self._store.generation),
        )

    async def post_elsewhere(self, row: ChallengeRow) -> None:
        """Post a challenge in its channel, when the challenger asked for it from another place."""
        try:
            message = await self._post_to_channel(row)
        except TryLater:
            await self._post_later(row, 0)
        except Undelivered:
            await self._end_unseen(row)
            raise ChallengeRefused(
                _("I can't write in the channel of that match. Challenge anew where I can.")
            ) from None
        else:
            await self.posted(row.id, message)
            now = await self._challenges.get(row.id)
            if not self._is_open(now):  # answered while it was on its way
                await self.show_settled(now)

    # ------------------------------------------------------------------------- kept up to date

    async def show_open(self, row: ChallengeRow, *, insists: bool = False) -> None:
        """Change the challenge's message to who has accepted so far."""
        if row.message_id is None:
            return
        try:
            await self._edit(row, row.message_id)
        except (ChannelGone, ThreadClosed) as error:
            await self._no_place(row, error)
        except TryLater:
            if insists:
                raise
            self._later(row.id)
        except (Undelivered, ChallengeRefused):
            log.info("challenge not shown", challenge=row.id)

    async def _edit(self, row: ChallengeRow, message: MessageId) -> None:
        page = challenge_page(await self._challenges.shown(row))
        try:
            await self._post.edit(row.channel_id, message, page, urgency=Urgency.TIDY)
        except ThreadArchived as archived:
            try:
                await self._post.unarchive(row.channel_id)
            except TryLater:
                raise
            except Undelivered:
                raise archived from None
            await self._post.edit(row.channel_id, message, page, urgency=Urgency.TIDY)

    async def show_settled(self, row: ChallengeRow, *, insists: bool = False) -> None:
        """Change the challenge's message to what became of it (it has no live buttons then)."""
        if row.message_id is None:
            return
        try:
            shown = await self._challenges.shown(row)
            page = challenge_over_page(shown, await self._challenges.became(row))
            await self._post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TIDY)
        except (NotAllowed, ThreadClosed):
            log.info("settled challenge not shown", challenge=row.id)
            self._unseen[row.id] = row.server_id
        except TryLater:
            if insists:
                raise
            self._later(row.id)
        except (Undelivered, ChallengeRefused):
            log.info("challenge not shown", challenge=row.id)

    async def try_again(self, server: ServerId) -> None:
        """Permissions or locks may have changed on a server: show there what became of each."""
        for challenge in [one for one, where in self._unseen.items() if where == server]:
            if self._unseen.pop(challenge, None) is not None:
                await self._show_or_later(challenge)

    async def expire(self) -> None:
        """Settle and show every challenge that has passed its time."""
        async for row in self._challenges.expire_due():
            await self._show_or_later(row.id)  # one that fails keeps no other

    def _is_open(self, row: ChallengeRow) -> bool:
        return row.status is ChallengeStatus.OPEN and row.expires_at > self._now()

    async def watch(self) -> None:
        """Let challenges expire in time, and post what isn't posted; runs as long as the bot."""
        while True:
            self._challenges.changed.clear()
            try:
                await self.expire()
                again = await self.post_due()
                async with self._store.reading() as tx:
                    expiry = await tx.challenges.next_expiry()
                due = min((one for one in (expiry, again) if one is not None), default=None)
            except Exception:  # one failed look must not end the watch
                log.exception("expiry")
                due = self._now() + timedelta(minutes=1)
            wait = None if due is None else max(0.0, (due - self._now()).total_seconds())
            try:
                await asyncio.wait_for(self._challenges.changed.wait(), timeout=wait)
            except TimeoutError:
                continue

    # ----------------------------------------------------------------------- no place to stand

    async def channel_gone(self, channel: ChannelId) -> None:
        """A channel or thread was deleted: its challenges go to the parent, or are over."""
        async with self._store.reading() as tx:
            rows = await tx.challenges.open_in(channel)
        for row in rows:
            await self._no_place(row, ChannelGone("deleted"))

    async def thread_closed(self, thread: ChannelId) -> None:
        """A thread was archived or locked: bring it back, or its challenges out of it."""
        async with self._store.reading() as tx:
            rows = await tx.challenges.open_in(thread)
        for row in rows:
            await self.show_open(row)

    async def _no_place(self, row: ChallengeRow, error: Undelivered) -> None:
        """Post a challenge in the channel of its thread, as that is no place; else withdraw it."""
        if row.parent_id is not None and not isinstance(error, NotAllowed):
            async with self._store.transaction(aside=True) as tx:
                await tx.challenges.move(row.id, row.parent_id)
            log.info("challenge leaves its thread", challenge=row.id)
            await self._post_again(await self._challenges.get(row.id), 0)
            return
        await self._end_unseen(row)
        said = _(
            "Your challenge to {names} is withdrawn: it can't stand in its channel any more. "
            "Make a new one elsewhere with `/gin challenge`."
        ).format(names=await self._names(row.opponents))
        await self._tell(row.challenger, said)

    # ---------------------------------------------------------------------------------- blocks

    async def blocked(self, settled: Iterable[ChallengeId], person: PersonId) -> None:
        """Show that challenges are withdrawn as a server blocks ``person``, and tell who waits."""
        for challenge in settled:
            row = await self._challenges.get(challenge)
            await self.show_settled(row)
            await self._tell(row.challenger, await self._why_withdrawn(row, person))
            said = _(
                "{name}'s challenge, which you had accepted, is withdrawn: no match comes of it."
            ).format(name=await self._names((row.challenger,)))
            for other in row.accepted:
                await self._tell(other, said)

    async def _why_withdrawn(self, row: ChallengeRow, blocked: PersonId) -> str:
        """What the challenger is told: that he himself is blocked nobody else is told."""
        names = await self._names(row.opponents)
        if row.challenger == blocked:
            return _(
                "Your challenge to {names} is withdrawn: you can't play on that server at present. "
                "Its moderators can tell you more."
            ).format(names=names)
        return _(
            "Your challenge to {names} is withdrawn: {name} can't be challenged there just now. "
            "`/gin challenge` asks somebody else."
        ).format(names=names, name=await self._names((blocked,)))

    async def _names(self, people: Iterable[PersonId]) -> str:
        return listed([escaped(person.name) for person in await self._people.shown(people)])

    async def _tell(self, person: PersonId, said: str) -> None:
        """Say something by direct message; where that can't be, the challenge's message says it."""
        try:
            channel = await self._people.direct_channel(person)
            if channel is not None:
                await self._post.send(channel, note_page(said), urgency=Urgency.TURN)
        except Undelivered:
            log.info("not told of a withdrawn challenge", person=person)


def _name_of(row: ChallengeRow, generation: int) -> str:
    """A name for a challenge's message in one channel: elsewhere it is another message."""
    began, where = int(row.created_at.timestamp()) ^ generation, row.channel_id % 65_521
    return f"c{row.id:x}.{began:x}.{where:x}"[-25:]
