"""How fast hands are arranged and counted, in one process of plain Python.

Hands are drawn beforehand with a fixed seed. Every repeat gets hands of its own, and no result is
kept: what is looked up are facts about the holdings of one suit. Seconds are this process's own
processor time, so that what else the machine does matters less.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import TypeVar

from gin.arrange import arrangement_of, best_arrangement, best_sheds, deadwood
from gin.cards import Card, cards_of, mask_of
from gin.layoffs import best_layoff
from gin.melds import MELDS, Meld
from tests.gin import naive

Question = TypeVar("Question")

REPEATS = 7
HANDS = 40_000
"""Hands a repeat."""

LIMIT_ARRANGEMENT = 150_000
LIMIT_RANDOM = 1_000_000
LIMIT_RICH = 400_000
ENGINE_RANDOM = 987_000
ENGINE_RICH = 335_000
"""Hands a second that a C++ engine called from Python is known to make; not measured here."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What one function did in a second: the median of the repeats, the worst and the best."""

    middle: float
    worst: float
    best: float

    @classmethod
    def of(cls, rates: Sequence[float]) -> Rate:
        """Sum up the rates of the repeats."""
        return cls(median(rates), min(rates), max(rates))

    def __str__(self) -> str:
        return f"{self.middle:>11,.0f}/s  ({self.worst:,.0f} to {self.best:,.0f})"


def random_hand(random: Random, size: int = 10) -> int:
    """Cards of the whole pack as bits, each hand as likely as any other."""
    return mask_of(map(Card, random.sample(range(52), size)))


def rich_hand(random: Random, width: int, size: int = 10) -> int:
    """Cards of ``width`` neighbouring ranks as bits: nearly every card has both a set and a run.

    Of four ranks ten cards of sixteen are held: the hardest kind for a search over sets.
    """
    low = random.randrange(14 - width)
    near = [suit * 13 + rank for suit in range(4) for rank in range(low, low + width)]
    return mask_of(map(Card, random.sample(near, size)))


def mixed_rich_hand(random: Random) -> int:
    """A meld-rich hand of four, five or six neighbouring ranks, each a third of the time."""
    return rich_hand(random, random.choice((4, 5, 6)))


def knock(random: Random) -> tuple[list[Meld], tuple[Card, ...]]:
    """Three melds of three cards, and ten of the other cards of their neighbourhood."""
    while True:
        low = random.randrange(6)
        left = mask_of(Card(suit * 13 + rank) for suit in range(4) for rank in range(low, low + 8))
        melds: list[Meld] = []
        while len(melds) < 3:
            mask = random.choice([mask for mask in MELDS if mask & left == mask])
            if mask.bit_count() == 3:
                melds.append(MELDS[mask])
                left ^= mask
        return melds, tuple(random.sample(cards_of(left), 10))


def rate(function: Callable[[Question], object], repeats: Sequence[Sequence[Question]]) -> Rate:
    """How often a second the function answers, over each repeat's own questions."""
    rates = []
    for questions in repeats:
        start = time.process_time()
        for question in questions:
            function(question)
        rates.append(len(questions) / (time.process_time() - start))
    return Rate.of(rates)


def drawn(draw: Callable[[], Question], count: int = HANDS) -> list[list[Question]]:
    """Fresh questions for every repeat."""
    return [[draw() for _ in range(count)] for _ in range(REPEATS)]


def show(what: str, measured: Rate, *against: tuple[str, float]) -> None:
    """Print one line, and how it compares."""
    print(f"{what:<46}{measured}")
    for name, other in against:
        print(f"{'':<46}{measured.middle / other:>11.2f} x {name}")


def main() -> None:
    """Measure the solver and print its rates."""
    random = Random(20_240_607)
    hands = drawn(lambda: random_hand(random))
    mixed = drawn(lambda: mixed_rich_hand(random))
    dense = drawn(lambda: rich_hand(random, 4))
    few = [repeat[:200] for repeat in hands]
    few_rich = [repeat[:200] for repeat in mixed]
    print(f"Python {platform.python_version()}, one process, medians of {REPEATS} repeats")

    plain = rate(deadwood, hands)
    slow = rate(naive.deadwood, [[texts(mask) for mask in repeat] for repeat in few])
    show(
        "least deadwood, random",
        plain,
        ("the goal of 1,000,000", LIMIT_RANDOM),
        ("a C++ engine called from Python, 987,000", ENGINE_RANDOM),
        ("the naive solver of the tests, this run", slow.middle),
    )
    rich = rate(deadwood, mixed)
    slow = rate(naive.deadwood, [[texts(mask) for mask in repeat] for repeat in few_rich])
    show(
        "least deadwood, meld-rich (4 to 6 ranks)",
        rich,
        ("the goal of 400,000", LIMIT_RICH),
        ("a C++ engine called from Python, 335,000", ENGINE_RICH),
        ("the naive solver of the tests, this run", slow.middle),
    )
    show(
        "least deadwood, meld-rich, hardest (4 ranks)",
        rate(deadwood, dense),
        ("the goal of 400,000", LIMIT_RICH),
    )
    for kind, repeats in (("random", hands), ("meld-rich (4 to 6 ranks)", mixed)):
        show(
            f"best arrangement, {kind}",
            rate(arrangement_of, repeats),
            ("the goal of 150,000", LIMIT_ARRANGEMENT),
        )
    held = [[cards_of(mask) for mask in repeat] for repeat in hands]
    show(
        "best arrangement, random, from a tuple of cards",
        rate(best_arrangement, held),
        ("the goal of 150,000", LIMIT_ARRANGEMENT),
    )
    eleven = drawn(lambda: cards_of(random_hand(random, 11)), HANDS // 20)
    show("best discards of eleven, random", rate(best_sheds, eleven))
    knocks = drawn(lambda: knock(random), HANDS // 40)
    show("best lay-off and own melds, eight ranks", rate(lay_off_best, knocks))


def texts(mask: int) -> naive.Cards:
    """The cards as the naive solver knows them."""
    return frozenset(map(str, cards_of(mask)))


def lay_off_best(question: tuple[list[Meld], tuple[Card, ...]]) -> int:
    """Answer one knock."""
    melds, hand = question
    return best_layoff(melds, hand).deadwood
