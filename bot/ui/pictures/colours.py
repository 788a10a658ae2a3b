"""The colours of all pictures, their fixed palette, and writing PNG files with it.

A palette makes files small and quick to write: about a third of the time of full colour. It is
made of the colours used and of the steps between those that meet, so that edges stay smooth.
"""

from __future__ import annotations

import io
from functools import cache
from typing import Final

from PIL import Image

from bot.ui.pictures.shapes import Colour
from gin.cards import Suit

FELT: Final[Colour] = (28, 88, 68)
FELT_LIGHT: Final[Colour] = (44, 110, 87)
FELT_DARK: Final[Colour] = (17, 62, 47)
PAPER: Final[Colour] = (255, 253, 247)
EDGE: Final[Colour] = (168, 160, 146)
INK: Final[Colour] = (26, 27, 32)
RED: Final[Colour] = (200, 28, 44)
BLUE: Final[Colour] = (24, 92, 190)
GREEN: Final[Colour] = (20, 116, 60)
GOLD: Final[Colour] = (244, 190, 62)
GOLD_DARK: Final[Colour] = (196, 142, 40)
BACK: Final[Colour] = (126, 32, 48)
BACK_LIGHT: Final[Colour] = (184, 92, 98)
LETTERS: Final[Colour] = (243, 240, 230)
FADED: Final[Colour] = (196, 198, 190)
"""A card that is put away (the discard of a knock)."""

_RAMPS: Final[tuple[tuple[Colour, Colour, int], ...]] = (
    (PAPER, INK, 18),
    (PAPER, RED, 16),
    (PAPER, BLUE, 12),
    (PAPER, GREEN, 12),
    (PAPER, EDGE, 6),
    (PAPER, GOLD, 8),
    (PAPER, GOLD_DARK, 8),
    (PAPER, BACK, 8),
    (EDGE, FELT, 7),
    (EDGE, FELT_LIGHT, 6),
    (EDGE, FELT_DARK, 6),
    (FELT, FELT_DARK, 6),
    (FELT, FELT_LIGHT, 4),
    (FELT_LIGHT, FELT_DARK, 5),
    (LETTERS, FELT, 10),
    (LETTERS, FELT_DARK, 10),
    (GOLD, FELT, 7),
    (GOLD, FELT_LIGHT, 6),
    (GOLD, FELT_DARK, 7),
    (GOLD, INK, 8),
    (BACK, BACK_LIGHT, 6),
    (BACK, INK, 4),
    (FADED, INK, 9),
    (FADED, RED, 8),
    (FADED, EDGE, 4),
)


def suit_colour(suit: Suit, *, four: bool) -> Colour:
    """A suit's colour: black and red, or with ``four`` one for each suit."""
    if four:
        return {
            Suit.SPADES: INK,
            Suit.HEARTS: RED,
            Suit.DIAMONDS: BLUE,
            Suit.CLUBS: GREEN,
        }[suit]
    return RED if suit in (Suit.HEARTS, Suit.DIAMONDS) else INK


def blend(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two: ``share`` 0 is the first, 1 the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@cache
def palette() -> Image.Image:
    """An image that carries the fixed palette of at most 256 colours."""
    colours: dict[Colour, None] = {}
    for one, other, steps in _RAMPS:
        for step in range(steps):
            colours[blend(one, other, step / (steps - 1))] = None
    if len(colours) > 256:
        raise ValueError(f"{len(colours)} colours don't fit a palette")
    carrier = Image.new("P", (1, 1))
    flat = [part for colour in colours for part in colour]
    carrier.putpalette(flat + flat[:3] * (256 - len(colours)))
    return carrier


def png(picture: Image.Image) -> bytes:
    """Write an RGB picture as a PNG file with the fixed palette."""
    small = picture.quantize(palette=palette(), dither=Image.Dither.NONE)
    written = io.BytesIO()
    small.save(written, "PNG", compress_level=3)
    return written.getvalue()
