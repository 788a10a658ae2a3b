"""Showing: keeps the table message and the private hands up to date with the log.

What is shown is a projection; each message is remembered with the version that it shows. A part
of a match (its table, or one seat's hand) that is behind gets a worker: latest wins, failures are
tried again, one part never waits for another, and after a restart everything stale is found and
repaired. Nothing here is inside a transaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import (
    NO_PLACE,
    ChannelGone,
    DirectMessagesClosed,
    MessageGone,
    Ping,
    Post,
    PrivatePlace,
    TryLater,
    Undelivered,
)
from bot.now import Now
from bot.play import deadlines
from bot.play.idle import may_be_closed
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.shown.back import say_back
from bot.shown.below import Below
from bot.shown.notes import Notes
from bot.shown.places import Places
from bot.shown.questions import Words, tell
from bot.shown.record import Record
from bot.shown.standing import Standing
from bot.shown.upkeep import Upkeep
from bot.shown.whispers import Whispers
from bot.ui.page import MatchShown, Page
from bot.ui.pages import panel_page, ping_page, table_page
from db.ids import ChannelId, MatchId, MessageId, ServerId
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from db.store import Store
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

STILL_THERE: Final = timedelta(minutes=2)
"""Who acted this recently is looking: his panel is edited, not sent anew."""
EDITABLE_FOR: Final = timedelta(minutes=50)
"""Discord throttles edits of messages older than an hour."""
AWAY_AFTER: Final = 2
"""Who let so many turns in a row run out isn't called to the next: his hand is edited."""
FAR_UP: Final = 20
"""So many messages below the table, and it is posted again at the next change."""


class Showing:
    """Brings every message of a match up to date, one worker a part."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        post: Post,
        people: People,
        presence: Presence,
        now: Now,
    ) -> None:
        self._store = store
        self._tables = tables
        self._post = post
        self._people = people
        self._now = now
        self._again: dict[MatchId, set[int]] = {}
        """Parts to be shown once more though nothing happened."""
        self._below = Below()
        self._upkeep = Upkeep(self._look, self._show)
        self._overtaken: set[tuple[MatchId, Seat]] = set()
        self._notes = Notes(store)
        self.places = Places(
            store, tables, post, people, presence, self.changed, self.in_doubt, now
        )
        self._record = Record(self._notes, post, self._upkeep.once_more)
        self._whispers = Whispers(post, now, tables.remembered, self.changed)

    async def shown(self, table: Table, seat: Seat | None) -> MatchShown:
        """What pages need of a match, as one seat (None: everybody) may see it."""
        row = self._notes.table(table.id)
        if row is None:
            async with self._store.reading() as tx:
                row = await tx.shown.get(table.id, TABLE_SEAT, ShownKind.TABLE)
        return await self._shown(table, seat, row)

    async def _shown(self, table: Table, seat: Seat | None, row: ShownRow | None) -> MatchShown:
        url = None
        await self.places.read()
        has_table = table.is_over or self.places.has_table(table)
        if row is not None and has_table:
            url = f"https://discord.com/channels/{table.row.server_id}/{row.channel_id}/{row.message_id}"
        deadline = back_by = None
        if table.row.clock is not None and not table.is_over:
            async with self._store.reading() as tx:
                deadline = await deadlines.of_turn(tx, table)
                if deadline is not None and deadline.stopped_at is not None:
                    mover = table.people[deadline.seat]
                    back_by = await tx.vacations.until(mover, self._now())
        stands_still = deadline is not None and deadline.stopped_at is not None
        return MatchShown(
            match_id=table.id,
            version=table.head,
            view=table.view(seat),
            people=await self._people.shown(table.people),
            table_url=url,
            house=table.row.house,
            has_table=has_table,
            four_colours=seat is not None
            and (await self._people.wishes(table.people[seat])).four_colours,
            clock=table.clock,
            deadline=None if deadline is None or stands_still else deadline.due,
            time_is_up=deadline is not None and deadline.next_at is None,
            back_by=back_by,
            stood_in=table.stood_in,
            may_close=may_be_closed(table, deadline, self._now),
        )

    def changed(self, match: MatchId) -> None:
        """Something happened at this match: bring its messages up to date soon."""
        self._upkeep.changed(match)

    def redraw(self, match: MatchId) -> None:
        """What this match's messages say of the clock has changed: show them once more."""
        self.outdate(match)
        self._upkeep.changed(match)

    def outdate(self, match: MatchId) -> None:
        """The same, but at the next look at this match."""
        self._again.setdefault(match, set()).update((TABLE_SEAT, *Seat))

    async def repair(self, matches: Iterable[MatchId]) -> None:
        """Bring many matches up to date, a few at a time."""
        await self._upkeep.repair(matches)

    async def reminded(
        self, table: Table, seat: Seat, channel: ChannelId, message: MessageId
    ) -> None:
        """Note where a player was reminded, so that it goes when he has acted."""
        await self._record.note(table.id, (ShownKind.REMINDER, seat, channel), message, table.head)
        now = self._tables.remembered(table.id)
        if now is None or now.head > table.head:
            self.changed(table.id)

    async def restore(self, awake_before: datetime | None = None) -> None:
        """After a start: look at every match whose messages may be stale.

        ``awake_before``: when the bot ran last. Where that is long ago, each channel is told in
        which a table had to be redrawn.
        """
        await self.places.restore()
        away = timedelta(0) if awake_before is None else self._now() - awake_before
        async with self._store.reading() as tx:
            doubtful = await tx.shown.doubtful()
            running = set(await tx.matches.running_ids())
            behind = await tx.shown.stale(limit=100_000)
        ended = {row.match_id for row in behind} - running
        await self._upkeep.repair(sorted({*doubtful, *ended, *self._again}))
        await self._notes.settle()
        await say_back(self._post, behind, away)

    async def settle(self) -> None:
        """Wait until everything is shown that can be now (what failed waits for its retry)."""
        await self._upkeep.settle()
        await self._notes.settle()

    async def close(self, patience: timedelta) -> None:
        """Finish for so long what is to be shown; the rest is found at the next start."""
        for match in self._whispers.close():
            self.changed(match)
        await self._upkeep.close(patience)
        await self._notes.settle()

    def someone_wrote(self, channel: ChannelId) -> None:
        """Another message stands below the tables of this channel."""
        self._below.wrote(channel)

    def in_doubt(self, match: MatchId) -> None:
        """Something happened where the table of a match stands: show it there once more."""
        self._again.setdefault(match, set()).add(TABLE_SEAT)
        self._upkeep.changed(match)

    async def server_back(self, server: ServerId, *, in_doubt: bool) -> None:
        """A server can be served again: bring its tables up to date, a few at a time.

        ``in_doubt``: nobody knows what became of them meanwhile, so each is shown anew.
        """
        async with self._store.reading() as tx:
            running = await tx.matches.running_on(server) if in_doubt else ()
            doubtful = await tx.shown.doubtful(server)
        for row in running:
            self._again.setdefault(row.id, set()).add(TABLE_SEAT)
        await self._upkeep.repair(sorted({*doubtful, *self._again}))

    async def thread_closed(self, thread: ChannelId) -> None:
        """A thread was archived or locked: bring it back, or the tables out of it."""
        for table in await self.places.closed(thread):
            self.in_doubt(table.id)

    async def hand_shown(
        self, match: MatchId, seat: Seat, channel: ChannelId, message: MessageId, version: int
    ) -> None:
        """An answer put this person's hand, at ``version``, into his direct messages.

        It may have landed after a newer edit of ours, so what it showed is what counts, and an
        edit that is on its way meanwhile is made again.
        """
        if self._upkeep.is_working((match, seat)):
            self._overtaken.add((match, seat))
        await self._record.note(match, (ShownKind.HAND, seat, channel), message, version)
        table = self._tables.remembered(match)
        if table is None or version < table.due(seat) or self._record.has_left(match, seat):
            self.changed(match)

    async def whispered(
        self, match: MatchId, seat: Seat, version: int, place: PrivatePlace
    ) -> None:
        """A private answer shows this person's hand at ``version``: keep it true from now on."""
        await self._whispers.said(match, seat, version, place)

    async def hand_gone(self, match: MatchId, seat: Seat) -> None:
        """Take away what stands for one player alone: he has gone, and his buttons with him."""
        self._whispers.forget(match, seat)
        async with self._store.reading() as tx:
            rows = await tx.shown.of_match(match)
        for row in rows:
            if row.seat == seat:
                await self._notes.gone(row)
                await self._record.remove(row)
        if self._record.has_left(match, seat):
            self.changed(match)

    async def ask_others(self, table: Table, seat: Seat, question: Words) -> None:
        """Ask everybody but ``seat`` whether to call the match off, till that is settled."""
        for other in (Seat(number) for number in range(len(table.people))):
            if other == seat:
                continue
            place = await tell(self._people, self._post, table, other, question)
            if place is not None:
                channel, message = place
                asked = ShownKind.QUESTION, other, channel
                await self._record.note(table.id, asked, message, table.head)

    async def tell(self, table: Table, seat: Seat, words: Words) -> None:
        """Tell one player what another has decided."""
        await tell(self._people, self._post, table, seat, words)

    async def questions_over(self, table: Table, keep: MessageId | None = None) -> None:
        """Take away the questions whether to call this match off; ``keep`` says what became."""
        async with self._store.reading() as tx:
            rows = await tx.shown.of_match(table.id)
        for row in rows:
            if row.kind is ShownKind.QUESTION:
                await self._notes.gone(row)
                if row.message_id != keep:
                    await self._record.remove(row)

    async def _look(self, match: MatchId) -> Standing | None:
        await self.places.read()
        since = self._notes.moment
        async with self._store.reading() as tx:
            table = await self._tables.load_in(tx, match)
            if table is None:
                return None
            rows = await tx.shown.of_match(match)
        standing = Standing.of(table, self._notes.newest(match, rows, since))
        seats = (Seat(number) for number in range(len(table.people)))
        private = frozenset(seat for seat in seats if self._left_behind(table, seat))
        standing = replace(standing, private=private)
        again = self._again.get(match)
        if again is not None:
            again &= {TABLE_SEAT, *range(len(table.people))}
            standing = replace(standing, again=frozenset(again))
        if table.is_over:
            self._below.forget(match)
            self._notes.forget(match)
        else:
            self._below.watch(match, table.channel)
        return standing

    async def _show(self, standing: Standing, part: int) -> None:
        again = self._again.get(standing.table.id, set())
        if part not in again:
            await self._show_part(standing, part)
            return
        again.discard(part)  # before its page is made: a later wish is a wish for another page
        if not again:
            self._again.pop(standing.table.id, None)
        try:
            await self._show_part(replace(standing, again=standing.again | {part}), part)
        except Exception:
            self._again.setdefault(standing.table.id, set()).add(part)
            raise

    async def _show_part(self, standing: Standing, part: int) -> None:
        if part == TABLE_SEAT:
            await self._show_table(standing)
        else:
            await self._show_seat(standing, Seat(part))

    # --------------------------------------------------------------------------- the table

    async def _show_table(self, standing: Standing) -> None:
        table = standing.table
        if table.is_over:
            await self.places.over(table.id)
        try:
            if not self.places.may_stand(table):
                await self.places.waits(table)
            elif standing.table_is_due():
                await self._show_table_there(standing)
        except TryLater:  # also where the table stands, but somebody has to be told so
            self._again.setdefault(table.id, set()).add(TABLE_SEAT)
            raise

    async def _show_table_there(self, standing: Standing) -> None:
        table = standing.table
        try:
            posted = await self._put_table(standing)
        except NO_PLACE as error:
            await self._no_place(table, error)
        else:
            await self.places.stands(table, posted=posted)

    async def _no_place(self, table: Table, error: Undelivered) -> None:
        if await self.places.failed(table, error):
            self.changed(table.id)
        elif table.is_over and isinstance(error, ChannelGone):
            await self._notes.gone_table(table.id)  # it is looked for no more

    async def _put_table(self, standing: Standing) -> bool:
        """Edit the table, or post it anew; whether it was posted."""
        table, row = standing.table, standing.on_table
        stays = row is not None and not standing.is_elsewhere(row)
        # A new deadline alone is no reason to post a table anew.
        may_stay = standing.shows_everything(TABLE_SEAT) or (
            row is not None and not self._lies_far_up(table, row)
        )
        if row is not None and stays and may_stay:
            page = table_page(await self._shown(table, None, row))
            try:
                await self._post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TABLE)
            except MessageGone:
                log.info("table posted again", match=table.id)
            else:
                place = ShownKind.TABLE, TABLE_SEAT, row.channel_id
                await self._record.note(table.id, place, row.message_id, table.head)
                return False
        page = table_page(await self._shown(table, None, None))
        await self._record.stand(
            table,
            (ShownKind.TABLE, TABLE_SEAT, table.channel),
            page,
            urgency=Urgency.TABLE,
            silent=row is not None,
        )
        self._below.posted(table.id, table.channel)
        return True

    def _lies_far_up(self, table: Table, row: ShownRow) -> bool:
        return self._is_old(row) or self._below[table.id] >= FAR_UP

    def _is_old(self, row: ShownRow) -> bool:
        return self._now() - row.posted_at > EDITABLE_FOR

    # --------------------------------------------------------------------------- the hands

    def _left_behind(self, table: Table, seat: Seat) -> bool:
        """Whether a message beside the hand shows this player what it may not any more."""
        return self._whispers.is_behind(table, seat) or self._record.has_left(table.id, seat)

    async def _show_seat(self, standing: Standing, seat: Seat) -> None:
        await self._show_to(standing, seat)
        await self._record.tidy(standing.table.id, seat)
        if self._left_behind(standing.table, seat):
            raise TryLater("a private answer, or an older hand")

    async def _show_to(self, standing: Standing, seat: Seat) -> None:
        table, row = standing.table, standing.hand(seat)
        called = standing.ping(seat)
        for over in standing.calls_over(seat):
            await self._notes.gone(over)
            await self._record.remove(over)
            called = None if over is called else called
        sees = await self._show_whisper(standing, seat)
        if not standing.hand_is_due(seat):
            return
        channel = await self._people.direct_channel(table.people[seat])
        if channel is not None:
            page = panel_page(await self._shown(table, seat, standing.on_table))
            try:
                await self._show_hand(standing, seat, channel, page)
                return
            except (DirectMessagesClosed, ChannelGone):
                await self._people.closed(table.people[seat])
                if row is not None:
                    await self._notes.gone(row)
                    await self._record.remove(row)  # it would show for good what it shows now
        is_looking = channel is None and sees and self._is_there(table, seat)
        is_called = table.awaits(seat) and not (
            standing.shows_everything(seat) or _is_away(table, seat)
        )
        if is_called and called is None and not is_looking:
            await self._ping(standing, seat)

    async def _show_whisper(self, standing: Standing, seat: Seat) -> bool:
        """Keep a private answer with this hand true; whether there is one that shows it all."""
        table = standing.table
        shown = partial(self._shown, table, seat, standing.on_table)
        sees = await self._whispers.shows(table, seat, shown)
        if sees and self._whispers.is_behind(table, seat):
            self._upkeep.once_more((table.id, seat))
        if table.is_over:
            self._whispers.forget(table.id, seat)
        return sees

    async def _show_hand(
        self, standing: Standing, seat: Seat, channel: ChannelId, page: Page
    ) -> None:
        table, row = standing.table, standing.hand(seat)
        wants_calls = (await self._people.wishes(table.people[seat])).calls
        calls = table.is_over or (table.awaits(seat) and not _is_away(table, seat))
        is_fresh = row is not None and not self._is_old(row)
        stays = is_fresh and (not calls or self._is_there(table, seat))
        if standing.shows_everything(seat):  # but for a deadline that moved
            calls, stays = False, True
        if row is not None and stays:
            self._overtaken.discard((table.id, seat))
            try:
                urgency = Urgency.TURN if calls else Urgency.TIDY
                await self._post.edit(row.channel_id, row.message_id, page, urgency=urgency)
            except (MessageGone, ChannelGone):
                log.info("hand sent again", match=table.id, seat=str(seat))
            else:
                if (table.id, seat) in self._overtaken:
                    # Nobody knows which of the two landed last.
                    self._upkeep.once_more((table.id, seat))
                    return
                place = ShownKind.HAND, seat, row.channel_id
                await self._record.note(table.id, place, row.message_id, table.head)
                return
        await self._record.stand(
            table,
            (ShownKind.HAND, seat, channel),
            page,
            urgency=Urgency.TURN,
            silent=not wants_calls or (row is not None and not calls),
        )

    def _is_there(self, table: Table, seat: Seat) -> bool:
        act = table.own_act.get(seat)
        return act is not None and self._now() - act[1] < STILL_THERE

    async def _ping(self, standing: Standing, seat: Seat) -> None:
        """Call somebody whose direct messages are closed, in the channel; goes when he acted."""
        table = standing.table
        if not (await self._people.wishes(table.people[seat])).calls:
            return
        if not self.places.may_stand(table):
            return
        says_why = self._people.is_to_be_told(table.people[seat])
        shown = await self._shown(table, None, standing.on_table)
        page = ping_page(shown, seat, says_why=says_why)
        try:
            await self._record.stand(
                table,
                (ShownKind.PING, seat, table.channel),
                page,
                urgency=Urgency.TURN,
                ping=Ping((table.people[seat],)),
            )
        except NO_PLACE as error:
            await self._no_place(table, error)
        else:
            self._people.told(table.people[seat])


def _is_away(table: Table, seat: Seat) -> bool:
    """Whether a player let his turns run out, one after another, to this one."""
    return table.missed.get(seat, 0) >= AWAY_AFTER
