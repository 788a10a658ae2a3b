"""A second solver, slow and plain, to check the fast one against.

It imports nothing of ``gin``: a card is its text (``7H``), a meld a set of texts, and every
answer is found by trying everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = ["S", "H", "D", "C"]
PACK = [rank + suit for suit in SUITS for rank in RANKS]
VALUES = {rank: min(place, 10) for place, rank in enumerate(RANKS, start=1)}

Cards = frozenset[str]

RUNS = [
    frozenset(rank + suit for rank in RANKS[low:high])
    for suit in SUITS
    for low in range(11)
    for high in range(low + 3, 14)
]


def hand(text: str) -> Cards:
    """The cards of a text such as ``7H 8H``."""
    cards = text.split()
    for card in cards:
        if card not in PACK or cards.count(card) > 1:
            raise ValueError(card)
    return frozenset(cards)


def count(cards: Iterable[str]) -> int:
    """What the cards count when all are loose."""
    return sum(VALUES[card[0]] for card in cards)


def is_meld(cards: Iterable[str]) -> bool:
    """Whether the cards are a set or a run."""
    return is_set(cards) or is_run(cards)


def is_set(cards: Iterable[str]) -> bool:
    """Three or four of a rank."""
    held = list(cards)
    return len(held) in (3, 4) and all(card[0] == held[0][0] for card in held)


def is_run(cards: Iterable[str]) -> bool:
    """Three or more neighbours in one suit."""
    held = sorted(cards, key=lambda card: RANKS.index(card[0]))
    if len(held) < 3 or any(card[1] != held[0][1] for card in held):
        return False
    ranks = "".join(card[0] for card in held)
    return ranks in "".join(RANKS)


def melds_of(cards: Cards) -> list[Cards]:
    """Every meld that can be taken from the cards."""
    found = []
    for rank in RANKS:
        alike = [card for card in cards if card[0] == rank]
        found += [frozenset(some) for size in (3, 4) for some in combinations(alike, size)]
    found += [run for run in RUNS if run <= cards]
    return found


def spreads(cards: Cards) -> Iterator[tuple[list[Cards], Cards]]:
    """Every choice of disjoint melds, with the cards that it leaves loose."""
    yield from _spreads(cards, melds_of(cards), [])


def _spreads(
    rest: Cards, melds: Sequence[Cards], chosen: list[Cards]
) -> Iterator[tuple[list[Cards], Cards]]:
    yield chosen, rest
    for place, meld in enumerate(melds):
        if meld <= rest:
            yield from _spreads(rest - meld, melds[place + 1 :], [*chosen, meld])


def deadwood(cards: Cards) -> int:
    """The least that any choice of melds leaves loose."""
    return min(count(loose) for _, loose in spreads(cards))


def deadwood_after_discard(cards: Cards) -> dict[str, int]:
    """For each discard, the least deadwood of the others."""
    return {card: deadwood(cards - {card}) for card in cards}


def full_spreads(cards: Cards) -> set[frozenset[Cards]]:
    """The choices of melds that leave nothing to meld, with no two runs that could be joined."""
    full = set()
    for melds, loose in spreads(cards):
        grows = any(is_meld(meld | {card}) for meld in melds for card in loose)
        joins = any(is_run(one | other) for one, other in combinations(melds, 2))
        if not grows and not joins and not melds_of(loose):
            full.add(frozenset(melds))
    return full


def laid_off(
    melds: Sequence[Cards], held: Cards, strict: bool = False
) -> dict[Cards, list[tuple[Cards, ...]]]:
    """Every hand that laying off one card after another can leave, with the melds as grown."""
    found: dict[Cards, list[tuple[Cards, ...]]] = {}
    waiting = [(tuple(melds), held)]
    seen = set(waiting)
    while waiting:
        table, left = waiting.pop()
        found.setdefault(left, []).append(table)
        for card in left:
            runs = [meld for meld in table if is_run(meld) and is_run(meld | {card})]
            if strict and len(runs) > 1:
                continue
            for place, meld in enumerate(table):
                if is_meld(meld | {card}):
                    grown = (*table[:place], meld | {card}, *table[place + 1 :])
                    state = (grown, left - {card})
                    if state not in seen:
                        seen.add(state)
                        waiting.append(state)
    return found


def deadwood_after_layoffs(melds: Sequence[Cards], held: Cards, strict: bool = False) -> int:
    """The least deadwood over every legal way to lay off and every choice of own melds."""
    if sum(len(meld) for meld in melds) >= 10:
        return deadwood(held)
    return min(deadwood(left) for left in laid_off(melds, held, strict))


def can_lay(
    melds: Sequence[Cards], order: Sequence[str], strict: bool = False
) -> list[tuple[Cards, ...]]:
    """The melds as they may look after these cards were laid in this order; none: it can't be."""
    tables = [tuple(melds)]
    for card in order:
        grown = []
        for table in tables:
            runs = [meld for meld in table if is_run(meld) and is_run(meld | {card})]
            if strict and len(runs) > 1:
                continue
            for place, meld in enumerate(table):
                if card not in meld and is_meld(meld | {card}):
                    grown.append((*table[:place], meld | {card}, *table[place + 1 :]))
        tables = grown
    return tables
