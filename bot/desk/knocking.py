"""Knocking: the page that asks, the form, gin and big gin."""

from __future__ import annotations

from typing import Final

from bot.desk.panels import or_present_hand, panel_reply
from bot.desk.play import act_at, at_version, held
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.refusals import NotPossibleNow, broken_rule, earlier_moment
from bot.ui import choices
from bot.ui.escape import legible
from bot.ui.language import _
from bot.ui.pages import (
    arranged_page,
    knock_modal,
    knock_page,
)
from db.ids import MatchId
from gin import (
    Arrangement,
    BigGin,
    Card,
    GinError,
    Knock,
    Match,
    Meld,
    Play,
    Seat,
    Shed,
    best_arrangement,
    big_gin,
    points_of,
    view,
)

BIG_GIN_WORDS: Final = ("big gin", "big-gin", "none")
"""What is typed as the discard of a knock that has none; the first is what is suggested."""


async def menu(house: House, visit: Visit, match: MatchId, index: int, version: int) -> Reply:
    """The page on which a knock is looked at and confirmed. Nothing changes by opening it."""

    async def act() -> Reply:
        table, seat = await at_version(house, visit, match, version)
        shown = await house.shown(table, seat)
        if not choices.knocks(shown.view):
            raise NotPossibleNow(_("These cards are no knock and no gin now. Discard one instead."))
        page = knock_page(shown, min(index, len(choices.knocks(shown.view)) - 1))
        return panel_reply(house, visit, table, seat, page)

    return await or_present_hand(house, visit, match, act)


async def choice(house: House, visit: Visit, match: MatchId, index: int, version: int) -> Reply:
    """Knock with one of the offered arrangements, as counted at ``version``."""

    def intent(state: Match, seat: Seat) -> Play:
        offered = choices.knocks(view(state, seat))
        if index >= len(offered):
            raise earlier_moment()
        return Play(seat, Knock(offered[index].discard, offered[index].arrangement.melds))

    return await act_at(house, visit, match, intent, version)


async def typed(
    house: House,
    visit: Visit,
    match: MatchId,
    discarded: Card,
    melds: tuple[Meld, ...] | None,
    version: int | None = None,
) -> Reply:
    """Knock with a discard and melds as typed; without melds, the best arrangement."""

    def intent(state: Match, seat: Seat) -> Play:
        if melds is not None:
            return Play(seat, Knock(discarded, melds))
        cards = held(state, seat)
        rest = [card for card in cards if card != discarded]
        return Play(seat, Knock(discarded, best_arrangement(rest).melds))

    return await act_at(house, visit, match, intent, version)


async def arranged(
    house: House,
    visit: Visit,
    match: MatchId,
    discarded: Card,
    melds: tuple[Meld, ...] | None,
    version: int,
) -> Reply:
    """Ask whether a knock as arranged in the form is meant, with its count; nothing changes yet."""

    async def act() -> Reply:
        table, seat = await at_version(house, visit, match, version)
        rest = [card for card in held(table.match, seat) if card != discarded]
        laid = best_arrangement(rest).melds if melds is None else melds
        try:
            table.match.verify(Play(seat, Knock(discarded, laid)))
        except GinError as error:
            raise broken_rule(error, table.match.hand) from error
        used = {card for meld in laid for card in meld.cards}
        loose = tuple(card for card in rest if card not in used)
        points = points_of(loose)
        shown = await house.shown(table, seat)
        hand = shown.view.hand
        page = arranged_page(
            shown,
            Shed(discarded, Arrangement(laid, loose, points)),
            is_over=hand is not None and points > hand.knock_limit,
        )
        return panel_reply(house, visit, table, seat, page)

    return await or_present_hand(house, visit, match, act)


async def form(house: House, visit: Visit, match: MatchId, version: int) -> Reply:
    """The form in which a person arranges a knock himself."""

    async def act() -> Reply:
        table, seat = await at_version(house, visit, match, version)
        return Reply(modal=knock_modal(await house.shown(table, seat)))

    return await or_present_hand(house, visit, match, act)


async def go_big(house: House, visit: Visit, match: MatchId, version: int | None) -> Reply:
    """Go big gin with all eleven cards (where the house plays it)."""

    def intent(state: Match, seat: Seat) -> Play:
        if state.rules.big_gin is None:
            raise NotPossibleNow(
                _("Big gin isn't played in this match. Discard one card and go gin.")
            )
        cards = held(state, seat)
        arrangement = big_gin(cards)
        if arrangement is None and len(cards) == 11:
            raise NotPossibleNow(
                _("Your eleven cards aren't all in melds, so it isn't big gin. Discard one.")
            )
        return Play(seat, BigGin(() if arrangement is None else arrangement.melds))

    return await act_at(house, visit, match, intent, version)


def is_big_gin(discarded: str) -> bool:
    """Whether what was typed in a discard's place says that all eleven cards are melded."""
    return " ".join(legible(discarded).casefold().split()) in BIG_GIN_WORDS
