"""What a hand brings: every way it can end, as a result that explains its number.

See docs/rules.md, scoring a hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from gin.actions import Seat
from gin.arrange import best_arrangement
from gin.cards import Card, cards_of, points_of
from gin.layoffs import lay
from gin.melds import Meld
from gin.position import Declared, Hand
from gin.results import Ending, HandResult
from gin.rules import Limit, OklahomaAce, Rules, SpadesDouble, Tie


def knock_limit(rules: Rules, starter: Card) -> int:
    """The most deadwood, in points, that a knock may declare in a hand with this starter."""
    if rules.knock_limit is not Limit.UPCARD:
        return rules.knock_limit
    if starter.rank == 1 and rules.oklahoma_ace is OklahomaAce.GIN:
        return 0
    return starter.points


def factors(rules: Rules, starter: Card) -> tuple[int, int]:
    """What the difference and the bonus of a hand with this starter are multiplied by."""
    if rules.knock_limit is not Limit.UPCARD or not 0 <= starter < 13:
        return 1, 1
    match rules.spades_double:
        case SpadesDouble.ALL:
            return 2, 2
        case SpadesDouble.DIFFERENCE:
            return 2, 1
        case SpadesDouble.OFF:
            return 1, 1


def void(hand: Hand, ending: Ending) -> HandResult:
    """A hand that ends without score; a knock that lies open stays in the record."""
    return _result(hand, _Score(ending, None, 0, 0), hand.knock)


def gin(hand: Hand, knock: Declared) -> HandResult:
    """Gin or big gin: the defender's least deadwood, and the bonus."""
    defender = best_arrangement(hand.cards(hand.opponent(knock.seat)))
    if knock.discard is None:
        ending, bonus = Ending.BIG_GIN, hand.rules.big_gin or 0
    else:
        ending, bonus = Ending.GIN, hand.rules.gin_bonus
    score = _Score(ending, knock.seat, defender.deadwood, bonus)
    return _result(hand, score, knock, _Defence(defender.melds, (), defender.loose))


def forfeited(hand: Hand, seat: Seat) -> HandResult:
    """A hand that ``seat`` loses by order of the house: the opponent scores as for gin.

    All the cards that ``seat`` holds count, melded best, eleven of them after a draw; nothing is
    laid off.
    """
    held = best_arrangement(hand.cards(seat))
    score = _Score(Ending.FORFEITED, hand.opponent(seat), held.deadwood, hand.rules.gin_bonus)
    return _result(hand, score, hand.knock, _Defence(held.melds, (), held.loose))


def laid(
    hand: Hand,
    knock: Declared,
    melds: tuple[Meld, ...],
    cards: tuple[Card, ...],
    *,
    by_house: bool = False,
) -> HandResult:
    """A knock that the defender has answered with his own melds and the cards laid off.

    ``by_house``: nobody asked him, since the match was given up.
    """
    placed = lay(knock.melds, cards, hand.rules.strict_bridge)[1]
    rest = hand.mask(hand.opponent(knock.seat))
    for meld in melds:
        rest &= ~meld.mask
    loose = tuple(card for card in cards_of(rest) if card not in cards)
    score = _compare(hand, knock, points_of(loose))
    return _result(hand, score, knock, _Defence(melds, placed, loose), by_house=by_house)


@dataclass(frozen=True, slots=True)
class _Score:
    """Who won how, with the difference and the bonus before doubling."""

    ending: Ending
    winner: Seat | None
    difference: int
    bonus: int


@dataclass(frozen=True, slots=True)
class _Defence:
    """The defender's cards as they count."""

    melds: tuple[Meld, ...] = ()
    laid_off: tuple[tuple[Card, int], ...] = ()
    loose: tuple[Card, ...] = ()


def _compare(hand: Hand, knock: Declared, defended: int) -> _Score:
    """Set the declared deadwood against what the defender is left with, in points."""
    defender = hand.opponent(knock.seat)
    difference = defended - knock.deadwood
    if difference > 0:
        return _Score(Ending.KNOCK, knock.seat, difference, 0)
    if difference == 0 and hand.rules.tie is Tie.DRAW:
        return _Score(Ending.TIE_DRAWN, None, 0, 0)
    if difference == 0 and hand.rules.tie is Tie.NO_BONUS:
        return _Score(Ending.TIE_NO_BONUS, defender, 0, 0)
    return _Score(Ending.UNDERCUT, defender, -difference, hand.rules.undercut_bonus)


def _result(
    hand: Hand,
    score: _Score,
    knock: Declared | None,
    defence: _Defence = _Defence(),
    *,
    by_house: bool = False,
) -> HandResult:
    difference_factor, bonus_factor = factors(hand.rules, hand.starter)
    return HandResult(
        number=hand.number,
        dealer=hand.dealer,
        players=hand.players,
        ending=score.ending,
        winner=score.winner,
        points=score.difference * difference_factor + score.bonus * bonus_factor,
        difference=score.difference,
        bonus=score.bonus,
        difference_factor=difference_factor,
        bonus_factor=bonus_factor,
        starter=hand.starter,
        knock_limit=hand.knock_limit,
        knocker=knock.seat if knock else None,
        knocker_melds=knock.melds if knock else (),
        knocker_deadwood=knock.loose if knock else (),
        knock_discard=knock.discard if knock else None,
        defender_melds=defence.melds,
        laid_off=defence.laid_off,
        defender_deadwood=defence.loose,
        hands=tuple((seat, hand.cards(seat)) for seat in hand.players),
        by_house=by_house,
    )
