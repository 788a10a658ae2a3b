"""Hands: what each player sees alone, kept up to date with the log.

His hand in direct messages, private answers that show it, and the call in the channel of somebody
whose direct messages are closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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
from bot.shown.leavers import Leavers, has_left
from bot.shown.notes import Notes
from bot.shown.places import Places
from bot.shown.questions import tell
from bot.shown.record import Record
from bot.shown.sight import Sight
from bot.shown.standing import Standing, is_old
from bot.shown.whispers import Whispers
from bot.ui.page import Page
from bot.ui.pages import gone_page, panel_page, ping_page
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
    told of a channel that takes no call.
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
        sight: Sight,
        once_more: Callable[[tuple[MatchId, int]], None],
        no_place: Callable[[Table, Undelivered], Awaitable[None]],
        now: Now,
    ) -> None:
        self._post = post
        self._people = people
        self._places = places
        self._notes = notes
        self._record = record
        self._whispers = whispers
        self._leavers = leavers
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
        table, row = standing.table, standing.hand(seat)
        ping, gone = await self._calls_left(standing, seat)
        sees = await self._show_whisper(standing, seat)
        if not standing.hand_is_due(seat):
            return
        is_called = ping is not None or gone is not None
        has_gone = gone is None and self._leavers.found_gone(table, seat)
        if has_gone:
            await self._say_gone(standing, seat, ping)
            if standing.shows_everything(seat):
                return
            is_called = True
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
        has_to_know = table.awaits(seat) and not (
            standing.shows_everything(seat) or _is_away(table, seat)
        )
        if has_to_know and not is_called and not is_looking:
            await self._ping(standing, seat)
        if row is not None:
            await self._keep_true(standing, seat, row)

    async def _calls_left(
        self, standing: Standing, seat: Seat
    ) -> tuple[ShownRow | None, ShownRow | None]:
        """Take away what has done its work; the call for a seat and the word that he has left."""
        over = standing.calls_over(seat)
        ping, gone = standing.ping(seat), standing.gone(seat)
        if gone is not None and gone not in over and self._leavers.found_back(standing.table, seat):
            over.append(gone)
        for call in over:
            await self._record.take_away(call)
        return None if ping in over else ping, None if gone in over else gone

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
        if standing.shows_everything(seat):  # but for a deadline that moved
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
        if await has_left(self._post, table, seat):
            await self._say_gone(standing, seat)
            return
        if not (await self._people.wishes(table.people[seat])).calls:
            return
        says_why = self._people.is_to_be_told(table.people[seat])
        shown = await self._sight.of(table, None, standing.on_table)
        page = ping_page(shown, seat, says_why=says_why)
        if await self._call(table, seat, page, Ping((table.people[seat],))):
            self._people.told(table.people[seat])

    async def _say_gone(self, standing: Standing, seat: Seat, ping: ShownRow | None = None) -> None:
        """Tell the others that a player has left; the call that stands for him (`ping`) goes.

        Where nothing can be said in the channel they are told one by one.
        """
        table = standing.table
        if not self._places.may_stand(table):
            await self._tell_gone(standing, seat)
            return
        others = [one for number, one in enumerate(table.people) if number != seat]
        called = [one for one in others if (await self._people.wishes(one)).calls]
        shown = await self._sight.of(table, None, standing.on_table)
        page, notified = gone_page(shown, seat, called), Ping(tuple(called))
        said = await self._call(table, seat, page, notified, ShownKind.GONE)
        if said and ping is not None:
            await self._record.take_away(ping)

    async def _tell_gone(self, standing: Standing, seat: Seat) -> None:
        table = standing.table
        shown = await self._sight.of(table, None, standing.on_table)
        others = [Seat(number) for number in range(len(table.people)) if number != seat]
        told = [
            await tell(self._people, self._post, table, other, lambda _: gone_page(shown, seat))
            for other in others
        ]
        for channel, message in [*filter(None, told)][:1]:  # noted, so that it isn't told again
            place = ShownKind.GONE, seat, channel
            await self._record.note(table.id, place, message, table.head)

    async def _call(
        self, table: Table, seat: Seat, page: Page, ping: Ping, kind: ShownKind = ShownKind.PING
    ) -> bool:
        """Say in the channel that a player is awaited; whether it could be said."""
        place = (kind, seat, table.channel)
        try:
            await self._record.stand(table, place, page, urgency=Urgency.TURN, ping=ping)
        except NO_PLACE as error:
            await self._no_place(table, error)
            return False
        return True


def _is_away(table: Table, seat: Seat) -> bool:
    """Whether a player let his turns run out, one after another, to this one."""
    return table.missed.get(seat, 0) >= AWAY_AFTER
