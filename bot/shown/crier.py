"""The crier: tells people what the clock says, where they will see it.

What he says is told once, or is lost: no match waits for it. It goes when what it asks for is done,
or can't be done any more (:mod:`bot.shown.standing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from bot.mail.people import People
from bot.mail.post import Post
from bot.play.table import Table
from bot.shown.questions import Words, tell
from bot.shown.showing import Showing
from bot.ui.pages.clocks import idle_page, reminder_page, time_up_page, vacation_over_page
from db.ids import ChannelId, MatchId, MessageId, PersonId
from db.rows import ShownKind
from gin import Seat


class TableCrier:
    """Speaks for one house: what the clocks and the look for idle matches need of a crier."""

    def __init__(self, showing: Showing, post: Post, people: People) -> None:
        self._showing = showing
        self._post = post
        self._people = people

    def changed(self, match: MatchId) -> None:
        """Something happened in this match."""
        self._showing.changed(match)

    def redraw(self, match: MatchId) -> None:
        """What this match's messages say of the clock has changed, though nothing happened."""
        self._showing.redraw(match)

    def outdate(self, match: MatchId) -> None:
        """The same, to be shown when the match is looked at."""
        self._showing.outdate(match)

    async def repair(self, matches: Sequence[MatchId]) -> None:
        """Show anew what is outdated in these matches, a few of them at a time."""
        await self._showing.repair(matches)

    async def remind(self, table: Table, seat: Seat, due: datetime) -> None:
        """Tell a player, once, that his time is running out."""
        shown = await self._showing.shown(table, None)
        if shown.deadline != due:
            return  # he has acted, or his clock was moved
        words = partial(reminder_page, shown, seat)
        await self._say(table, ShownKind.REMINDER, seat, words)

    async def time_is_up(self, table: Table, seat: Seat) -> None:
        """Tell everybody at the table that a player's time is up, and that they may wait."""
        shown = await self._showing.shown(table, None)
        for reader in shown.view.seats:
            kind = ShownKind.REMINDER if reader is seat else ShownKind.WAITING
            await self._say(table, kind, reader, partial(time_up_page, shown, seat, reader))

    async def vacation_over(self, person: PersonId, tables: Sequence[Table]) -> None:
        """Tell a player, once, that his vacation is over: in which matches he is awaited."""
        seats = [seat for table in tables if (seat := table.seat_of(person)) is not None]
        all_shown = [await self._showing.shown(table, None) for table in tables]
        words = partial(vacation_over_page, all_shown, seats)
        place = await self._tell(tables[0], seats[0], words)
        if place is not None:  # one message, which goes with the first of these turns
            for table, seat in zip(tables, seats, strict=True):
                await self._showing.said(table, ShownKind.BACK, seat, *place)

    async def ask_to_close(self, table: Table) -> None:
        """Tell everybody at the table that each of them may close the match."""
        shown = await self._showing.shown(table, None)
        for reader in shown.view.seats:
            await self._say(table, ShownKind.IDLE, reader, partial(idle_page, shown, reader))

    async def _say(self, table: Table, kind: ShownKind, seat: Seat, words: Words) -> None:
        """Say something, in the place of what was said of that kind before, till it is done."""
        place = await self._tell(table, seat, words)
        if place is not None:
            await self._showing.said(table, kind, seat, *place)

    async def _tell(
        self, table: Table, seat: Seat, words: Words
    ) -> tuple[ChannelId, MessageId] | None:
        return await tell(self._people, self._post, table, seat, words, only_calls=True)
