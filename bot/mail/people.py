"""People: their last known names and their direct messages."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.front.visit import Visit
from bot.mail.post import DirectMessagesClosed, Post, TryLater, Undelivered
from bot.now import Now
from bot.ui.former import told_apart
from bot.ui.language import _
from bot.ui.page import PersonShown
from db.ids import ChannelId, PersonId, ServerId, has_gone
from db.rows import Wishes
from db.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


TRIED_AGAIN_AFTER: Final = timedelta(minutes=1)
"""Closed direct messages may have been opened since, when their owner acts."""


class People:
    """Remembers who was seen under which name; opens direct messages once and keeps them."""

    def __init__(self, store: Store, post: Post, now: Now) -> None:
        self._store = store
        self._post = post
        self._now = now
        self._names: dict[PersonId, str] = {}
        self._wishes: dict[PersonId, Wishes] = {}
        self._open: dict[PersonId, ChannelId] = {}
        """Direct messages that were open when last tried; those that closed are noticed there."""
        self._told: set[PersonId] = set()
        self._closed: dict[PersonId, datetime | None] = {}
        """Whose messages are closed, and when that was last tried since the start."""

    async def wishes(self, person: PersonId) -> Wishes:
        """How this person wants things."""
        known = self._wishes.get(person)
        if known is None:
            async with self._store.reading() as tx:
                known = await tx.wishes.of(person)
            self._wishes[person] = known
        return known

    async def wish(self, person: PersonId, wanted: Wishes) -> None:
        """Remember how this person wants things."""
        async with self._store.transaction() as tx:
            await tx.wishes.put(person, wanted)
        self._wishes[person] = wanted

    def forget(self, person: PersonId) -> None:
        """Keep nothing of this person in memory."""
        self._wishes.pop(person, None)
        self._names.pop(person, None)
        self._open.pop(person, None)
        self._closed.pop(person, None)
        self._told.discard(person)

    async def seen(self, visit: Visit) -> None:
        """Note what somebody who just came to the desk is called now, and try his messages anew.

        Of who only looks nothing is written down: that begins when he joins.
        """
        await self._perhaps_opened(visit.person)
        if await self._is_named(visit.person):
            await self.joins(visit)

    async def joins(self, visit: Visit) -> None:
        """Know somebody from here on: he plays, decides for a server, or sets what he wants."""
        if visit.in_direct_messages and await self._is_named(visit.person):
            return  # there he goes by another name than at the table
        await self.named(visit.person, visit.name)

    async def joins_in(self, tx: Transaction, visit: Visit) -> None:
        """The same within a transaction: he is known if that is committed, and else he isn't."""
        if visit.in_direct_messages and await self._is_named(visit.person):
            return
        if self._names.get(visit.person) != visit.name:
            await tx.people.seen(visit.person, visit.name, self._now())
            self._names.pop(visit.person, None)  # read when it is there

    async def _perhaps_opened(self, person: PersonId) -> None:
        if person not in self._closed:
            return
        tried = self._closed[person]
        if tried is None or self._now() - tried >= TRIED_AGAIN_AFTER:
            await self.may_be_open(person)

    async def _is_named(self, person: PersonId) -> bool:
        if person not in self._names:
            await self.shown([person])
        return bool(self._names.get(person))

    async def named(self, person: PersonId, name: str) -> None:
        """Note a person's present name, written only when it is news."""
        if self._names.get(person) == name:
            return
        async with self._store.transaction(aside=True) as tx:
            await tx.people.seen(person, name, self._now())
        self._names[person] = name

    async def shown(self, people: Iterable[PersonId]) -> tuple[PersonShown, ...]:
        """The people as pages show them, in the order given; former players told apart."""
        wanted = tuple(people)
        missing = [person for person in wanted if person not in self._names]
        if missing:
            async with self._store.reading() as tx:
                rows = await tx.people.get_many(missing)
            for person, row in rows.items():
                self._names[person] = row.name
        return told_apart(PersonShown(person, self._name(person)) for person in wanted)

    def _name(self, person: PersonId) -> str:
        if has_gone(person):
            return _("Former player")
        return self._names.get(person, _("somebody"))

    async def direct_channel(self, person: PersonId) -> ChannelId | None:
        """The person's direct messages; None while they are closed. Raises `TryLater`."""
        if has_gone(person):
            return None
        if person in self._open:
            return self._open[person]
        async with self._store.reading() as tx:
            row = (await tx.people.get_many([person])).get(person)
        if row is not None and row.dm_closed:
            self._closed.setdefault(person, None)
            return None
        if row is None or row.dm_channel_id is None:
            return await self.open_direct(person)
        self._open[person] = row.dm_channel_id
        return row.dm_channel_id

    async def has_left(self, server: ServerId, person: PersonId) -> bool:
        """Whether a person isn't on a server any more; False where Discord doesn't say it."""
        try:
            return not await self._post.is_member(server, person)
        except Undelivered:
            return False

    async def open_direct(self, person: PersonId) -> ChannelId | None:
        """Open direct messages with somebody who pressed something; None where he takes none.

        Raises `TryLater` where the network or Discord failed, which says nothing about him.
        """
        try:
            channel = await self._post.open_direct(person)
        except DirectMessagesClosed:
            await self.closed(person)
            return None
        except TryLater:
            raise
        except Undelivered:
            return None
        async with self._store.transaction(aside=True) as tx:
            await tx.people.set_dm(person, channel, closed=False)
        self._open[person] = channel
        return channel

    def is_to_be_told(self, person: PersonId) -> bool:
        """Whether somebody doesn't know yet why he is called in the channel."""
        return person not in self._told

    def told(self, person: PersonId) -> None:
        """Note that somebody was told why he is called in the channel."""
        self._told.add(person)

    async def closed(self, person: PersonId) -> None:
        """Note that this person's direct messages are closed: the hand is shown elsewhere."""
        log.info("direct messages closed", person=person)
        self._open.pop(person, None)
        self._closed[person] = self._now()
        async with self._store.transaction(aside=True) as tx:
            row = (await tx.people.get_many([person])).get(person)
            channel = None if row is None else row.dm_channel_id
            await tx.people.set_dm(person, channel, closed=True)

    async def may_be_open(self, person: PersonId) -> None:
        """Try direct messages again at the next occasion (a match begins, their owner acts)."""
        self._closed.pop(person, None)
        async with self._store.transaction(aside=True) as tx:
            row = (await tx.people.get_many([person])).get(person)
            if row is not None and row.dm_closed:
                await tx.people.set_dm(person, row.dm_channel_id, closed=False)
