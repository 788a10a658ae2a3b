"""Shuffles: fresh decks and cuts from the operating system's generator.

The rules take a deck as data; this is the one place where chance enters the house.
"""

from __future__ import annotations

import secrets

from gin import DECK, Card

_dice = secrets.SystemRandom()


def shuffled_deck() -> tuple[Card, ...]:
    """All fifty-two cards in an order that nobody chose."""
    deck = list(DECK)
    _dice.shuffle(deck)
    return tuple(deck)
