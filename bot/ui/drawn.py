"""Which picture goes with which view, with its description in words.

Everything that a picture shows comes from the view, so it shows no more than the viewer may know;
file names never say anything about cards (faults.md, row 26).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Final

from bot.ui import cardwords, escape
from bot.ui.language import _
from bot.ui.moves import turn_words
from bot.ui.page import MatchShown, Picture
from bot.ui.pictures.hand import HandDrawing, draw_hand
from bot.ui.pictures.showdown import OpenHand, ShowdownDrawing, draw_showdown
from bot.ui.pictures.spread import Group
from bot.ui.pictures.table import Plate, TableDrawing, draw_table
from bot.ui.terms import doubling_words, limit_words
from gin.actions import Phase, Seat
from gin.arrange import Shed, best_arrangement
from gin.cards import Card, points_of
from gin.layoffs import LayOffPlan, lay
from gin.melds import Meld
from gin.results import HandResult
from gin.rules import Limit
from gin.views import HandView, OpenKnock

KEPT: Final = 256
"""Pictures of hands, about 20 KB each."""


@lru_cache(maxsize=KEPT)
def kept_hand(drawing: HandDrawing) -> bytes:
    """The picture of a hand, drawn once: it is shown again when the turn comes back to it."""
    return draw_hand(drawing)


def hand_picture(shown: MatchShown) -> Picture | None:
    """The viewer's own hand, grouped in its best melds and what is loose; None for the public."""
    hand = shown.view.hand
    if hand is None or hand.cards is None:
        return None
    if hand.knock is not None and hand.open_hand is not None:
        return _open_knock(shown, hand, hand.knock, hand.open_hand)
    way, shed = cardwords.grouped(hand.cards, hand.taken)
    caption = _("deadwood {points}")
    if shed is not None:
        caption = _("deadwood {points} after the best discard")
    if way.deadwood == 0:
        caption = _("gin!") if shed is not None else _("no deadwood")
    marked = () if hand.drawn is None else (hand.drawn,)
    drawing = HandDrawing(
        _groups(way.melds, way.loose, marked),
        caption.format(points=way.deadwood),
        shown.four_colours,
    )
    alt = _("Your hand. {spread}").format(spread=_spoken(way.melds, way.loose, way.deadwood))
    if hand.drawn is not None:
        fresh = _("Just drawn: {card}.") if hand.taken is None else _("Just taken: {card}.")
        alt += " " + fresh.format(card=cardwords.spoken(hand.drawn))
    return Picture("hand.png", alt, partial(kept_hand, drawing))


def looked_picture(shown: MatchShown) -> Picture | None:
    """The eleven cards of an exposed knock, for the one who chose to look; else None."""
    hand = shown.view.hand
    if hand is None or hand.looked_at is None:
        return None
    way, _shed = cardwords.grouped(hand.looked_at)
    caption = _("the exposed cards")
    alt = _("The exposed cards: {cards}.").format(cards=cardwords.spoken_all(hand.looked_at))
    drawing = HandDrawing(_groups(way.melds, way.loose), caption, shown.four_colours)
    return Picture("exposed.png", alt, partial(draw_hand, drawing))


def knock_picture(shown: MatchShown, shed: Shed) -> Picture:
    """The viewer's hand as he would lay it when knocking, the discard put away."""
    way = shed.arrangement
    groups = _groups(way.melds, way.loose)
    groups += (Group((shed.discard,), melded=False, faded=(shed.discard,)),)
    caption = _("deadwood {points}").format(points=way.deadwood) if way.deadwood else _("gin!")
    alt = _("Your knock. {spread} Discard: {card}.").format(
        spread=_spoken(way.melds, way.loose, way.deadwood), card=cardwords.spoken(shed.discard)
    )
    drawing = HandDrawing(groups, caption, shown.four_colours)
    return Picture("knock.png", alt, partial(draw_hand, drawing))


def layoff_picture(shown: MatchShown, plan: LayOffPlan) -> Picture | None:
    """The knocker's melds with the cards laid off, and the defender's hand."""
    hand = shown.view.hand
    if hand is None or hand.knock is None or hand.viewer is None:
        return None
    knock = hand.knock
    grown, _placed = lay(knock.melds, plan.cards, shown.view.rules.strict_bridge)
    top = _open_hand(shown, knock.seat, _groups(grown, knock.deadwood, plan.cards), knock.points)
    own = _groups(plan.melds, plan.loose)
    bottom = _open_hand(shown, hand.viewer, own, plan.deadwood)
    alt = _("{name} knocked: {spread} Your hand: {own}").format(
        name=_plain(shown, knock.seat),
        spread=_spoken(knock.melds, knock.deadwood, knock.points),
        own=_spoken(plan.melds, plan.loose, plan.deadwood),
    )
    drawing = ShowdownDrawing(top, bottom, shown.four_colours)
    return Picture("layoff.png", alt, partial(draw_showdown, drawing))


def table_picture(shown: MatchShown) -> Picture | None:
    """The table as everybody sees it; after a knock both hands lie open. None before the deal."""
    hand = shown.view.hand
    if hand is None:
        return None
    if hand.knock is not None and hand.open_hand is not None and hand.phase is Phase.LAYOFF:
        return _open_knock(shown, hand, hand.knock, hand.open_hand)
    upper, lower = sorted(hand.players)
    by_starter = shown.view.rules.knock_limit is Limit.UPCARD
    drawing = TableDrawing(
        top=_plate(shown, hand, upper),
        bottom=_plate(shown, hand, lower),
        upcard=hand.upcard,
        under=hand.pile_count > 1,
        stock=hand.stock_count,
        limit=_limit(hand.knock_limit),
        aside=None if hand.sitting_out is None else _plate(shown, hand, hand.sitting_out),
        aside_words=_("sits out"),
        starter=hand.starter if by_starter and hand.starter != hand.upcard else None,
        doubled=hand.doubled,
        four_colours=shown.four_colours,
    )
    names = [escape.plain(person.name) for person in shown.people]
    upcard = cardwords.spoken(hand.upcard) if hand.upcard is not None else _("none")
    limit = limit_words(hand.knock_limit)
    if by_starter:
        said = _("{limit}, by the {starter}")
        limit = said.format(limit=limit, starter=cardwords.spoken(hand.starter))
    if hand.doubled:
        said = _("{limit}; a spade: {doubling}")
        limit = said.format(limit=limit, doubling=doubling_words(shown.view.rules))
    alt = _("The table. {turn}. Up-card: {upcard}. Stock: {stock}. Limit: {limit}. {held}.").format(
        turn=turn_words(hand, names),
        upcard=upcard,
        stock=hand.stock_count,
        limit=limit,
        held=", ".join(
            _("{name} holds {count}").format(name=names[seat], count=count)
            for seat, count in hand.held
        ),
    )
    if hand.sitting_out is not None:
        alt += " " + _("{name} sits out.").format(name=names[hand.sitting_out])
    return Picture("table.png", alt, partial(draw_table, drawing))


def showdown_picture(shown: MatchShown) -> Picture | None:
    """Both hands of the newest hand that has ended, open; None before one has."""
    result = shown.view.last_result
    if result is None:
        return None
    top, bottom = _result_hands(shown, result)
    alt = _("Hand {number}, both hands open. {hands}").format(
        number=result.number,
        hands=" ".join(
            f"{_plain(shown, seat)}: {cardwords.spoken_all(cards)}." for seat, cards in result.hands
        ),
    )
    drawing = ShowdownDrawing(top, bottom, shown.four_colours)
    return Picture("showdown.png", alt, partial(draw_showdown, drawing))


def _open_knock(
    shown: MatchShown, hand: HandView, knock: OpenKnock, open_hand: tuple[Card, ...]
) -> Picture:
    """After a knock, before the lay-off: the knocker's spread and the other's cards."""
    defender = hand.opponent(knock.seat)
    top = _open_hand(shown, knock.seat, _groups(knock.melds, knock.deadwood), knock.points)
    way = best_arrangement(open_hand)
    bottom = OpenHand(
        _plain(shown, defender),
        str(defender),
        _groups(way.melds, way.loose),
        "",
        on_turn=hand.to_move is defender,
    )
    alt = _("{name} knocked: {spread} {other} holds {cards}.").format(
        name=_plain(shown, knock.seat),
        spread=_spoken(knock.melds, knock.deadwood, knock.points),
        other=_plain(shown, defender),
        cards=cardwords.spoken_all(open_hand),
    )
    drawing = ShowdownDrawing(top, bottom, shown.four_colours)
    return Picture("table.png", alt, partial(draw_showdown, drawing))


def _result_hands(shown: MatchShown, result: HandResult) -> tuple[OpenHand, OpenHand]:
    """Both hands at the end, the knocker's first."""
    if result.knocker is None or result.defender is None:
        laid = []
        for seat, cards in result.hands:
            way = best_arrangement(cards)
            won = f"+{result.points}" if result.winner is seat else ""
            laid.append(_open_hand(shown, seat, _groups(way.melds, way.loose), way.deadwood, won))
        return laid[0], laid[1]
    cards = tuple(card for card, _meld in result.laid_off)
    grown: list[list[Card]] = [list(meld.cards) for meld in result.knocker_melds]
    for card, place in result.laid_off:
        grown[place].append(card)
    melds = [Meld.of(meld) for meld in grown]
    award = f"+{result.points}" if result.winner is not None else ""
    knocker = _open_hand(
        shown,
        result.knocker,
        _groups(melds, result.knocker_deadwood, cards),
        points_of(result.knocker_deadwood),
        award if result.winner is result.knocker else "",
    )
    defender = _open_hand(
        shown,
        result.defender,
        _groups(result.defender_melds, result.defender_deadwood),
        points_of(result.defender_deadwood),
        award if result.winner is result.defender else "",
    )
    return knocker, defender


def _open_hand(
    shown: MatchShown, seat: Seat, groups: tuple[Group, ...], points: int, award: str = ""
) -> OpenHand:
    caption = _("deadwood {points}").format(points=points)
    return OpenHand(_plain(shown, seat), str(seat), groups, caption, award)


def _plate(shown: MatchShown, hand: HandView, seat: Seat) -> Plate:
    games = shown.view.sheet.games
    return Plate(
        name=_plain(shown, seat),
        seat=str(seat),
        score=tuple((str(game.points[seat]), game.settlement is not None) for game in games),
        held=dict(hand.held).get(seat, 0),
        on_turn=hand.to_move is seat,
    )


def _limit(limit: int) -> tuple[str, str, str]:
    if limit == 0:
        return _("only"), _("gin"), ""
    return _("knock with"), str(limit), _("or less")


def _groups(
    melds: Iterable[Meld], loose: Iterable[Card], marked: tuple[Card, ...] = ()
) -> tuple[Group, ...]:
    laid = [Group(meld.cards, melded=True, marked=marked) for meld in melds]
    rest = tuple(loose)
    return (*laid, Group(rest, melded=False, marked=marked)) if rest else tuple(laid)


def _plain(shown: MatchShown, seat: Seat) -> str:
    return escape.plain(shown.people[seat].name)


def _spoken(melds: Iterable[Meld], loose: Iterable[Card], deadwood: int) -> str:
    """An arrangement for the ear."""
    said = [_("Meld: {cards}.").format(cards=cardwords.spoken_all(meld.cards)) for meld in melds]
    rest = tuple(loose)
    if rest:
        said.append(_("Loose: {cards}.").format(cards=cardwords.spoken_all(rest)))
    said.append(_("Deadwood {points}.").format(points=deadwood))
    return " ".join(said)
