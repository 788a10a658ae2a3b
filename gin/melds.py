"""Melds: sets of three or four of a rank, runs of three or more in one suit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gin.cards import DECK, Card, cards_of, format_cards, mask_of, parse_cards
from gin.errors import MalformedMeld


@dataclass(frozen=True, slots=True)
class Meld:
    """A set or a run; ``cards`` are sorted. Build one with :meth:`of` or :meth:`parse`."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Meld:
        """The meld of these cards; raise :class:`MalformedMeld` if they are none."""
        ordered = tuple(sorted(cards))
        meld = _BY_CARDS.get(ordered)
        if meld is None:
            raise MalformedMeld(f"{format_cards(ordered) or 'nothing'} is neither a set nor a run")
        return meld

    @classmethod
    def parse(cls, text: str) -> Meld:
        """Read a meld from cards separated by white space."""
        return cls.of(parse_cards(text))

    @property
    def is_set(self) -> bool:
        """Whether it is a set (else it is a run)."""
        return self.cards[0].rank == self.cards[1].rank

    @property
    def mask(self) -> int:
        """Its cards as bits."""
        return mask_of(self.cards)

    @property
    def open_to(self) -> tuple[Card, ...]:
        """The cards that could be added to it: the fourth of a set, the neighbours of a run."""
        return cards_of(EXTENSIONS[self.mask])

    def __str__(self) -> str:
        return format_cards(self.cards)


ACES: Final = sum(1 << suit * 13 for suit in range(4))
"""The four aces as bits; times ``1 << rank - 1`` the four cards of any rank."""


def _all_sets() -> Iterator[tuple[int, int]]:
    """Each set as bits, with the bits of the card that would make it four."""
    for rank in range(13):
        four = ACES << rank
        yield four, 0
        for suit in range(4):
            missing = 1 << suit * 13 + rank
            yield four ^ missing, missing


def _all_runs() -> Iterator[tuple[int, int]]:
    """Each run as bits, with the bits of its neighbours in the suit (no wrap past ace or king)."""
    for suit in range(4):
        for low in range(11):
            for high in range(low + 3, 14):
                holding = (1 << high) - (1 << low)
                neighbours = ((1 << high) | (1 << low >> 1)) & 0x1FFF
                yield holding << suit * 13, neighbours << suit * 13


EXTENSIONS: Final[dict[int, int]] = dict([*_all_runs(), *_all_sets()])
"""Every meld there is as bits (264 runs, 65 sets), with the cards that would extend it, as bits."""

MELDS: Final[dict[int, Meld]] = {mask: Meld(cards_of(mask)) for mask in EXTENSIONS}
"""The one value of each meld, by its cards as bits: runs by suit and lowest card, sets by rank."""

_BY_CARDS: Final = {meld.cards: meld for meld in MELDS.values()}

_IN_ORDER: Final = {mask: place for place, mask in enumerate(MELDS)}

_BY_LOWEST: Final = tuple(
    tuple(mask for mask in MELDS if mask & -mask == 1 << number) for number in range(len(DECK))
)


def melds_in(mask: int) -> tuple[Meld, ...]:
    """Every meld that these cards, given as bits, contain; the cards may be in several.

    In the order of :data:`MELDS`: runs by suit and lowest card, then sets by rank.
    """
    found = [meld for card in cards_of(mask) for meld in _BY_LOWEST[card] if meld & mask == meld]
    return tuple(MELDS[meld] for meld in sorted(found, key=_IN_ORDER.__getitem__))
