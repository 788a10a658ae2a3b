"""Hands: what each player sees alone, kept up to date with the log.

His hand in direct messages, private answers that show it, and the call in the channel of somebody
whose direct messages are closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
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
    TryLater,
    Undelivered,
)
from bot.now import Now
from bot.play.table import Table
from bot.shown.farewells import Farewells
from bot.shown.leavers import Leavers
from bot.shown.notes import Notes
from bot.shown.places import Places
from bot.shown.record import Record
from bot.shown.reminders import Reminders
from bot.shown.sight import Sight
from bot.shown.standing import Standing, is_old
from bot.shown.whispers import Whispers
from bot.ui.page import Page
from bot.ui.pages import panel_page, ping_page
from db.ids import ChannelId, MatchId
from db.rows import ShownKind, ShownRow
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

STILL_THERE: Final = timedelta(minutes=2)
"""Who acted this recently is looking: his panel is edited, not sent anew."""
AWAY_AFTER: Final = 2
"""Who let so many turns in a row run out isn't called to the next: his hand is edited."""


class Hands:
    """Shows one seat at a time what is its own.

    ``once_more`` has a seat shown again, whose message shows less than it must; ``no_place`` is
    told of a channel that takes no call, as `Farewells` tells it.
    """

    def __init__(
        self,
        post: Post,
        people: People,
        places: Places,
        notes: Notes,
        record: Record,
        whispers: Whispers,
        leavers: Leavers,
        farewells: Farewells,
        reminders: Reminders,
        sight: Sight,
        once_more: Callable[[tuple[MatchId, int]], None],
        no_place: Callable[[Table, Undelivered], Awaitable[bool]],
        now: Now,
    ) -> None:
        self._post = post
        self._people = people
        self._places = places
        self._notes = notes
        self._record = record
        self._whispers = whispers
        self._leavers = leavers
        self._farewells = farewells
        self._reminders = reminders
        self._sight = sight
        self._once_more = once_more
        self._no_place = no_place
        self._now = now
        self._overtaken: set[tuple[MatchId, Seat]] = set()

    def overtake(self, match: MatchId, seat: Seat) -> None:
        """An answer has shown this hand while an edit of it is on its way: make that edit again."""
        self._overtaken.add((match, seat))

    async def show(self, standing: Standing, seat: Seat) -> None:
        """Bring all that one player sees alone up to date; raise `Undelivered` as posts do.

        Afterwards a private answer may be behind still.
        """
        over = standing.calls_over(seat)
        for call in over:
            await self._record.take_away(call)
        await self._reminders.keep_true(standing, seat)
        sees = await self._show_whisper(standing, seat)
        if standing.untold(seat):
            await self._say_gone(standing, seat)
        if standing.hand_is_due(seat) or standing.is_called_back(seat):
            calls = (standing.ping(seat), *standing.words_of(seat))
            is_called = any(call is not None and call not in over for call in calls)
            await self._show_alone(
                standing,
                seat,
                sees=sees,
                is_called=not standing.is_called_back(seat)
                and (is_called or standing.left == seat),
            )
        if standing.back == seat:  # he has been called by now
            for word in standing.words_of(seat):
                await self._record.take_away(word)
            self._leavers.called_back(standing.table)

    async def _show_alone(
        self, standing: Standing, seat: Seat, *, sees: bool, is_called: bool
    ) -> None:
        """Bring the hand up to date, or call its player where there is none.

        ``sees``: a private answer shows it; ``is_called``: he needn't be called in the channel.
        """
        table, row = standing.table, standing.hand(seat)
        channel = await self._people.direct_channel(table.people[seat])
        if channel is not None:
            page = panel_page(await self._sight.of(table, seat, standing.on_table))
            try:
                await self._show_hand(standing, seat, channel, page)
                return
            except (DirectMessagesClosed, ChannelGone):
                await self._people.closed(table.people[seat])
                if row is not None:
                    await self._record.take_away(row)  # it would show for good what it shows now
                    row = None
        is_looking = channel is None and sees and self._is_there(table, seat)
        has_to_know = standing.is_called_back(seat) or (
            table.awaits(seat) and not (standing.shows_everything(seat) or _is_away(table, seat))
        )
        if has_to_know and not is_called and not is_looking:
            await self._ping(standing, seat)
        if row is not None:
            await self._keep_true(standing, seat, row)

    async def _keep_true(self, standing: Standing, seat: Seat, row: ShownRow) -> None:
        """Edit what stands in direct messages that take no new one; else take it away.

        Discord refuses to send there, not to edit; its controls work, and would show an old hand.
        """
        if is_old(row, self._now):
            await self._record.take_away(row)
            return
        table = standing.table
        self._overtaken.discard((table.id, seat))
        page = panel_page(await self._sight.of(table, seat, standing.on_table))
        try:
            await self._post.edit(row.channel_id, row.message_id, page, urgency=Urgency.TIDY)
        except TryLater:
            raise
        except Undelivered:
            await self._record.take_away(row)
        else:
            await self._edited(table, seat, row)

    async def _edited(self, table: Table, seat: Seat, row: ShownRow) -> None:
        """Remember what an edited hand shows, if nothing was shown there meanwhile."""
        if (table.id, seat) in self._overtaken:
            self._once_more((table.id, seat))  # nobody knows which of the two landed last
            return
        place = ShownKind.HAND, seat, row.channel_id
        await self._record.note(table.id, place, row.message_id, table.head)

    async def _show_whisper(self, standing: Standing, seat: Seat) -> bool:
        """Keep a private answer with this hand true; whether there is one that shows it all."""
        table = standing.table
        shown = partial(self._sight.of, table, seat, standing.on_table)
        sees = await self._whispers.shows(table, seat, shown)
        if sees and self._whispers.is_behind(table, seat):
            self._once_more((table.id, seat))
        return sees

    async def _show_hand(
        self, standing: Standing, seat: Seat, channel: ChannelId, page: Page
    ) -> None:
        table, row = standing.table, standing.hand(seat)
        wants_calls = (await self._people.wishes(table.people[seat])).calls
        calls = table.is_over or (table.awaits(seat) and not _is_away(table, seat))
        is_fresh = row is not None and not is_old(row, self._now)
        stays = is_fresh and (not calls or self._is_there(table, seat))
        if standing.is_called_back(seat):
            calls, stays = True, False
        elif standing.shows_everything(seat):  # but for a deadline that moved
            calls, stays = False, True
        stays = stays and not self._record.is_trying(table, (ShownKind.HAND, seat, channel))
        if row is not None and stays:
            self._overtaken.discard((table.id, seat))
            try:
                urgency = Urgency.TURN if calls else Urgency.TIDY
                await self._post.edit(row.channel_id, row.message_id, page, urgency=urgency)
            except (MessageGone, ChannelGone):
                log.info("hand sent again", match=table.id, seat=str(seat))
            else:
                await self._edited(table, seat, row)
                return
        await self._record.stand(
            table,
            (ShownKind.HAND, seat, channel),
            page,
            urgency=Urgency.TURN,
            silent=not wants_calls or (row is not None and not calls),
            instead_of=row,
        )

    def _is_there(self, table: Table, seat: Seat) -> bool:
        act = table.own_act.get(seat)
        return act is not None and self._now() - act[1] < STILL_THERE

    async def _ping(self, standing: Standing, seat: Seat) -> None:
        """Call somebody whose direct messages are closed, in the channel; goes when he acted.

        Where he has left the server the others are told instead, and what they can do.
        """
        table = standing.table
        if not self._places.may_stand(table):
            return
        person = table.people[seat]
        if standing.back != seat and await self._people.has_left(table.row.server_id, person):
            self._leavers.note_left(table, seat)
            await self._say_gone(replace(standing, left=seat), seat)
            return
        if not (await self._people.wishes(person)).calls:
            return
        says_why = self._people.is_to_be_told(person)
        shown = await self._sight.of(table, None, standing.on_table)
        page = ping_page(shown, seat, says_why=says_why)
        if await self._call(table, seat, page, Ping((person,))):
            self._people.told(person)

    async def _say_gone(self, standing: Standing, seat: Seat) -> None:
        is_told = await self._farewells.say(standing, seat)
        if is_told and standing.ping(seat) is not None:  # which is over, now that they know
            self._once_more((standing.table.id, seat))

    async def _call(self, table: Table, seat: Seat, page: Page, ping: Ping) -> bool:
        """Say in the channel that a player is awaited; whether it could be said."""
        place = (ShownKind.PING, seat, table.channel)
        try:
            await self._record.stand(table, place, page, urgency=Urgency.TURN, ping=ping)
        except NO_PLACE as error:
            await self._no_place(table, error)
            return False
        return True


def _is_away(table: Table, seat: Seat) -> bool:
    """Whether a player let his turns run out, one after another, to this one."""
    return table.missed.get(seat, 0) >= AWAY_AFTER
