"""Cards: fifty-two small values, written rank + suit (``7H``, ``TD``)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from gin.errors import MalformedCard

RANKS: Final = "A23456789TJQK"
"""The thirteen ranks in order, ace low (rules.md: ace low only)."""


class Suit(StrEnum):
    """The four suits, in the order in which hands are sorted."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


SUITS: Final = tuple(Suit)


class Card(int):
    """One of the fifty-two cards, as the number ``suit * 13 + rank - 1`` (0 to 51).

    Being a number it sorts (by suit, then rank), hashes and fits a bit mask (``1 << card``).
    """

    __slots__ = ()

    @classmethod
    def of(cls, rank: int, suit: Suit) -> Card:
        """The card of ``rank`` (1 = ace … 13 = king) and ``suit``."""
        if not 1 <= rank <= 13:
            raise MalformedCard(f"there is no rank {rank}")
        return DECK[SUITS.index(suit) * 13 + rank - 1]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``7H`` or ``td``; raise :class:`MalformedCard` for anything else.

        Only the letters of rank and suit, large or small, are read: what people type besides
        (``10♦``) is the business of the screen.
        """
        card = _BY_TEXT.get(text)
        if card is None:
            raise MalformedCard(f"{text!r} is not a card")
        return card

    @property
    def rank(self) -> int:
        """1 for the ace to 13 for the king."""
        return int(self) % 13 + 1

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return SUITS[int(self) // 13]

    @property
    def points(self) -> int:
        """What the card counts as deadwood: ace 1, pips, ten for T J Q K (rules.md, deadwood)."""
        return min(int(self) % 13 + 1, 10)

    def __str__(self) -> str:
        return f"{RANKS[int(self) % 13]}{SUITS[int(self) // 13]}"

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


DECK: Final = tuple(Card(number) for number in range(52))
"""All cards in order, spades first, ace to king."""

_BITS: Final = tuple(1 << number for number in range(52))

_BY_TEXT: Final = {
    written: card
    for card in DECK
    for text in [str(card)]
    for written in (text, text.lower(), text[0].lower() + text[1], text[0] + text[1].lower())
}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards apart by white space; raise :class:`MalformedCard` for a bad or doubled one."""
    cards = tuple(Card.parse(word) for word in text.split())
    if len(set(cards)) != len(cards):
        raise MalformedCard(f"a card stands twice in {text!r}")
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards as :func:`parse_cards` reads them."""
    return " ".join(map(str, cards))


def points_of(cards: Iterable[Card]) -> int:
    """The sum of the cards' deadwood points."""
    return sum(card.points for card in cards)


def mask_of(cards: Iterable[Card]) -> int:
    """The cards as bits of one number."""
    mask = 0
    for card in cards:
        mask |= _BITS[card]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a bit mask, in order."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(DECK[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(cards)
