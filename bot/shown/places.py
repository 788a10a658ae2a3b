"""Places: where tables can stand, and what happens when one can't stand where it stood.

An archived thread is brought back; from one that is gone or closed the table goes to the channel
of the thread; without that the match is parked until it is moved or ended; where a permission is
missing the table waits for it. The players are told once, by direct message, also across restarts
(faults.md, rows 13 to 15).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import (
    ChannelGone,
    DirectMessagesClosed,
    Post,
    ThreadArchived,
    ThreadClosed,
    TryLater,
    Undelivered,
)
from bot.now import Now
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.refusals import UnreadableMatch
from bot.shown.record import Record
from bot.ui.pages import note_page
from bot.ui.pages.places import gone_words, moved_words, rights_words
from db.ids import ChannelId, MatchId, ServerId
from db.rows import Loss, LostPlace, ShownKind
from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

COMES_BACK_WITHIN: Final = timedelta(seconds=30)
"""A thread that is archived again so soon after it was brought back counts as closed."""


class Places:
    """What is known of tables without a place."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        post: Post,
        people: People,
        presence: Presence,
        changed: Callable[[MatchId], None],
        in_doubt: Callable[[MatchId], None],
        hands_in_doubt: Callable[[MatchId], None],
        record: Record,
        now: Now,
    ) -> None:
        self._store = store
        self._now = now
        self._tables = tables
        self._post = post
        self._people = people
        self._presence = presence
        self._changed = changed
        self._in_doubt = in_doubt
        self._hands_in_doubt = hands_in_doubt
        self._record = record
        self._lost: dict[MatchId, LostPlace] = {}
        self._brought_back: dict[ChannelId, float] = {}
        self._telling: set[MatchId] = set()
        self._still: dict[ServerId, set[MatchId]] = {}
        self._ended: dict[MatchId, ServerId] = {}
        """Matches whose table can't show their end at present; a start finds them anew."""
        self._reading = asyncio.Lock()
        self._is_read = False

    async def restore(self) -> None:
        """After a start: read what is lost, and tell those who weren't told."""
        await self.read()
        for loss in tuple(self._lost.values()):
            try:
                table = await self._tables.load(loss.match_id)
            except UnreadableMatch:
                continue
            if table is None or table.is_over:
                await self._forget(loss.match_id)
            else:
                await self._tell_or_later(table)

    async def read(self) -> None:
        """Read once what was lost before this start; whoever asks has to have awaited it."""
        if not self._is_read:
            async with self._reading:
                await self._read()

    async def _read(self) -> None:
        if self._is_read:
            return
        async with self._store.reading() as tx:
            for loss in await tx.lost_places.all():
                self._lost.setdefault(loss.match_id, loss)
        self._is_read = True

    def may_stand(self, table: Table) -> bool:
        """Whether it makes sense to try to show this table."""
        return not self._presence.is_absent(table.row.server_id) and not self._is_parked(table)

    def clock_stands(self, table: Table) -> bool:
        """Whether nobody's time is counted now, since the server of this match can't be served.

        Whoever asks shows it: `still` has what to show anew when the server is back.
        """
        if not self._presence.is_suspended(table.row.server_id):
            return False
        self._still.setdefault(table.row.server_id, set()).add(table.id)
        return True

    def still(self, server: ServerId) -> set[MatchId]:
        """The matches of which it was shown that their clock stands still with the server."""
        return self._still.pop(server, set())

    def has_table(self, table: Table) -> bool:
        """Whether people find the table of this match at present."""
        loss = self._lost.get(table.id)
        waits = loss is not None and loss.why is Loss.RIGHTS and loss.channel_id == table.channel
        return self.may_stand(table) and not waits

    def is_gone(self, table: Table) -> bool:
        """Whether the channel of this table is gone: it stands nowhere until it is moved."""
        return not table.is_over and self._is_parked(table)

    def _is_parked(self, table: Table) -> bool:
        loss = self._lost.get(table.id)
        return loss is not None and loss.why is Loss.GONE and loss.channel_id == table.channel

    async def waits(self, table: Table) -> None:
        """A table can't be shown at present: tell those who don't know yet. Raises `TryLater`."""
        if not self._presence.is_absent(table.row.server_id):
            await self._tell(table)

    async def over(self, match: MatchId) -> None:
        """A match has ended: nobody misses its table any more."""
        self._ended.pop(match, None)
        if match in self._lost:
            await self._forget(match)

    async def stands(self, table: Table, *, posted: bool) -> None:
        """A table could be shown where it belongs (``posted``: as a new message).

        Raises `TryLater` where the players can't be told of it yet.
        """
        await self.read()
        loss = self._lost.get(table.id)
        if loss is None:
            return
        if loss.why is Loss.MOVED:
            await self._tell(table)
        elif loss.channel_id != table.channel:
            await self._found_another(table, loss)
        elif posted or self._has_rights(table):
            await self._forget(table.id)

    async def _found_another(self, table: Table, loss: LostPlace) -> None:
        """A table without a place was given another: those who were told have to know where."""
        now = self._now()
        async with self._store.transaction(aside=True) as tx:
            await tx.lost_places.put(table.id, loss.channel_id, Loss.MOVED, now)
        self._lost[table.id] = LostPlace(table.id, loss.channel_id, Loss.MOVED, frozenset(), now)
        await self._take_notices(table.id)
        await self._tell(table)

    def _has_rights(self, table: Table) -> bool:
        """An edit alone proves little: it needs fewer permissions than a new message."""
        return self._post.missing_rights(table.channel) == ()

    async def _forget(self, match: MatchId) -> None:
        self._lost.pop(match, None)
        async with self._store.transaction(aside=True) as tx:
            await tx.lost_places.forget(match)
        await self._take_notices(match)

    async def _take_notices(self, match: MatchId) -> None:
        """Take away what players were told of a table without a place: it has one again."""
        async with self._store.reading() as tx:
            rows = await tx.shown.of_match(match)
        for row in rows:
            if row.kind is ShownKind.NOTICE:
                await self._record.take_away(row)
        if any(match == one for one, _seat in self._record.left):
            self._changed(match)  # each is for its player's part, which nobody is showing now

    # ------------------------------------------------------------------------- what went wrong

    async def failed(self, table: Table, error: Undelivered) -> bool:
        """A place failed as ``error`` says; whether the table can be shown after all, now.

        Told to the players: when the table stands somewhere else, or when it stands nowhere.
        Raises `TryLater` where that can't be said to all of them yet; `waits` goes on with it.
        """
        await self.read()
        if self._presence.is_absent(table.row.server_id):
            return False
        thread = table.row.thread_id
        if isinstance(error, ThreadArchived) and await self._bring_back(table.channel):
            return True
        if table.is_over:
            if not isinstance(error, ChannelGone):
                self._ended[table.id] = table.row.server_id
            return False
        if isinstance(error, ChannelGone | ThreadClosed) and thread is not None:
            return await self._move(table, thread)
        why = Loss.GONE if isinstance(error, ChannelGone) else Loss.RIGHTS
        await self._lose(table, why)
        await self._tell(table)
        return False

    async def _bring_back(self, thread: ChannelId) -> bool:
        now = asyncio.get_running_loop().time()
        before = self._brought_back.get(thread)
        if before is not None and now - before < COMES_BACK_WITHIN.total_seconds():
            return False
        try:
            await self._post.unarchive(thread)
        except TryLater:
            raise
        except Undelivered:
            return False
        self._brought_back = {
            other: then
            for other, then in self._brought_back.items()
            if now - then < COMES_BACK_WITHIN.total_seconds()
        }
        self._brought_back[thread] = now
        return True

    async def _move(self, table: Table, thread: ChannelId) -> bool:
        """Let a table go from its thread to the channel of the thread."""
        now = self._now()
        async with self._tables.beside(table.id) as tx:
            row = await tx.matches.get(table.id)
            if row is None or row.thread_id != thread:
                return True  # somebody was quicker
            await tx.matches.set_thread(table.id, None)
            await tx.lost_places.put(table.id, thread, Loss.MOVED, now)
        self._lost[table.id] = LostPlace(table.id, thread, Loss.MOVED, frozenset(), now)
        log.info("table leaves its thread", match=table.id)
        return True

    async def _lose(self, table: Table, why: Loss) -> None:
        now = self._now()
        async with self._store.transaction(aside=True) as tx:
            known = await tx.lost_places.of_match(table.id)
            if known is None or (known.why, known.channel_id) != (why, table.channel):
                await tx.lost_places.put(table.id, table.channel, why, now)
                known = LostPlace(table.id, table.channel, why, frozenset(), now)
        if self._lost.get(table.id) != known:
            log.info("table has no place", match=table.id, why=why.value)
            self._lost[table.id] = known
            self._hands_in_doubt(table.id)

    # ------------------------------------------------------------------------------ the players

    async def _tell_or_later(self, table: Table) -> None:
        try:
            await self._tell(table)
        except TryLater:
            self._in_doubt(table.id)

    async def _tell(self, table: Table) -> None:
        """Tell those who don't know yet; who takes no direct messages reads it on his hand.

        Raises `TryLater` when all were tried and somebody couldn't be told.
        """
        if table.is_over or table.id in self._telling:
            return
        self._telling.add(table.id)
        try:
            done: tuple[Loss, datetime] | None = None
            while (loss := self._lost.get(table.id)) is not None and (loss.why, loss.at) != done:
                done = loss.why, loss.at  # another one may come while this one is told
                await self._tell_of(table, loss)
        finally:
            self._telling.discard(table.id)

    async def _tell_of(self, table: Table, loss: LostPlace) -> None:
        told = set(loss.told)
        later: TryLater | None = None
        for seat in range(len(table.people)):
            if seat in told:
                continue
            try:
                await self._tell_one(table, loss, seat)
                told.add(seat)
            except TryLater as error:
                later = error
        await self._note_told(table, loss, frozenset(told))
        if later is not None:
            raise later

    async def _tell_one(self, table: Table, loss: LostPlace, seat: int) -> None:
        page = note_page(await self._words(table, loss), warning=True)
        try:
            channel = await self._people.direct_channel(table.people[seat])
            if channel is not None:
                moment = int(loss.at.timestamp() * 1000)
                once = f"{loss.why.value[0]}{table.id:x}.{moment:x}.{seat}"[-25:]
                message = await self._post.send(channel, page, urgency=Urgency.TURN, once=once)
                if loss.why is not Loss.MOVED:  # that stays so
                    where = ShownKind.NOTICE, seat, channel
                    await self._record.note(table.id, where, message, table.head)
        except TryLater:
            raise
        except DirectMessagesClosed:
            await self._people.closed(table.people[seat])
        except Undelivered:
            log.info("not told of a lost place", match=table.id, seat=seat)

    async def _words(self, table: Table, loss: LostPlace) -> str:
        people = await self._people.shown(table.people)
        if loss.why is Loss.MOVED:
            return moved_words(table.id, people, table.channel)
        if loss.why is Loss.GONE:
            return gone_words(table.id, people)
        missing = self._post.missing_rights(loss.channel_id) or ()
        return rights_words(table.id, people, loss.channel_id, missing)

    async def _note_told(self, table: Table, loss: LostPlace, told: frozenset[int]) -> None:
        if self._lost.get(table.id) != loss or told == loss.told:
            return
        if loss.why is Loss.MOVED and len(told) == len(table.people):
            await self._forget(table.id)
            return
        self._lost[table.id] = LostPlace(loss.match_id, loss.channel_id, loss.why, told, loss.at)
        async with self._store.transaction(aside=True) as tx:
            await tx.lost_places.told(table.id, told)

    # --------------------------------------------------------------------------- what happened

    async def channel_gone(self, channel: ChannelId) -> None:
        """A channel or thread was deleted: its tables look for another place."""
        for table in await self._standing_in(channel):
            try:
                if await self.failed(table, ChannelGone("deleted")):
                    self._changed(table.id)
            except TryLater:
                self._in_doubt(table.id)

    async def closed(self, thread: ChannelId) -> tuple[Table, ...]:
        """A thread was archived or locked; the tables in it that have to be tried there."""
        return tuple(table for table in await self._standing_in(thread) if table.channel == thread)

    async def _standing_in(self, channel: ChannelId) -> list[Table]:
        """The running matches with a table in a channel or in a thread of it."""
        async with self._store.reading() as tx:
            rows = await tx.matches.running_in(channel)
        return await self._tables.load_all(row.id for row in rows)

    async def try_again(self, server: ServerId) -> None:
        """Permissions or locks may have changed on a server: try again what waits for that.

        Also to show the end of a match, with which its table's controls go, and to delete what has
        to go.
        """
        for match in [one for one, where in self._ended.items() if where == server]:
            self._changed(match)
        waiting = [loss.match_id for loss in self._lost.values() if loss.why is Loss.RIGHTS]
        for table in await self._tables.load_all(waiting):
            if table.row.server_id == server:
                # One that could be edited meanwhile isn't behind, but counts only now.
                again = self._in_doubt if self._has_rights(table) else self._changed
                again(table.id)
        await self.try_leftovers(server)

    async def try_leftovers(self, server: ServerId) -> None:
        """Try again to delete what couldn't be deleted so far of the matches of a server."""
        matches = self._record.leftovers.matches
        if matches:
            async with self._store.reading() as tx:
                there = await tx.matches.of_server(server, matches)
            self._record.leftovers.try_again(there)
