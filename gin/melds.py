"""Melds: sets of three or four of a rank, runs of three or more in one suit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gin.cards import Card, format_cards, mask_of, parse_cards
from gin.errors import MalformedMeld


@dataclass(frozen=True, slots=True)
class Meld:
    """A set or a run; ``cards`` are sorted. Build one with :meth:`of` or :meth:`parse`."""

    cards: tuple[Card, ...]

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Meld:
        """The meld of these cards; raise :class:`MalformedMeld` if they are none."""
        ordered = tuple(sorted(cards))
        if not is_set(ordered) and not is_run(ordered):
            raise MalformedMeld(f"{format_cards(ordered) or 'nothing'} is neither a set nor a run")
        return cls(ordered)

    @classmethod
    def parse(cls, text: str) -> Meld:
        """Read a meld from cards separated by white space."""
        return cls.of(parse_cards(text))

    @property
    def is_set(self) -> bool:
        """Whether it is a set (else it is a run)."""
        return is_set(self.cards)

    @property
    def mask(self) -> int:
        """Its cards as bits."""
        return mask_of(self.cards)

    def __str__(self) -> str:
        return format_cards(self.cards)


def is_set(cards: tuple[Card, ...]) -> bool:
    """Whether these distinct cards are three or four of one rank."""
    return 3 <= len(cards) == len(set(cards)) <= 4 and len({card.rank for card in cards}) == 1


def is_run(cards: tuple[Card, ...]) -> bool:
    """Whether these cards are three or more of one suit in unbroken order, ace low."""
    if len(cards) < 3 or len({card.suit for card in cards}) != 1:
        return False
    ranks = sorted(card.rank for card in cards)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))
