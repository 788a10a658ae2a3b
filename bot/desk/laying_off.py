"""Laying off: the offers, the form, and what is arranged in it."""

from __future__ import annotations

from bot.desk.panels import or_present_hand, panel_reply
from bot.desk.play import act_at, at_version
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.refusals import NotPossibleNow, broken_rule, earlier_moment
from bot.ui import choices
from bot.ui.language import _
from bot.ui.pages import (
    arranged_layoff_page,
    layoff_modal,
    layoff_page,
)
from db.ids import MatchId
from gin import (
    Card,
    GinError,
    LayOff,
    Match,
    Meld,
    Phase,
    Play,
    Seat,
    best_arrangement,
    best_layoff,
    view,
)


async def menu(house: House, visit: Visit, match: MatchId, index: int, version: int) -> Reply:
    """The page with one of the offered lay-offs, to be confirmed."""

    async def act() -> Reply:
        table, seat = await at_version(house, visit, match, version)
        shown = await house.shown(table, seat)
        offered = choices.layoffs(shown.view)
        if not offered:
            raise NotPossibleNow(_("There is nothing to lay off now."))
        page = layoff_page(shown, min(index, len(offered) - 1))
        return panel_reply(house, visit, table, seat, page)

    return await or_present_hand(house, visit, match, act)


async def choice(house: House, visit: Visit, match: MatchId, index: int, version: int) -> Reply:
    """Lay off as one of the offers says, as counted at ``version``."""

    def intent(state: Match, seat: Seat) -> Play:
        offered = choices.layoffs(view(state, seat))
        if index >= len(offered):
            raise earlier_moment()
        return Play(seat, LayOff(offered[index].melds, offered[index].cards))

    return await act_at(house, visit, match, intent, version)


async def typed(
    house: House,
    visit: Visit,
    match: MatchId,
    cards: tuple[Card, ...] | None,
    melds: tuple[Meld, ...] | None,
    version: int | None = None,
) -> Reply:
    """Lay off as typed; what is left out is chosen best around what was typed."""

    def intent(state: Match, seat: Seat) -> Play:
        return Play(seat, _meant(state, seat, cards, melds))

    return await act_at(house, visit, match, intent, version)


async def arranged(
    house: House,
    visit: Visit,
    match: MatchId,
    cards: tuple[Card, ...] | None,
    melds: tuple[Meld, ...] | None,
    version: int,
) -> Reply:
    """Ask whether a lay-off as arranged in the form is meant, with its count; nothing changes."""

    async def act() -> Reply:
        table, seat = await at_version(house, visit, match, version)
        meant = _meant(table.match, seat, cards, melds)
        try:
            table.match.verify(Play(seat, meant))
        except GinError as error:
            raise broken_rule(error, table.match.hand) from error
        shown = await house.shown(table, seat)
        return panel_reply(house, visit, table, seat, arranged_layoff_page(shown, meant))

    return await or_present_hand(house, visit, match, act)


def _meant(
    state: Match, seat: Seat, cards: tuple[Card, ...] | None, melds: tuple[Meld, ...] | None
) -> LayOff:
    """The lay-off that somebody means who gave only these cards, or these melds of his own."""
    seen = view(state, seat).hand
    if seen is None or seen.phase is not Phase.LAYOFF or seen.knock is None:
        return LayOff(melds or (), cards or ())  # the rules say what is wrong
    fixed = {card for meld in melds or () for card in meld.cards} | set(cards or ())
    loose = [card for card in seen.cards or () if card not in fixed]
    if cards is None:
        plan = best_layoff(seen.knock.melds, loose, strict_bridge=state.rules.strict_bridge)
        return LayOff(plan.melds if melds is None else (*melds, *plan.melds), plan.cards)
    if melds is None:
        return LayOff(best_arrangement(loose).melds, cards)
    return LayOff(melds, cards)


async def form(house: House, visit: Visit, match: MatchId, version: int) -> Reply:
    """The form in which a defender arranges his lay-off himself."""

    async def act() -> Reply:
        table, seat = await at_version(house, visit, match, version)
        return Reply(modal=layoff_modal(await house.shown(table, seat)))

    return await or_present_hand(house, visit, match, act)
