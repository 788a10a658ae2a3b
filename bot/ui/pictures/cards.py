"""Card sprites: drawn as shapes at three times their size, scaled down once, kept.

Suits are told by the pip's shape and the rank by a letter; colour only helps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.cardwords import RANK_LETTERS
from bot.ui.pictures import colours
from bot.ui.pictures.lettering import font
from bot.ui.pictures.shapes import Colour, crown, pip
from gin.cards import Card

_OVER: Final = 3
"""Supersampling: sprites are drawn this many times larger."""


@dataclass(frozen=True, slots=True)
class Size:
    """A card's measures in pixels; ``strip`` of its left side shows rank and suit when fanned."""

    width: int
    height: int
    strip: int

    @property
    def lift(self) -> int:
        """How far the shadow reaches to the left and below, in pixels."""
        return max(1, self.width // 40)


LARGE: Final = Size(112, 158, 57)
MEDIUM: Final = Size(84, 118, 42)
COMPACT: Final = Size(68, 96, 34)
SMALL: Final = Size(38, 53, 17)
KEPT: Final = 512
"""Faces kept, 28 to 73 KB each: the 312 that `warm` draws, and those of other kinds."""
_SHADE: Final = 120
"""Opacity of the shadow, of 255."""


@lru_cache(maxsize=KEPT)
def face(
    card: Card, size: Size, *, four: bool, faded: bool = False, bare: bool = False
) -> Image.Image:
    """A card's front with a transparent outside.

    ``faded`` is grey, ``bare`` shows rank and suit at the left only (for a card that another one
    partly covers).
    """
    paper = colours.FADED if faded else colours.PAPER
    sprite, draw = _blank(size, paper)
    unit = size.width * _OVER / 100
    ink = colours.suit_colour(card.suit, four=four)
    if faded:
        ink = colours.blend(ink, paper, 0.35)
    _index(draw, card, unit, ink, size)
    if not bare:
        _figure(draw, card, unit, ink, size, paper)
    return _shrunk(sprite, size)


@lru_cache(maxsize=16)
def rim(size: Size) -> Image.Image:
    """The golden rim of a marked card, to be laid upon its face."""
    large = Image.new("RGBA", (size.width * _OVER, size.height * _OVER), (*colours.GOLD, 0))
    _outlined(ImageDraw.Draw(large), size, None, colours.GOLD, 4)
    lifted = Image.new("RGBA", (size.width + size.lift, size.height + size.lift))
    card = large.resize((size.width, size.height), Image.Resampling.LANCZOS)
    lifted.paste(card, (size.lift, 0))
    return lifted


@lru_cache(maxsize=16)
def back(size: Size) -> Image.Image:
    """A card's back: a lattice in a frame."""
    sprite, draw = _blank(size, colours.PAPER)
    wide, high = size.width * _OVER, size.height * _OVER
    inset = wide * 0.075
    inner = (inset, inset, wide - inset, high - inset)
    radius = wide * 0.06
    pattern = Image.new("RGB", sprite.size, colours.BACK)
    lines = ImageDraw.Draw(pattern)
    gap, thick = wide * 0.13, max(2, round(wide * 0.016))
    for step in range(-40, 80):
        lines.line((step * gap, 0, step * gap + high, high), colours.BACK_LIGHT, thick)
        lines.line((step * gap, high, step * gap + high, 0), colours.BACK_LIGHT, thick)
    mask = Image.new("L", sprite.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle(inner, radius, fill=255)
    sprite.paste(pattern, (0, 0), mask)
    draw.rounded_rectangle(inner, radius, outline=colours.BACK, width=max(2, round(wide * 0.02)))
    return _shrunk(sprite, size)


def lay(canvas: Image.Image, sprite: Image.Image, place: tuple[int, int], size: Size) -> None:
    """Put a sprite on a picture; ``place`` is the card's own upper left corner."""
    canvas.paste(sprite, (place[0] - size.lift, place[1]), sprite)


def _radius(size: Size) -> float:
    return size.width * _OVER * 0.085


def _blank(size: Size, paper: Colour) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    large = (size.width * _OVER, size.height * _OVER)
    sprite = Image.new("RGBA", large, (*colours.EDGE, 0))
    draw = ImageDraw.Draw(sprite)
    _outlined(draw, size, paper, colours.EDGE, 1.4)
    return sprite, draw


def _outlined(
    draw: ImageDraw.ImageDraw, size: Size, paper: Colour | None, edge: Colour, thick: float
) -> None:
    """A card's outline, filled with its paper; ``thick`` in pixels of the finished card."""
    draw.rounded_rectangle(
        (0, 0, size.width * _OVER - 1, size.height * _OVER - 1),
        _radius(size),
        fill=None if paper is None else (*paper, 255),
        outline=(*edge, 255),
        width=round(thick * _OVER),
    )


def _shrunk(sprite: Image.Image, size: Size) -> Image.Image:
    """The sprite at its size, with the dark edge below it that lifts it from other cards."""
    card = sprite.resize((size.width, size.height), Image.Resampling.LANCZOS)
    lifted = Image.new("RGBA", (size.width + size.lift, size.height + size.lift))
    dark = Image.new("RGBA", card.size, (*colours.FELT_DARK, 255))
    soft = card.getchannel("A").point([level * _SHADE // 255 for level in range(256)])
    lifted.paste(dark, (0, size.lift), soft)
    lifted.alpha_composite(card, (size.lift, 0))
    return lifted


def _index(draw: ImageDraw.ImageDraw, card: Card, unit: float, ink: Colour, size: Size) -> None:
    """Rank and suit in the upper left corner, as large as the strip allows."""
    rank = RANK_LETTERS[card.rank - 1]
    middle = size.strip * _OVER / 2 + unit * 1.5
    letters = font(round(unit * (40 if rank == "10" else 46)))
    draw.text(
        (middle, unit * 41),
        rank,
        font=letters,
        fill=ink,
        anchor="ms",
        stroke_width=unit * 1.7,
        stroke_fill=ink,
    )
    wide = unit * 32
    pip(draw, card.suit, (middle - wide / 2, unit * 50, wide, wide * 1.08), ink)


def _figure(
    draw: ImageDraw.ImageDraw, card: Card, unit: float, ink: Colour, size: Size, paper: Colour
) -> None:
    """What fills the rest of the card: a large pip, under a coronet for the court."""
    bottom = size.height * _OVER / unit
    if card.rank == 1:
        pip(draw, card.suit, (unit * 53, unit * (bottom - 62), unit * 42, unit * 46), ink)
        return
    if card.rank > 10:
        tint, rim = colours.blend(paper, ink, 0.1), colours.blend(paper, ink, 0.4)
        panel = (unit * 50, unit * (bottom - 84), unit * 93, unit * (bottom - 7))
        draw.rounded_rectangle(panel, unit * 6, fill=tint, outline=rim, width=round(unit * 1.6))
        box = (unit * 54, unit * (bottom - 79), unit * 35, unit * 27)
        crown(draw, card.rank, box, colours.GOLD_DARK)
        pip(draw, card.suit, (unit * 54, unit * (bottom - 48), unit * 35, unit * 38), ink)
        return
    pip(draw, card.suit, (unit * 52, unit * (bottom - 56), unit * 42, unit * 46), ink)
