"""The typed commands of play: words into cards, the match that is meant, then the same desk."""

from __future__ import annotations

from dataclasses import replace

from bot.desk import knocking, laying_off, leave, play
from bot.desk.finding import any_of_mine, mine
from bot.desk.panels import seat_at
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from db.ids import ChannelId, MessageId
from gin import Pile


async def hand(house: House, visit: Visit, match: str | None) -> Reply:
    """``/gin hand``."""
    table = await any_of_mine(house, visit, match, ("hand",))
    await house.people.may_be_open(visit.person)
    return await play.show_hand(house, visit, table.id)


async def draw(house: House, visit: Visit, pile: str, match: str | None) -> Reply:
    """``/gin draw``."""
    table = await mine(house, visit, match, ("draw", pile))
    return await play.draw(house, visit, table.id, Pile(pile))


async def refuse(house: House, visit: Visit, match: str | None) -> Reply:
    """``/gin pass``."""
    table = await mine(house, visit, match, ("pass",))
    return await play.refuse(house, visit, table.id)


async def discard(house: House, visit: Visit, card: str, match: str | None) -> Reply:
    """``/gin discard``."""
    chosen = play.read_card(card)
    table = await mine(house, visit, match, ("discard", str(chosen)))
    return await play.discard(house, visit, table.id, chosen)


async def knock(
    house: House, visit: Visit, discarded: str, melds: str | None, match: str | None
) -> Reply:
    """``/gin knock``; without a discard, it is big gin."""
    if knocking.is_big_gin(discarded):
        table = await mine(house, visit, match, ("hand",))
        return await knocking.go_big(house, visit, table.id, None)
    card, arranged = play.read_card(discarded), play.read_melds(melds)
    asked = ("knock", str(card)) if arranged is None else ("hand",)
    table = await mine(house, visit, match, asked)
    return await knocking.typed(house, visit, table.id, card, arranged)


async def layoff(
    house: House, visit: Visit, cards: str | None, melds: str | None, match: str | None
) -> Reply:
    """``/gin layoff``."""
    laid, arranged = play.read_cards(cards), play.read_melds(melds)
    table = await mine(house, visit, match, ("hand",))
    return await laying_off.typed(house, visit, table.id, laid, arranged)


async def resign(house: House, visit: Visit, match: str | None) -> Reply:
    """``/gin resign``: asks, as the button does; typed again shortly after, it is done."""
    table = await any_of_mine(house, visit, match, ("resign",))
    own_act, _at = table.own_act.get(seat_at(table, visit.person), (0, None))
    moment = max(own_act, table.dealt_at)
    if not house.sure.is_sure(visit.person, table.id, moment, house.now()):
        question = await leave.resign_menu(house, visit, table.id, typed=True)

        async def read(_channel: ChannelId, _message: MessageId) -> None:
            house.sure.asked(visit.person, table.id, moment, house.now())

        return replace(question, delivered=read)
    return await leave.resign(house, visit, table.id)


async def cancel(house: House, visit: Visit, match: str | None) -> Reply:
    """``/gin cancel``."""
    table = await any_of_mine(house, visit, match, ("cancel",))
    return await leave.cancel(house, visit, table.id)
