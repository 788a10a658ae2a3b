"""Playing a hand: draw, pass, discard, knock, lay off, by command or by control.

Each act takes the match it is about and, from a control, the version that the control showed.
"""

from __future__ import annotations

from bot.desk.panels import hand_reply, or_present_hand, seat_at
from bot.front.reply import Reply
from bot.front.visit import Visit
from bot.house import House
from bot.play.table import Table
from bot.play.tables import Intent
from bot.refusals import BadText, NotPossibleNow, earlier_moment
from bot.ui import typed
from bot.ui.language import _
from db.ids import MatchId
from gin import (
    Card,
    Discard,
    Draw,
    Look,
    Match,
    Meld,
    Pass,
    Phase,
    Pile,
    Play,
    Seat,
    TakeBack,
    view,
)
from gin.actions import Action


async def act_at(
    house: House, visit: Visit, match: MatchId, intent: Intent, version: int | None
) -> Reply:
    """Act as ``intent`` says, at this version where one is given; show the hand as it is then."""

    async def act() -> Reply:
        table = await house.tables.act(
            match, visit.person, intent, version=version, interaction=visit.interaction
        )
        return await hand_reply(house, visit, table, changed=True)

    return await or_present_hand(house, visit, match, act)


def _always(action: Action) -> Intent:
    return lambda _match, seat: Play(seat, action)


async def show_hand(house: House, visit: Visit, match: MatchId) -> Reply:
    """The person's own hand, privately; whoever was asked whether he resigns plays on."""
    house.sure.forget(visit.person, match)
    table = await _table(house, match)
    return await hand_reply(house, visit, table)


async def draw(
    house: House, visit: Visit, match: MatchId, pile: Pile, version: int | None = None
) -> Reply:
    """Draw from a pile (the up-card too is taken from the discard pile)."""
    return await act_at(house, visit, match, _always(Draw(pile)), version)


async def refuse(house: House, visit: Visit, match: MatchId, version: int | None = None) -> Reply:
    """Refuse the up-card, or the fiftieth card."""
    return await act_at(house, visit, match, _always(Pass()), version)


async def discard(
    house: House, visit: Visit, match: MatchId, card: Card, version: int | None = None
) -> Reply:
    """Lay a card on the discard pile."""
    return await act_at(house, visit, match, _always(Discard(card)), version)


async def look(house: House, visit: Visit, match: MatchId, version: int | None = None) -> Reply:
    """After an exposed illegal knock: look at the eleven cards."""
    return await act_at(house, visit, match, _answering(Look()), version)


async def take_back(
    house: House, visit: Visit, match: MatchId, version: int | None = None
) -> Reply:
    """After an exposed illegal knock: have it taken back unseen."""
    return await act_at(house, visit, match, _answering(TakeBack()), version)


def _answering(action: Look | TakeBack) -> Intent:
    def intent(state: Match, seat: Seat) -> Play:
        if state.hand is None or state.hand.phase is not Phase.EXPOSED:
            raise NotPossibleNow(
                _("There are no announced cards to answer now. `/gin hand` shows your cards.")
            )
        return Play(seat, action)

    return intent


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


async def at_version(
    house: House, visit: Visit, match: MatchId, version: int
) -> tuple[Table, Seat]:
    """The match and the person's seat, if it still stands at this version; else raise."""
    table = await _table(house, match)
    seat = seat_at(table, visit.person)
    if table.head != version:
        raise earlier_moment()
    return table, seat


def held(state: Match, seat: Seat) -> tuple[Card, ...]:
    """The cards in a seat's hand; none where it has no part in the hand that is played."""
    seen = view(state, seat).hand
    return () if seen is None or seen.cards is None else seen.cards
