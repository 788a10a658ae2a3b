"""Showing: keeps the table message and the private hands up to date with the log.

What is shown is a projection; each message is remembered with the version that it shows. A part
of a match (its table, or one seat's hand) that is behind gets a worker: latest wins, failures are
tried again, one part never waits for another, and after a restart everything stale is found and
repaired. Nothing here is inside a transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
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
    MessageGone,
    Post,
    PrivatePlace,
    TryLater,
    Undelivered,
)
from bot.now import Now
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import Tables
from bot.shown.back import say_back
from bot.shown.below import Below
from bot.shown.farewells import Farewells
from bot.shown.hands import Hands
from bot.shown.leavers import Leavers
from bot.shown.notes import Notes
from bot.shown.places import Places
from bot.shown.questions import Words, tell
from bot.shown.record import Record
from bot.shown.reminders import Reminders
from bot.shown.sight import Sight
from bot.shown.standing import Standing, is_old
from bot.shown.strays import Strays, is_part
from bot.shown.upkeep import Upkeep
from bot.shown.whispers import Whispers
from bot.ui.page import MatchShown
from bot.ui.pages import table_page
from db.ids import ChannelId, MatchId, MessageId, ServerId
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from db.store import Store
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

SEEN_WITHIN: Final = timedelta(days=90)
"""The end of a match is still shown where the bot was not for so long."""
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
        self._notes = Notes(store, now)
        self._strays = Strays(self._notes, post, now)
        self._unsure: set[MatchId] = set()
        """Matches that were behind at the start: a message may have come unheard before it."""
        self._record = Record(
            self._notes, post, self._strays, self._upkeep.once_more, now, store.generation
        )
        self.places = Places(
            store,
            tables,
            post,
            people,
            presence,
            self.changed,
            self.in_doubt,
            self._hands_in_doubt,
            self._record,
            now,
        )
        self._whispers = Whispers(post, now, tables.remembered, self.changed)
        self._leavers = Leavers(store, tables, post, presence, self.changed, now)
        self._sight = Sight(store, people, self.places, now)
        self._reminders = Reminders(post, self._record, self._sight)
        self._hands = Hands(
            post,
            people,
            self.places,
            self._notes,
            self._record,
            self._whispers,
            self._leavers,
            Farewells(people, self.places, self._record, self._sight, self._no_place),
            self._reminders,
            self._sight,
            self._upkeep.once_more,
            self._no_place,
            now,
        )

    async def shown(self, table: Table, seat: Seat | None) -> MatchShown:
        """What pages need of a match, as one seat (None: everybody) may see it."""
        row = self._notes.table(table.id)
        if row is None:
            async with self._store.reading() as tx:
                row = await tx.shown.get(table.id, TABLE_SEAT, ShownKind.TABLE)
        return await self._sight.of(table, seat, row)

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

    async def said(
        self, table: Table, kind: ShownKind, seat: Seat, channel: ChannelId, message: MessageId
    ) -> None:
        """Note where a player was told something, so that it goes when it has done its work."""
        await self._record.note(table.id, (kind, seat, channel), message, table.head)
        now = self._tables.remembered(table.id)
        if now is None or now.head > table.head:
            self.changed(table.id)
        self._try_again(table.id)

    async def restore(self, awake_before: datetime | None = None) -> None:
        """After a start: look at every match whose messages may be stale.

        ``awake_before``: when the bot ran last. Where that is long ago, each channel is told in
        which a table had to be redrawn.
        """
        await self.places.restore()
        away = timedelta(0) if awake_before is None else self._now() - awake_before
        async with self._store.reading() as tx:
            doubtful = await tx.shown.doubtful()
            running = await tx.matches.running_ids()
            behind = await tx.shown.stale(limit=100_000)
        ended = {row.match_id for row in behind}.difference(running)
        self._leavers.begin(running)
        self._unsure |= {*doubtful, *ended}
        await self._upkeep.repair(sorted({*doubtful, *ended, *self._again}))
        await self._notes.settle()
        await say_back(self._post, behind, away)

    async def settle(self) -> None:
        """Wait until everything is shown that can be now (what failed waits for its retry)."""
        await self._upkeep.settle()
        await self._notes.settle()

    async def close(self, patience: timedelta) -> None:
        """Finish for so long what is to be shown; the rest is found at the next start."""
        left = {match for match, _seat in self._record.left}
        for match in left | self._whispers.close():
            self.changed(match)
        self._leavers.close()
        self._record.leftovers.close()
        await self._upkeep.close(patience)
        await self._notes.settle()

    def someone_wrote(self, channel: ChannelId) -> None:
        """Another message stands below the tables of this channel."""
        self._below.wrote(channel)

    def in_doubt(self, match: MatchId) -> None:
        """Something happened where the table of a match stands: show it there once more."""
        self._again.setdefault(match, set()).add(TABLE_SEAT)
        self._upkeep.changed(match)

    def _hands_in_doubt(self, match: MatchId) -> None:
        """The table has come, gone or moved: hands lead there, or say that there is none."""
        self._again.setdefault(match, set()).update(Seat)
        self._upkeep.changed(match)

    async def server_back(self, server: ServerId, *, in_doubt: bool) -> None:
        """A server can be served again: bring its tables up to date, a few at a time.

        ``in_doubt``: nobody knows what became of them meanwhile, so each is shown anew.
        """
        async with self._store.reading() as tx:
            running = await tx.matches.running_on(server) if in_doubt else ()
            doubtful = await tx.shown.doubtful(server)
            ended = await tx.shown.ended_unseen(server, self._now() - SEEN_WITHIN)
        for match in {*(row.id for row in running), *self.places.still(server)}:
            self.outdate(match)  # hands lead to the table, and may say that it has no place
        await self.places.try_leftovers(server)
        await self._upkeep.repair(sorted({*doubtful, *ended, *self._again}))

    async def thread_closed(self, thread: ChannelId) -> None:
        """A thread was archived or locked: bring it back, or the tables out of it."""
        for table in await self.places.closed(thread):
            self.in_doubt(table.id)

    def pressed(
        self, match: MatchId, channel: ChannelId, message: MessageId, controls: Collection[str]
    ) -> None:
        """Somebody used a public message with these custom ids: one that isn't ours to keep goes.

        A table that nobody has noted, say, since a stop of the bot came between.
        """
        row = self._notes.table(match)
        is_noted = row is not None and row.message_id == message
        if not is_noted and is_part(controls, match, TABLE_SEAT):
            self._strays.seen((match, TABLE_SEAT), ShownKind.TABLE, channel, message)
            self.changed(match)

    async def hand_shown(
        self,
        match: MatchId,
        seat: Seat,
        channel: ChannelId,
        message: MessageId,
        version: int,
        *,
        pressed: bool = False,
    ) -> None:
        """An answer put this person's hand, at ``version``, into his direct messages.

        That is a new message, or the one that he ``pressed``. It may have landed after a newer
        edit of ours, so what it showed is what counts, and an edit that is on its way meanwhile is
        made again.
        """
        if self._upkeep.is_working((match, seat)):
            self._hands.overtake(match, seat)
        place = ShownKind.HAND, seat, channel
        await self._record.answered(match, place, message, version, pressed=pressed)
        table = self._tables.remembered(match)
        if table is None or version < table.due(seat):
            self.changed(match)
        self._try_again(match)

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
            if seat in (row.whose, row.reader):
                await self._record.take_away(row)
        self._try_again(match)

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
        self._try_again(table.id)

    async def tell(self, table: Table, seat: Seat, words: Words) -> None:
        """Tell one player what another has decided."""
        await tell(self._people, self._post, table, seat, words)

    async def questions_over(self, table: Table, keep: MessageId | None = None) -> None:
        """Take away the questions whether to call this match off; ``keep`` says what became."""
        async with self._store.reading() as tx:
            rows = await tx.shown.of_match(table.id)
        for row in rows:
            if row.kind is ShownKind.QUESTION and row.message_id == keep:
                await self._notes.let_be(row.match_id, row.kind, row.seat)
            elif row.kind is ShownKind.QUESTION:
                await self._record.take_away(row)
        self._try_again(table.id)

    def _try_again(self, match: MatchId) -> None:
        """See to it that what could not be deleted just now is tried again."""
        if any(match == one for one, _part in self._record.left):
            self.changed(match)

    async def _look(self, match: MatchId) -> Standing | None:
        await self.places.read()
        table, rows = self._tables.certain(match), self._notes.whole(match)
        if table is None or rows is None:
            since = self._notes.begins(match)
            async with self._store.reading() as tx:
                table = await self._tables.load_in(tx, match)
                if table is None:
                    self._notes.forget(match)
                    return None
                read = await tx.shown.of_match(match)
            rows = self._notes.newest(match, read, since)
        standing = Standing.of(
            table, tuple(row for row in rows if not self._record.leftovers.is_left_alone(row))
        )
        seats = (Seat(number) for number in range(len(table.people)))
        private = frozenset(seat for seat in seats if self._whispers.is_behind(table, seat))
        again = self._again.get(match, set())
        again &= {TABLE_SEAT, *range(len(table.people))}
        twofold = filter(partial(self._may_stand_twice, standing), range(len(table.people)))
        standing = replace(standing, private=private, again=frozenset((*again, *twofold)))
        if match in self._unsure:
            self._unsure.discard(match)
            self._suspect(standing)
        beside = self._strays.are_beside(match, (TABLE_SEAT, *range(len(table.people))))
        standing = replace(standing, beside=beside)
        if table.is_over:
            self._below.forget(match)
            self._notes.forget(match)
        else:
            self._below.watch(match, table.channel)
        self._leavers.watch(table)
        left, back = self._leavers.left(table), self._leavers.back(table)
        if left is not None or back is not None:
            standing = replace(standing, left=left, back=back)
        return standing

    def _suspect(self, standing: Standing) -> None:
        """What is behind after a start may have come unheard: see what stands there."""
        table, row = standing.table, standing.on_table
        if standing.table_is_due():
            where = [table.channel] if row is None else [table.channel, row.channel_id]
            self._strays.suspect((table.id, TABLE_SEAT), *where)
        for seat in (Seat(number) for number in range(len(table.people))):
            if standing.hand_is_due(seat):
                self._strays.suspect((table.id, seat))

    def _may_stand_twice(self, standing: Standing, seat: int) -> bool:
        """Whether a newer message with a hand may stand beside the one that is noted."""
        row = standing.hand(Seat(seat))
        return row is not None and self._record.is_trying(
            standing.table, (ShownKind.HAND, seat, row.channel_id)
        )

    async def _show(self, standing: Standing, part: int) -> None:
        """Bring a part up to date, and take away what stands beside it; raise `Undelivered`."""
        table = standing.table
        self._record.left.discard((table.id, part))
        await self._bring_up_to_date(standing, part)
        for old in standing.old(part):
            await self._record.remove(old)
        await self._record.remove_strays(standing, part)
        is_behind = part != TABLE_SEAT and self._whispers.is_behind(table, Seat(part))
        if is_behind or (table.id, part) in self._record.left:
            raise TryLater("a private answer, or a message that has to go")

    async def _bring_up_to_date(self, standing: Standing, part: int) -> None:
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
            await self._hands.show(standing, Seat(part))

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
        table, row = standing.table, standing.on_table
        moves = row is not None and standing.is_elsewhere(row)
        had_none = not table.is_over and not self.places.has_table(table)
        try:
            posted = await self._put_table(standing)
        except NO_PLACE as error:
            await self._no_place(table, error)
            return
        try:
            await self.places.stands(table, posted=posted)
        finally:  # it need not count as one yet: an edit proves little
            if moves or (had_none and self.places.has_table(table)):
                self._hands_in_doubt(table.id)

    async def _no_place(self, table: Table, error: Undelivered) -> bool:
        """A table's place takes nothing: see to it; whether it can be shown after all, soon."""
        if await self.places.failed(table, error):
            self.changed(table.id)
            return True
        if table.is_over and isinstance(error, ChannelGone):
            await self._notes.let_be(table.id, ShownKind.TABLE, TABLE_SEAT)  # looked for no more
        return False

    async def _put_table(self, standing: Standing) -> bool:
        """Edit the table, or post it anew; whether it was posted."""
        table, row = standing.table, standing.on_table
        stays = row is not None and not standing.is_elsewhere(row)
        # A new deadline alone is no reason to post a table anew.
        may_stay = standing.shows_everything(TABLE_SEAT) or (
            row is not None and not self._lies_far_up(table, row)
        )
        place = ShownKind.TABLE, TABLE_SEAT, table.channel
        if row is not None and stays and may_stay and not self._record.is_trying(table, place):
            page = table_page(await self._sight.of(table, None, row))
            try:
                await self._post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TABLE)
            except MessageGone:
                log.info("table posted again", match=table.id)
            else:
                where = ShownKind.TABLE, TABLE_SEAT, row.channel_id
                await self._record.note(table.id, where, row.message_id, table.head)
                return False
        page = table_page(await self._sight.of(table, None, None))
        await self._record.stand(
            table, place, page, urgency=Urgency.TABLE, silent=row is not None, instead_of=row
        )
        self._below.posted(table.id, table.channel)
        return True

    def _lies_far_up(self, table: Table, row: ShownRow) -> bool:
        return is_old(row, self._now) or self._below[table.id] >= FAR_UP
