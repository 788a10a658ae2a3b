"""Pictures drawn by our own code: cards as shapes, hands, tables. Pure functions to PNG bytes."""

from __future__ import annotations

from bot.ui.pictures.cards import COMPACT, LARGE, MEDIUM, SMALL, back, face
from bot.ui.pictures.colours import palette
from gin.cards import DECK


def warm() -> None:
    """Draw the sprites that every picture needs, so that the first ones are as quick as the rest.

    Takes about half a second of processor time; meant for a thread at start-up.
    """
    palette()
    for size in (LARGE, SMALL):
        back(size)
    for card in DECK:
        for size in (LARGE, MEDIUM, COMPACT):
            face(card, size, four=False)
            face(card, size, four=False, bare=True)
