"""The stand-in: what the house plays for somebody whose time is up (docs/clocks.md).

It knows no more than that player's own view, and plays so that nobody gains by being away: it
takes no chances with his cards, and never knocks where the rules leave it a choice.
"""

from __future__ import annotations

from gin import (
    Discard,
    Draw,
    Knock,
    LayOff,
    Match,
    Pass,
    Phase,
    Pile,
    Play,
    Seat,
    TakeBack,
    best_arrangement,
    best_layoff,
    view,
)
from gin.actions import Action
from gin.cards import Card
from gin.views import HandView


def rest_of_turn(match: Match, seat: Seat) -> tuple[Play, ...]:
    """The acts that end the turn of ``seat``, who is to act: a draw and a discard, or one act."""
    acts: list[Play] = []
    after = match
    hands = len(match.results)
    while after.to_move is seat and len(after.results) == hands:
        hand = view(after, seat).hand
        assert hand is not None  # noqa: S101 - somebody is to act
        acts.append(Play(seat, _act(after, hand)))
        after = after.after(acts[-1])
        if not isinstance(acts[-1].action, Draw):
            break
    return tuple(acts)


def _act(match: Match, hand: HandView) -> Action:
    cards = hand.cards or ()
    match hand.phase:
        case Phase.UPCARD | Phase.FIFTIETH:
            return Pass()
        case Phase.DRAW:
            return Draw(Pile.STOCK)
        case Phase.EXPOSED:
            return TakeBack()
        case Phase.LAYOFF if hand.knock is not None:
            plan = best_layoff(hand.knock.melds, cards, strict_bridge=match.rules.strict_bridge)
            return LayOff(plan.melds, plan.cards)
        case _:
            return _shed(hand, cards)


def _shed(hand: HandView, cards: tuple[Card, ...]) -> Action:
    """The card just drawn from the stock; where he took another, the one he can best do without.

    He who took the fiftieth card has to knock: nothing else is legal then.
    """
    if hand.drawn is not None and hand.drawn in hand.discards:
        return Discard(hand.drawn)
    kept = {
        card: tuple(one for one in cards if one != card) for card in cards if card != hand.taken
    }
    least = min(kept, key=lambda card: (best_arrangement(kept[card]).deadwood, -card.points, card))
    if hand.must_knock:
        return Knock(least, best_arrangement(kept[least]).melds)
    return Discard(least)
