"""Replies that show a person his own hand, or a page of one match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from bot.front.reply import Panel, Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play.table import Table
from bot.refusals import NotAtThisTable, OldControl
from bot.ui.language import _
from bot.ui.page import Page
from bot.ui.pages import panel_page
from db.ids import ChannelId, MatchId, MessageId, PersonId
from gin import Seat


def seat_at(table: Table, person: PersonId) -> Seat:
    """The person's seat; raise :class:`NotAtThisTable` for a spectator."""
    seat = table.seat_of(person)
    if seat is None:
        raise NotAtThisTable(
            _("You don't sit at this table. You're welcome to watch, or to challenge somebody.")
        )
    return seat


async def hand_reply(
    house: House, visit: Visit, table: Table, *, note: str | None = None, changed: bool = False
) -> Reply:
    """The person's private hand as it is now."""
    seat = seat_at(table, visit.person)
    page = panel_page(await house.shown(table, seat), note=note)
    return panel_reply(house, visit, table, seat, page, changed=changed)


def panel_reply(
    house: House, visit: Visit, table: Table, seat: Seat, page: Page, *, changed: bool = False
) -> Reply:
    """A page that stands for the person's private hand, noted where it will stand for good."""
    stays = visit.in_direct_messages and not visit.is_ephemeral
    return Reply(
        page=page,
        public=visit.in_direct_messages,
        panel=Panel(table.id, seat, table.head),
        changed=table.id if changed else None,
        delivered=partial(_delivered, house, visit, table.id, seat, table.head) if stays else None,
    )


async def _delivered(
    house: House,
    visit: Visit,
    match: MatchId,
    seat: Seat,
    version: int,
    channel: ChannelId,
    message: MessageId,
) -> None:
    pressed = message == visit.message
    await house.showing.hand_shown(match, seat, channel, message, version, pressed=pressed)


async def or_present_hand(
    house: House, visit: Visit, match: MatchId, act: Callable[[], Awaitable[Reply]]
) -> Reply:
    """Do ``act``; where its control is of a version that has passed, show the present hand.

    To the second of two clicks nothing is said beside that: what it shows is what the first did.
    """
    house.doubles.begins(visit, house.now())
    try:
        reply = await act()
    except OldControl as old:
        is_double = house.doubles.is_one(visit)
        house.doubles.did_nothing(visit)
        table = await house.tables.load(match)
        if table is None or table.seat_of(visit.person) is None:
            raise
        reply = await hand_reply(house, visit, table, note=None if is_double else old.sentence)
        return replace(reply, changed=table.id)
    except BaseException:  # a refusal, or a fault
        house.doubles.did_nothing(visit)
        raise
    if reply.changed is None:
        house.doubles.did_nothing(visit)
    return reply
