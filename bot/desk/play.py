"""Playing a hand: draw, pass, discard, knock, lay off, by command or by control.

Each act takes the match it is about and, from a control, the version that the control showed.
"""

from __future__ import annotations

from typing import Final

from bot.desk.panels import hand_reply, or_present_hand, panel_reply, seat_at
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play.table import Table
from bot.play.tables import Intent
from bot.refusals import BadText, NotPossibleNow, already_done, broken_rule
from bot.ui import choices, typed
from bot.ui.language import _
from bot.ui.pages import arranged_page, knock_modal, knock_page, layoff_modal, layoff_page
from db.ids import MatchId
from gin import (
    Arrangement,
    BigGin,
    Card,
    Discard,
    Draw,
    GinError,
    Knock,
    LayOff,
    Look,
    Match,
    Meld,
    Pass,
    Phase,
    Pile,
    Play,
    Seat,
    Shed,
    TakeBack,
    best_arrangement,
    best_layoff,
    big_gin,
    points_of,
    view,
)
from gin.actions import Action

BIG_GIN_WORDS: Final = ("big gin", "big-gin", "none")
"""What is typed as the discard of a knock that has none; the first is what is suggested."""


async def _act(
    house: House, visit: Visit, match: MatchId, intent: Intent, version: int | None
) -> Reply:
    async def act() -> Reply:
        table = await house.tables.act(
            match, visit.person, intent, version=version, interaction=visit.interaction
        )
        return await hand_reply(house, visit, table, changed=True)

    return await or_present_hand(house, visit, match, act)


def _always(action: Action) -> Intent:
    return lambda _match, seat: Play(seat, action)


async def show_hand(house: House, visit: Visit, match: MatchId) -> Reply:
    """The person's own hand, privately."""
    table = await _table(house, match)
    return await hand_reply(house, visit, table)


async def draw(
    house: House, visit: Visit, match: MatchId, pile: Pile, version: int | None = None
) -> Reply:
    """Draw from a pile (the up-card too is taken from the discard pile)."""
    return await _act(house, visit, match, _always(Draw(pile)), version)


async def refuse(house: House, visit: Visit, match: MatchId, version: int | None = None) -> Reply:
    """Refuse the up-card, or the fiftieth card."""
    return await _act(house, visit, match, _always(Pass()), version)


async def discard(
    house: House, visit: Visit, match: MatchId, card: Card, version: int | None = None
) -> Reply:
    """Lay a card on the discard pile."""
    return await _act(house, visit, match, _always(Discard(card)), version)


async def look(house: House, visit: Visit, match: MatchId, version: int | None = None) -> Reply:
    """After an exposed illegal knock: look at the eleven cards."""
    return await _act(house, visit, match, _answering(Look()), version)


async def take_back(
    house: House, visit: Visit, match: MatchId, version: int | None = None
) -> Reply:
    """After an exposed illegal knock: have it taken back unseen."""
    return await _act(house, visit, match, _answering(TakeBack()), version)


def _answering(action: Look | TakeBack) -> Intent:
    def intent(state: Match, seat: Seat) -> Play:
        if state.hand is None or state.hand.phase is not Phase.EXPOSED:
            raise NotPossibleNow(
                _("There is no knock over the limit to answer now. `/gin hand` shows your cards.")
            )
        return Play(seat, action)

    return intent


# ------------------------------------------------------------------------------- the knock


async def knock_menu(house: House, visit: Visit, match: MatchId, index: int, version: int) -> Reply:
    """The page on which a knock is looked at and confirmed. Nothing changes by opening it."""

    async def act() -> Reply:
        table, seat = await _at_version(house, visit, match, version)
        shown = await house.shown(table, seat)
        if not choices.knocks(shown.view):
            raise NotPossibleNow(_("You can't knock with these cards. Discard one and play on."))
        page = knock_page(shown, min(index, len(choices.knocks(shown.view)) - 1))
        return panel_reply(house, visit, table, seat, page)

    return await or_present_hand(house, visit, match, act)


async def knock_choice(
    house: House, visit: Visit, match: MatchId, index: int, version: int
) -> Reply:
    """Knock with one of the offered arrangements, as counted at ``version``."""

    def intent(state: Match, seat: Seat) -> Play:
        offered = choices.knocks(view(state, seat))
        if index >= len(offered):
            raise already_done()
        return Play(seat, Knock(offered[index].discard, offered[index].arrangement.melds))

    return await _act(house, visit, match, intent, version)


async def knock_typed(
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
        held = _held(state, seat)
        rest = [card for card in held if card != discarded]
        return Play(seat, Knock(discarded, best_arrangement(rest).melds))

    return await _act(house, visit, match, intent, version)


async def knock_arranged(
    house: House,
    visit: Visit,
    match: MatchId,
    discarded: Card,
    melds: tuple[Meld, ...] | None,
    version: int,
) -> Reply:
    """Ask whether a knock as arranged in the form is meant, with its count; nothing changes yet."""

    async def act() -> Reply:
        table, seat = await _at_version(house, visit, match, version)
        rest = [card for card in _held(table.match, seat) if card != discarded]
        laid = best_arrangement(rest).melds if melds is None else melds
        try:
            table.match.verify(Play(seat, Knock(discarded, laid)))
        except GinError as error:
            phase = None if table.match.hand is None else table.match.hand.phase
            raise broken_rule(error, phase) from error
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


async def knock_form(house: House, visit: Visit, match: MatchId, version: int) -> Reply:
    """The form in which a person arranges a knock himself."""

    async def act() -> Reply:
        table, seat = await _at_version(house, visit, match, version)
        return Reply(modal=knock_modal(await house.shown(table, seat)))

    return await or_present_hand(house, visit, match, act)


async def big_gin_act(house: House, visit: Visit, match: MatchId, version: int | None) -> Reply:
    """Go big gin with all eleven cards (where the house plays it)."""

    def intent(state: Match, seat: Seat) -> Play:
        if state.rules.big_gin is None:
            raise NotPossibleNow(
                _("Big gin isn't played in this match. Discard one card and go gin.")
            )
        held = _held(state, seat)
        arrangement = big_gin(held)
        if arrangement is None and len(held) == 11:
            raise NotPossibleNow(
                _("Your eleven cards aren't all in melds, so it isn't big gin. Discard one.")
            )
        return Play(seat, BigGin(() if arrangement is None else arrangement.melds))

    return await _act(house, visit, match, intent, version)


def is_big_gin(discarded: str) -> bool:
    """Whether what was typed in a discard's place says that all eleven cards are melded."""
    return " ".join(discarded.casefold().split()) in BIG_GIN_WORDS


# ------------------------------------------------------------------------------ the lay-off


async def layoff_menu(
    house: House, visit: Visit, match: MatchId, index: int, version: int
) -> Reply:
    """The page with one of the offered lay-offs, to be confirmed."""

    async def act() -> Reply:
        table, seat = await _at_version(house, visit, match, version)
        shown = await house.shown(table, seat)
        offered = choices.layoffs(shown.view)
        if not offered:
            raise NotPossibleNow(_("There is nothing to lay off now."))
        page = layoff_page(shown, min(index, len(offered) - 1))
        return panel_reply(house, visit, table, seat, page)

    return await or_present_hand(house, visit, match, act)


async def layoff_choice(
    house: House, visit: Visit, match: MatchId, index: int, version: int
) -> Reply:
    """Lay off as one of the offers says, as counted at ``version``."""

    def intent(state: Match, seat: Seat) -> Play:
        offered = choices.layoffs(view(state, seat))
        if index >= len(offered):
            raise already_done()
        return Play(seat, LayOff(offered[index].melds, offered[index].cards))

    return await _act(house, visit, match, intent, version)


async def layoff_typed(
    house: House,
    visit: Visit,
    match: MatchId,
    cards: tuple[Card, ...] | None,
    melds: tuple[Meld, ...] | None,
    version: int | None = None,
) -> Reply:
    """Lay off as typed; what is left out is chosen best around what was typed."""

    def intent(state: Match, seat: Seat) -> Play:
        seen = view(state, seat).hand
        if seen is None or seen.phase is not Phase.LAYOFF or seen.knock is None:
            return Play(seat, LayOff(melds or (), cards or ()))  # the rules say what is wrong
        fixed = {card for meld in melds or () for card in meld.cards} | set(cards or ())
        loose = [card for card in seen.cards or () if card not in fixed]
        if cards is None:
            plan = best_layoff(seen.knock.melds, loose, strict_bridge=state.rules.strict_bridge)
            own = plan.melds if melds is None else (*melds, *plan.melds)
            return Play(seat, LayOff(own, plan.cards))
        if melds is None:
            return Play(seat, LayOff(best_arrangement(loose).melds, cards))
        return Play(seat, LayOff(melds, cards))

    return await _act(house, visit, match, intent, version)


async def layoff_form(house: House, visit: Visit, match: MatchId, version: int) -> Reply:
    """The form in which a defender arranges his lay-off himself."""

    async def act() -> Reply:
        table, seat = await _at_version(house, visit, match, version)
        return Reply(modal=layoff_modal(await house.shown(table, seat)))

    return await or_present_hand(house, visit, match, act)


# ------------------------------------------------------------------------------ typed words


def read_card(text: str) -> Card:
    """One card as people type it; raise :class:`BadText`."""
    try:
        return typed.parse_card(text)
    except typed.NotUnderstood as error:
        raise BadText(str(error)) from error


def read_cards(text: str | None) -> tuple[Card, ...] | None:
    """Cards as people type them; None where nothing was typed; raise :class:`BadText`."""
    if text is None or not text.strip():
        return None
    try:
        return typed.parse_cards(text)
    except typed.NotUnderstood as error:
        raise BadText(str(error)) from error


def read_melds(text: str | None) -> tuple[Meld, ...] | None:
    """Melds as people type them; None where nothing was typed; raise :class:`BadText`."""
    if text is None or not text.strip():
        return None
    try:
        return typed.parse_melds(text)
    except typed.NotUnderstood as error:
        raise BadText(str(error)) from error


# --------------------------------------------------------------------------------- helpers


async def _table(house: House, match: MatchId) -> Table:
    table = await house.tables.load(match)
    if table is None:
        raise NotPossibleNow(_("That match doesn't exist any more. `/gin status` lists yours."))
    return table


async def _at_version(
    house: House, visit: Visit, match: MatchId, version: int
) -> tuple[Table, Seat]:
    table = await _table(house, match)
    seat = seat_at(table, visit.person)
    if table.head != version:
        raise already_done()
    return table, seat


def _held(state: Match, seat: Seat) -> tuple[Card, ...]:
    seen = view(state, seat).hand
    return () if seen is None or seen.cards is None else seen.cards
