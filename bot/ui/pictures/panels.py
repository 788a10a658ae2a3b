"""Small smooth shapes, drawn large once and scaled down: grounds, rims, arrows, single pips."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.pictures.shapes import Colour, pip
from gin.cards import Suit

_OVER: Final = 4


@lru_cache(maxsize=256)
def panel(
    width: int,
    height: int,
    radius: int,
    fill: Colour,
    rim: Colour | None = None,
    thick: int = 0,
) -> Image.Image:
    """A rectangle with round corners and, if wanted, a rim; measures in pixels."""
    edge = rim or fill
    large = Image.new("RGBA", (width * _OVER, height * _OVER), (*edge, 0))
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, large.width - 1, large.height - 1),
        radius * _OVER,
        fill=(*fill, 255),
        outline=(*edge, 255),
        width=thick * _OVER,
    )
    return large.resize((width, height), Image.Resampling.BOX)


@lru_cache(maxsize=16)
def arrow(height: int, colour: Colour) -> Image.Image:
    """A triangle that points to the right."""
    width = round(height * 0.8)
    large = Image.new("RGBA", (width * _OVER, height * _OVER), (*colour, 0))
    corners = ((0, 0), (large.width, large.height / 2), (0, large.height))
    ImageDraw.Draw(large).polygon(corners, fill=(*colour, 255))
    return large.resize((width, height), Image.Resampling.BOX)


@lru_cache(maxsize=16)
def suit_sign(suit: Suit, height: int, colour: Colour) -> Image.Image:
    """A suit's pip by itself."""
    width = round(height * 0.93)
    large = Image.new("RGBA", (width * _OVER, height * _OVER), (*colour, 0))
    pip(ImageDraw.Draw(large), suit, (0, 0, large.width, large.height), colour)
    return large.resize((width, height), Image.Resampling.BOX)
