"""Farewells: the word to the others that a player who is awaited has left, and what they can do.

It is said in the channel, or, where that takes no word, to each by direct message. It is noted
like whatever stands, so that it is said once and goes when he is back or has acted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from bot.mail.governor import Urgency
from bot.mail.people import People
from bot.mail.post import (
    NO_PLACE,
    ChannelGone,
    DirectMessagesClosed,
    Ping,
    TryLater,
    Undelivered,
)
from bot.play.table import Table
from bot.shown.places import Places
from bot.shown.record import Record
from bot.shown.sight import Sight
from bot.shown.standing import Standing
from bot.ui.page import Page
from bot.ui.pages import gone_page
from db.rows import ShownKind, word_to
from gin import Seat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Farewells:
    """Says of one seat at a time that its player has left.

    ``no_place`` is told of a channel that takes no word, and gives whether the table can be shown
    after all, soon: then the match is looked at again.
    """

    def __init__(
        self,
        people: People,
        places: Places,
        record: Record,
        sight: Sight,
        no_place: Callable[[Table, Undelivered], Awaitable[bool]],
    ) -> None:
        self._people = people
        self._places = places
        self._record = record
        self._sight = sight
        self._no_place = no_place

    async def say(self, standing: Standing, seat: Seat) -> bool:
        """Tell those of the others who don't know yet that a player has left; whether any heard.

        Raises `TryLater` where some of them can't be told yet.
        """
        table, untold = standing.table, standing.untold(seat)
        if self._places.has_table(table) and await self._say_there(standing, seat, untold):
            return True
        # One of them need not wait for another, nor for a database that takes no note of it.
        tellings = (self._tell(standing, seat, other) for other in untold)
        told = await asyncio.gather(*tellings, return_exceptions=True)
        for one in told:
            if isinstance(one, BaseException):
                raise one
        return any(told)

    async def _say_there(self, standing: Standing, seat: Seat, untold: Sequence[Seat]) -> bool:
        """Say it in the channel; False where it has to be said elsewhere."""
        table = standing.table
        others = [table.people[other] for other in untold]
        called = [one for one in others if (await self._people.wishes(one)).calls]
        page = await self._page(standing, seat, called)
        place = ShownKind.GONE, seat, table.channel
        try:
            await self._record.stand(
                table, place, page, urgency=Urgency.TURN, ping=Ping(tuple(called))
            )
        except NO_PLACE as error:
            return await self._no_place(table, error)
        except TryLater:
            raise
        except Undelivered:
            log.info("word not taken in the channel", match=table.id, seat=str(seat))
            return False
        return True

    async def _tell(self, standing: Standing, seat: Seat, other: Seat) -> bool:
        """Say it to one player by direct message; False where he takes none."""
        table, person = standing.table, standing.table.people[other]
        try:
            channel = await self._people.direct_channel(person)
            if channel is None:
                return False
            await self._record.stand(
                table,
                (ShownKind.GONE, word_to(other, seat), channel),
                await self._page(standing, seat),
                urgency=Urgency.TURN,
                silent=not (await self._people.wishes(person)).calls,
            )
            return True
        except TryLater:
            raise
        except (DirectMessagesClosed, ChannelGone):
            await self._people.closed(person)
        except Undelivered:
            log.info("not told that somebody has left", match=table.id, seat=str(other))
        return False

    async def _page(self, standing: Standing, seat: Seat, called: Sequence[int] = ()) -> Page:
        shown = await self._sight.of(standing.table, None, standing.on_table)
        return gone_page(shown, seat, called)
