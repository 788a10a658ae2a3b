"""Showing: keeps the table message and the private hands up to date with the log.

What is shown is a projection; each message is remembered with the version that it shows. One
worker a match brings stale messages up to date: latest wins, failures are tried again, and after
a restart everything stale is found and repaired. Nothing here is inside a transaction.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from bot.governor import Urgency
from bot.people import People
from bot.post import (
    ChannelGone,
    DirectMessagesClosed,
    MessageGone,
    NotAllowed,
    Ping,
    Post,
    TryLater,
    Undelivered,
)
from bot.table import Table
from bot.tables import Tables
from bot.ui.page import MatchShown, Page
from bot.ui.pages import panel_page, ping_page, table_page
from db.ids import ChannelId, MatchId, MessageId
from db.rows import ShownKind, ShownRow
from db.store import Store
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

STILL_THERE: Final = timedelta(minutes=2)
"""Who acted this recently is looking: his panel is edited, not sent anew."""
EDITABLE_FOR: Final = timedelta(minutes=50)
"""Discord throttles edits of messages older than an hour."""
FAR_UP: Final = 20
"""So many messages below the table, and it is posted again at the next turn."""
FIRST_RETRY: Final = timedelta(seconds=3)
LAST_RETRY: Final = timedelta(minutes=5)

TABLE: Final = -1


class Showing:
    """Brings every message of a match up to date, one worker a match."""

    def __init__(self, store: Store, tables: Tables, post: Post, people: People) -> None:
        self._store = store
        self._tables = tables
        self._post = post
        self._people = people
        self._stale: set[MatchId] = set()
        self._workers: dict[MatchId, asyncio.Task[None]] = {}
        self._failures: Counter[MatchId] = Counter()
        self._retries: dict[MatchId, asyncio.TimerHandle] = {}
        self._below: Counter[ChannelId] = Counter()
        self._watched: set[ChannelId] = set()

    async def shown(self, table: Table, seat: Seat | None) -> MatchShown:
        """What pages need of a match, as one seat (None: everybody) may see it."""
        async with self._store.reading() as tx:
            row = await tx.shown.get(table.id, TABLE, ShownKind.TABLE)
        return await self._shown(table, seat, row)

    async def _shown(self, table: Table, seat: Seat | None, row: ShownRow | None) -> MatchShown:
        url = None
        if row is not None:
            url = f"https://discord.com/channels/{table.row.server_id}/{row.channel_id}/{row.message_id}"
        return MatchShown(
            match_id=table.id,
            version=table.head,
            view=table.view(seat),
            people=await self._people.shown(table.people),
            table_url=url,
        )

    def changed(self, match: MatchId) -> None:
        """Something happened at this match: bring its messages up to date soon."""
        self._stale.add(match)
        if match not in self._workers:
            task = asyncio.create_task(self._work(match), name=f"show-{match}")
            self._workers[match] = task

    async def restore(self) -> None:
        """After a start: look at every match whose messages may be stale."""
        async with self._store.reading() as tx:
            running = await tx.matches.running_ids()
            behind = await tx.shown.stale(limit=10_000)
        for match in sorted({*running, *(row.match_id for row in behind)}):
            self.changed(match)
            await self._workers[match]

    async def settle(self) -> None:
        """Wait until every worker has finished (before the bot closes)."""
        for timer in self._retries.values():
            timer.cancel()
        while self._workers:
            await asyncio.gather(*self._workers.values(), return_exceptions=True)

    def someone_wrote(self, channel: ChannelId) -> None:
        """Another message stands below the table of this channel."""
        if channel in self._watched:
            self._below[channel] += 1

    async def hand_shown(
        self, match: MatchId, seat: Seat, channel: ChannelId, message: MessageId, version: int
    ) -> None:
        """An answer put this person's hand, at ``version``, into his direct messages."""
        async with self._store.reading() as tx:
            old = await tx.shown.get(match, seat, ShownKind.HAND)
        await self._note(match, ShownKind.HAND, seat, channel, message, version, keep=old)
        if old is not None and old.message_id != message:
            await self._remove(old)

    async def tell_others(self, table: Table, seat: Seat, page: Page) -> None:
        """Send a question of one player to the others: by direct message, else in the channel."""
        for other, person in enumerate(table.people):
            if other == seat:
                continue
            channel = await self._people.direct_channel(person)
            try:
                if channel is not None:
                    await self._post.send(channel, page, urgency=Urgency.TURN)
                    continue
            except DirectMessagesClosed:
                await self._people.closed(person)
            except Undelivered:
                log.info("question not delivered", match=table.id, seat=other)
            await self._post.send(table.channel, page, urgency=Urgency.TURN, ping=Ping(person))

    async def _work(self, match: MatchId) -> None:
        try:
            while match in self._stale:
                self._stale.discard(match)
                try:
                    await self._refresh(match)
                    self._failures.pop(match, None)
                except TryLater:
                    self._retry(match)
                except Exception:  # a fault in one match's pages must not stop the others
                    log.exception("not shown", match=match)
                    self._retry(match)
        finally:
            del self._workers[match]

    def _retry(self, match: MatchId) -> None:
        self._failures[match] += 1
        wait = min(LAST_RETRY, FIRST_RETRY * 2 ** min(self._failures[match] - 1, 10))
        if match in self._retries:
            self._retries[match].cancel()
        self._retries[match] = asyncio.get_running_loop().call_later(
            wait.total_seconds(), self.changed, match
        )

    async def _refresh(self, match: MatchId) -> None:
        table = await self._tables.load(match)
        if table is None:
            return
        async with self._store.reading() as tx:
            rows = {(row.kind, row.seat): row for row in await tx.shown.of_match(match)}
        on_table = rows.get((ShownKind.TABLE, TABLE))
        seats = [Seat(number) for number in range(len(table.people))]
        outcomes = await asyncio.gather(
            *(
                self._refresh_hand(
                    table,
                    seat,
                    on_table,
                    rows.get((ShownKind.HAND, seat)),
                    rows.get((ShownKind.PING, seat)),
                )
                for seat in seats
            ),
            self._refresh_table(table, on_table),
            return_exceptions=True,
        )
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        for error in failed:
            if not isinstance(error, Undelivered):
                raise error
        if any(isinstance(error, TryLater) for error in failed):
            raise TryLater("some of it")

    # --------------------------------------------------------------------------- the table

    async def _refresh_table(self, table: Table, row: ShownRow | None) -> None:
        channel = table.channel
        self._watch(channel, table)
        if row is not None and row.version >= table.head:
            return
        page = table_page(await self._shown(table, None, row))
        if row is not None and not self._lies_far_up(row):
            try:
                await self._post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TABLE)
            except MessageGone:
                log.info("table posted again", match=table.id)
            else:
                await self._note(
                    table.id, ShownKind.TABLE, TABLE, row.channel_id, row.message_id,
                    table.head, keep=row,
                )  # fmt: skip
                return
        message = await self._post.send(
            channel, table_page(await self._shown(table, None, None)) if row else page,
            urgency=Urgency.TABLE, silent=row is not None,
        )  # fmt: skip
        self._below[channel] = 0
        await self._note(table.id, ShownKind.TABLE, TABLE, channel, message, table.head)
        if row is not None:
            await self._remove(row)

    def _lies_far_up(self, row: ShownRow) -> bool:
        if datetime.now(UTC) - row.posted_at > EDITABLE_FOR:
            return True
        return self._below[row.channel_id] >= FAR_UP

    def _watch(self, channel: ChannelId, table: Table) -> None:
        if table.is_over:
            self._watched.discard(channel)
            self._below.pop(channel, None)
        else:
            self._watched.add(channel)

    # --------------------------------------------------------------------------- the hands

    async def _refresh_hand(
        self,
        table: Table,
        seat: Seat,
        on_table: ShownRow | None,
        row: ShownRow | None,
        ping: ShownRow | None,
    ) -> None:
        if ping is not None and (not table.awaits(seat) or ping.version < table.turn_since(seat)):
            await self._drop(ping)
            await self._remove(ping)
            ping = None
        if row is not None and row.version >= table.due(seat):
            return
        channel = await self._people.direct_channel(table.people[seat])
        if channel is None:
            if table.awaits(seat) and ping is None:
                await self._ping(table, seat, on_table)
            return
        page = panel_page(await self._shown(table, seat, on_table))
        try:
            await self._show_hand(table, seat, channel, row, page)
        except DirectMessagesClosed:
            await self._people.closed(table.people[seat])
            if row is not None:
                await self._drop(row)
            if table.awaits(seat) and ping is None:
                await self._ping(table, seat, on_table)

    async def _show_hand(
        self, table: Table, seat: Seat, channel: ChannelId, row: ShownRow | None, page: Page
    ) -> None:
        calls = table.awaits(seat) or table.is_over
        if row is not None and (not calls or self._is_there(table, seat)):
            try:
                urgency = Urgency.TURN if calls else Urgency.TIDY
                await self._post.edit(row.channel_id, row.message_id, page, urgency=urgency)
            except (MessageGone, ChannelGone):
                log.info("hand sent again", match=table.id, seat=str(seat))
            else:
                await self._note(
                    table.id, ShownKind.HAND, seat, row.channel_id, row.message_id,
                    table.head, keep=row,
                )  # fmt: skip
                return
        message = await self._post.send(channel, page, urgency=Urgency.TURN)
        await self._note(table.id, ShownKind.HAND, seat, channel, message, table.head)
        if row is not None:
            await self._remove(row)

    @staticmethod
    def _is_there(table: Table, seat: Seat) -> bool:
        act = table.last_act.get(seat)
        return act is not None and datetime.now(UTC) - act[1] < STILL_THERE

    async def _ping(self, table: Table, seat: Seat, on_table: ShownRow | None) -> None:
        """Call somebody whose direct messages are closed, in the channel; goes when he acted."""
        channel = table.channel
        page = ping_page(await self._shown(table, None, on_table), seat)
        message = await self._post.send(
            channel, page, urgency=Urgency.TURN, ping=Ping(table.people[seat])
        )
        await self._note(table.id, ShownKind.PING, seat, channel, message, table.head)

    # --------------------------------------------------------------------------- the record

    async def _note(
        self,
        match: MatchId,
        kind: ShownKind,
        seat: int,
        channel: ChannelId,
        message: MessageId,
        version: int,
        keep: ShownRow | None = None,
    ) -> None:
        kept = keep is not None and keep.message_id == message
        posted_at = keep.posted_at if keep is not None and kept else datetime.now(UTC)
        async with self._store.transaction() as tx:
            await tx.shown.put(ShownRow(match, kind, seat, channel, message, version, posted_at))

    async def _drop(self, row: ShownRow) -> None:
        async with self._store.transaction() as tx:
            await tx.shown.drop(row.match_id, row.seat, row.kind)

    async def _remove(self, row: ShownRow) -> None:
        """Delete a message that another has replaced; if that fails it only looks untidy."""
        try:
            await self._post.delete(row.channel_id, row.message_id)
        except (TryLater, NotAllowed, DirectMessagesClosed):
            log.info("left behind", match=row.match_id, kind=row.kind.value)
