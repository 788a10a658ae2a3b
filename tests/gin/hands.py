"""Hands for the tests of the solver: at random, dense with melds, and from the vectors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from tests.gin import naive

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


def vectors(name: str) -> Iterator[dict[str, object]]:
    """The rows of one file of vectors."""
    with (VECTORS / f"{name}.jsonl").open(encoding="ascii") as lines:
        for line in lines:
            row: dict[str, object] = json.loads(line)
            yield row


def any_hand(size: int = 10) -> st.SearchStrategy[naive.Cards]:
    """Cards of the whole pack, shrinking to low ones."""
    return st.sets(st.sampled_from(naive.PACK), min_size=size, max_size=size).map(frozenset)


def dealt_hand(size: int = 10) -> st.SearchStrategy[naive.Cards]:
    """Cards of the whole pack, each hand as likely as any other."""
    seeds = st.integers(0, 2**64 - 1)
    return seeds.map(lambda seed: frozenset(Random(seed).sample(naive.PACK, size)))


@st.composite
def rich_hand(draw: st.DrawFn, size: int = 10) -> naive.Cards:
    """Cards of four to six neighbouring ranks, so that sets and runs compete for them."""
    width = draw(st.integers(4, 6))
    low = draw(st.integers(0, 13 - width))
    near = [rank + suit for rank in naive.RANKS[low : low + width] for suit in naive.SUITS]
    return frozenset(draw(st.sets(st.sampled_from(near), min_size=size, max_size=size)))


def knock(random: Random, width: int) -> tuple[list[naive.Cards], naive.Cards]:
    """Two or three melds of one player and ten cards of another, all from ``width`` ranks.

    The melds hold nine cards or fewer, so that laying off is allowed.
    """
    low = random.randrange(14 - width)
    near = [rank + suit for rank in naive.RANKS[low : low + width] for suit in naive.SUITS]
    melds: list[naive.Cards] = []
    left = frozenset(near)
    while len(melds) < 3:
        short = [meld for meld in naive.melds_of(left) if len(meld) <= 4]
        if not short:
            break
        meld = random.choice(sorted(short, key=sorted))
        if sum(map(len, melds)) + len(meld) > 9:
            break
        melds.append(meld)
        left -= meld
    if len(left) < 10:
        left |= frozenset(random.sample(sorted(set(naive.PACK) - set(near)), 10))
    return melds, frozenset(random.sample(sorted(left), 10))
