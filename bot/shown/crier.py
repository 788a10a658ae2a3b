"""The crier: tells people what the clock says, where they will see it.

What he says is told once, or is lost: no match waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.mail.people import People
from bot.mail.post import Post
from bot.play.table import Table
from bot.shown.questions import Words, tell
from bot.shown.showing import Showing
from bot.ui.page import MatchShown
from bot.ui.pages.clocks import idle_page, reminder_page, time_up_page
from db.ids import ChannelId, MatchId, MessageId
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
        place = await self._say(table, seat, lambda called: reminder_page(shown, seat, called))
        if place is not None:
            await self._showing.reminded(table, seat, *place)

    async def time_is_up(self, table: Table, seat: Seat) -> None:
        """Tell everybody at the table that a player's time is up, and that they may wait."""
        shown = await self._showing.shown(table, None)
        for reader in shown.view.seats:
            await self._say(table, reader, _time_up(shown, seat, reader))

    async def ask_to_close(self, table: Table) -> None:
        """Tell everybody at the table that each of them may close the match."""
        shown = await self._showing.shown(table, None)
        for reader in shown.view.seats:
            await self._say(table, reader, _idle(shown, reader))

    async def _say(
        self, table: Table, seat: Seat, words: Words
    ) -> tuple[ChannelId, MessageId] | None:
        return await tell(self._people, self._post, table, seat, words, only_calls=True)


def _time_up(shown: MatchShown, seat: Seat, reader: Seat) -> Words:
    return lambda called: time_up_page(shown, seat, reader, called)


def _idle(shown: MatchShown, reader: Seat) -> Words:
    return lambda called: idle_page(shown, reader, called)
