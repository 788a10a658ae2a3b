"""The cut: who deals first, or who takes which seat of a rotation (docs/rules.md, the cut)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from gin.actions import Seat
from gin.cards import Card
from gin.errors import MalformedCut

Round = tuple[tuple[int, Card], ...]
"""One round of cutting: who (by his place in the order of sitting down) cut which card."""


@dataclass(frozen=True, slots=True)
class CutRound:
    """One round of the cut by seat, as it is shown; later rounds are of level players only."""

    cards: tuple[tuple[Seat, Card], ...]


def cut_from(deck: Sequence[Card], players: int) -> tuple[Card, ...]:
    """The cards that ``players`` cut when they cut from the top of a shuffled deck.

    As many as it takes to settle the order; raise :class:`MalformedCut` in the (next to
    impossible) case that the whole deck doesn't.
    """
    _check_players(players)
    return tuple(card for cards in _settle(tuple(deck), players)[1] for _, card in cards)


def cut_order(cards: Sequence[Card], players: int) -> tuple[int, ...]:
    """Order ``players`` by their cut, the highest first; each is named by who cut first (0, 1, 2).

    Every player cuts one card, in order; ace is low; players who are level cut again, one card
    each, in the same order. In a rotation the first of the result takes seat A, the next B, the
    last C; of two players the first deals. Raise :class:`MalformedCut` unless ``cards`` settle the
    order exactly.
    """
    return _exactly(cards, players)[0]


def cut_rounds(cards: Sequence[Card], players: int) -> tuple[Round, ...]:
    """The rounds of the cut that :func:`cut_order` reads from the same cards."""
    return _exactly(cards, players)[1]


def _exactly(cards: Sequence[Card], players: int) -> tuple[tuple[int, ...], tuple[Round, ...]]:
    _check_players(players)
    if len(set(cards)) != len(cards):
        raise MalformedCut("a card was cut twice")
    order, rounds = _settle(tuple(cards), players)
    if sum(map(len, rounds)) != len(cards):
        raise MalformedCut("there are more cards than the cut took")
    return order, rounds


def _check_players(players: int) -> None:
    if players not in (2, 3):
        raise MalformedCut(f"{players} players cannot sit down to gin")


def _settle(cards: tuple[Card, ...], players: int) -> tuple[tuple[int, ...], tuple[Round, ...]]:
    """The order of the players, and the rounds that it took."""
    order: list[int] = []
    rounds: list[Round] = []
    level = [tuple(range(players))]
    used = 0
    while level:
        cutters = level.pop(0)
        if len(cutters) == 1:
            order.extend(cutters)
            continue
        cut = cards[used : used + len(cutters)]
        used += len(cutters)
        if len(cut) < len(cutters):
            raise MalformedCut("the cards cut leave players level")
        this = tuple(zip(cutters, cut, strict=True))
        rounds.append(this)
        ranked = sorted(this, key=lambda pair: -pair[1].rank)
        groups = groupby(ranked, key=lambda pair: pair[1].rank)
        level[:0] = [tuple(cutter for cutter, _ in group) for _, group in groups]
    return tuple(order), tuple(rounds)
