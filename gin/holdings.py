"""What each of the 8,192 possible holdings of one suit is worth when only runs are laid.

A holding is thirteen bits, the ace lowest. All positive cards in unbroken rows of three or more
are in its best runs, so these tables are facts about holdings, built once when this is imported.
"""

from __future__ import annotations

from typing import Final

from gin.cards import DECK, Card
from gin.melds import MELDS, Meld

ALL_RANKS: Final = 0x1FFF
"""The holding of all thirteen cards of a suit."""


def _in_runs(holding: int) -> int:
    """The cards that stand in a row of three or more."""
    starts = holding & holding >> 1 & holding >> 2
    return starts | starts << 1 | starts << 2


IN_RUNS: Final = [_in_runs(holding) for holding in range(ALL_RANKS + 1)]
"""By holding: those of its cards that stand in a run."""


def _points() -> list[int]:
    """By holding: the points of all its cards."""
    points = [0]
    for rank in range(1, 14):
        worth = min(rank, 10)
        points += [below + worth for below in points]
    return points


_POINTS: Final = _points()

RUN_DEADWOOD: Final = [_POINTS[holding ^ IN_RUNS[holding]] for holding in range(ALL_RANKS + 1)]
"""By holding: the points that its best runs leave loose."""


def _cards(suit: int) -> list[tuple[Card, ...]]:
    """By holding: its cards in one suit, in order."""
    cards: list[tuple[Card, ...]] = [()]
    for card in DECK[suit * 13 : suit * 13 + 13]:
        cards += [(*below, card) for below in cards]
    return cards


def _runs(suit: int) -> list[tuple[Meld, ...]]:
    """By holding: its best runs in one suit, lowest first."""
    runs: list[tuple[Meld, ...]] = []
    for holding in range(ALL_RANKS + 1):
        inside = IN_RUNS[holding]
        if not inside:
            runs.append(())
        elif inside != holding:
            runs.append(runs[inside])
        else:
            row = inside & ~(inside + (inside & -inside))
            runs.append((MELDS[row << suit * 13], *runs[inside ^ row]))
    return runs


_CARDS: Final = [_cards(suit) for suit in range(4)]

RUNS: Final = [_runs(suit) for suit in range(4)]
"""By suit and holding: the best runs, lowest first."""

LOOSE: Final = [
    [cards[holding ^ IN_RUNS[holding]] for holding in range(ALL_RANKS + 1)] for cards in _CARDS
]
"""By suit and holding: the cards that the best runs leave over, in order."""
