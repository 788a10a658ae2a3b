"""One hand: the deal, and how each act changes it (docs/rules.md, one hand).

``verify`` raises the error that names the broken rule, ``can`` asks, ``apply`` acts and returns
the new hand; the old one stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gin import scoring
from gin.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Look,
    Move,
    Pass,
    Phase,
    Pile,
    Seat,
    TakeBack,
)
from gin.cards import DECK, Card, mask_of
from gin.errors import MalformedDeck, MatchOver, NotYourTurn
from gin.layoffs import best_layoff
from gin.legal import can, exposes, legal_actions, loose_after, verify
from gin.melds import Meld
from gin.position import Declared, Hand
from gin.results import Ending, HandResult
from gin.rules import Rules
from gin.views import PublicMove

__all__ = [
    "Hand",
    "abandon",
    "apply",
    "can",
    "check_deck",
    "deal",
    "forfeit",
    "legal_actions",
    "verify",
    "verify_forfeit",
]


def deal(rules: Rules, number: int, dealer: Seat, other: Seat, deck: Sequence[Card]) -> Hand:
    """Deal a hand from ``deck``, the top card first.

    One card at a time, alternating, ``other`` first, ten each; card 21 is the starter, the rest in
    order is the stock of 31. Raise :class:`MalformedDeck` unless it is the 52 cards.
    """
    check_deck(deck)
    starter = deck[20]
    return Hand(
        rules=rules,
        number=number,
        players=(other, dealer),
        starter=starter,
        knock_limit=scoring.knock_limit(rules, starter),
        held=(mask_of(deck[0:20:2]), mask_of(deck[1:20:2])),
        stock=tuple(deck[21:]),
        pile=(starter,),
        phase=Phase.UPCARD,
        to_move=other,
    )


def check_deck(deck: Sequence[Card]) -> None:
    """Raise :class:`MalformedDeck` unless ``deck`` is each of the 52 cards once."""
    if len(deck) != len(DECK) or set(deck) != set(DECK):
        raise MalformedDeck("a deck is each of the 52 cards once")


def apply(hand: Hand, seat: Seat, action: Action) -> Hand:
    """The hand after ``action`` by ``seat``; raise what :func:`verify` raises if it is illegal."""
    verify(hand, seat, action)
    match action:
        case Pass():
            return _passed(hand, seat)
        case Draw(pile):
            return _drew(hand, seat, pile)
        case Discard(card):
            return _discarded(hand, seat, card)
        case Knock():
            if exposes(hand, seat, action):
                return _exposed(hand, seat)
            return _knocked(hand, seat, action)
        case BigGin(melds):
            moved = _moved(hand, PublicMove(seat, Move.BIG_GIN))
            knock = Declared(seat, _sorted(melds), (), None)
            return _over(replace(moved, knock=knock), scoring.gin(moved, knock))
        case LayOff(melds, cards):
            assert hand.knock is not None  # noqa: S101 - verified: there was a knock
            result = scoring.laid(hand, hand.knock, _sorted(melds), cards)
            return _over(_moved(hand, PublicMove(seat, Move.LAY_OFF)), result)
        case Look():
            offender = hand.opponent(seat)
            return replace(
                _moved(hand, PublicMove(seat, Move.LOOK)),
                phase=Phase.DISCARD,
                to_move=offender,
                looked=(seat, hand.cards(offender)),
            )
        case TakeBack():
            return replace(
                _moved(hand, PublicMove(seat, Move.TAKE_BACK)),
                phase=Phase.DISCARD,
                to_move=hand.opponent(seat),
            )


def abandon(hand: Hand, *, scored: bool) -> Hand:
    """End a running hand because the match ends.

    ``scored``: after a knock it counts, with the defender's best play (a player gave up); else,
    and when nobody has knocked, it is void.
    """
    if scored and hand.knock is not None:
        defender = hand.opponent(hand.knock.seat)
        best = best_layoff(hand.knock.melds, hand.cards(defender), hand.rules.strict_bridge)
        result = scoring.laid(hand, hand.knock, best.melds, best.cards, by_house=True)
        return _over(hand, result)
    return _over(hand, scoring.void(hand, Ending.ABANDONED))


def verify_forfeit(hand: Hand, seat: Seat) -> None:
    """Raise what :func:`forfeit` would raise; else return."""
    if hand.is_over:
        raise MatchOver("the hand is over")
    if seat is not hand.to_move:
        raise NotYourTurn(f"only {hand.to_move}, who is to act, can forfeit the hand")


def forfeit(hand: Hand, seat: Seat) -> Hand:
    """End a running hand that the player to move loses by order of the house.

    The opponent scores as for gin, whatever has been played (docs/rules.md, forfeits). Raise
    :class:`NotYourTurn` for a seat that isn't to act.
    """
    verify_forfeit(hand, seat)
    return _over(hand, scoring.forfeited(hand, seat))


def _sorted(melds: tuple[Meld, ...]) -> tuple[Meld, ...]:
    """Declared melds with their cards in order, however the caller wrote them."""
    return tuple(Meld.of(meld.cards) for meld in melds)


def _moved(hand: Hand, move: PublicMove) -> Hand:
    return replace(hand, moves=(*hand.moves, move))


def _over(hand: Hand, result: HandResult) -> Hand:
    return replace(
        hand,
        phase=Phase.OVER,
        to_move=None,
        drawn=None,
        taken=None,
        must_knock=False,
        exposed_by=None,
        looked=None,
        result=result,
    )


def _holding(hand: Hand, seat: Seat, changed: int) -> tuple[int, int]:
    """Both holdings after the cards ``changed`` (as bits) came to ``seat`` or left him."""
    first, second = hand.held
    return (first ^ changed, second) if seat is hand.players[0] else (first, second ^ changed)


def _passed(hand: Hand, seat: Seat) -> Hand:
    moves = (*hand.moves, PublicMove(seat, Move.PASS))
    if hand.phase is Phase.FIFTIETH:
        return _over(replace(hand, moves=moves), scoring.void(hand, Ending.STOCK_OUT))
    if seat is hand.dealer:
        return replace(
            hand, moves=moves, phase=Phase.DRAW, to_move=hand.opponent(seat), refused=True
        )
    return replace(hand, moves=moves, to_move=hand.dealer)


def _drew(hand: Hand, seat: Seat, pile: Pile) -> Hand:
    stock, discards = hand.stock, hand.pile
    if pile is Pile.STOCK:
        card, stock = stock[0], stock[1:]
        taken = None
    else:
        card, discards = discards[-1], discards[:-1]
        taken = card
    return replace(
        hand,
        held=_holding(hand, seat, 1 << card),
        stock=stock,
        pile=discards,
        phase=Phase.DISCARD,
        drawn=card,
        taken=taken,
        draws=hand.draws + 1,
        refused=False,
        must_knock=hand.phase is Phase.FIFTIETH,
        looked=None if hand.looked and hand.looked[0] is seat else hand.looked,
        moves=(*hand.moves, PublicMove(seat, Move.DRAW, pile, taken)),
    )


def _discarded(hand: Hand, seat: Seat, card: Card) -> Hand:
    after = replace(
        hand,
        held=_holding(hand, seat, 1 << card),
        pile=(*hand.pile, card),
        phase=Phase.DRAW,
        to_move=hand.opponent(seat),
        drawn=None,
        taken=None,
        exposed_by=None,
        moves=(*hand.moves, PublicMove(seat, Move.DISCARD, None, card)),
    )
    if after.draws >= after.rules.draw_cap:
        return _over(after, scoring.void(after, Ending.DRAW_CAP))
    if len(after.stock) > 2:
        return after
    if after.rules.fiftieth_card:
        return replace(after, phase=Phase.FIFTIETH)
    return _over(after, scoring.void(after, Ending.STOCK_OUT))


def _exposed(hand: Hand, seat: Seat) -> Hand:
    """An illegal knock was announced: nothing changes hands, the opponent chooses."""
    return replace(
        hand,
        phase=Phase.EXPOSED,
        to_move=hand.opponent(seat),
        exposed_by=seat,
        moves=(*hand.moves, PublicMove(seat, Move.KNOCK, illegal=True)),
    )


def _knocked(hand: Hand, seat: Seat, action: Knock) -> Hand:
    loose = loose_after(hand, seat, action)
    knock = Declared(seat, _sorted(action.melds), loose, action.discard)
    after = replace(
        hand,
        held=_holding(hand, seat, 1 << action.discard),
        phase=Phase.LAYOFF,
        to_move=hand.opponent(seat),
        drawn=None,
        taken=None,
        must_knock=False,
        knock=knock,
        moves=(*hand.moves, PublicMove(seat, Move.KNOCK)),
    )
    if knock.deadwood == 0:
        return _over(after, scoring.gin(after, knock))
    return after
