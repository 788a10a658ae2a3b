"""Letters in pictures: Pillow's own font, and what of a text it can show."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.ui.pictures.shapes import Colour

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_KNOWN: Final = frozenset(map(chr, range(32, 127)))
"""The font that comes with Pillow has little more than ASCII."""
_BLEED: Final = 4
"""Room around a line for thick strokes, in pixels."""
_LEAST_SHARE: Final = 0.6
"""A name of which less than this share can be drawn is given as its seat instead."""
_PLAIN: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L",
     "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "ı": "i", "’": "'", "‘": "'", "–": "-", "—": "-"}
)  # fmt: skip


@cache
def font(size: int) -> Font:
    """The built-in font at a size in pixels."""
    return ImageFont.load_default(size)


def drawable(name: str, seat: str) -> str:
    """A name in letters that can be drawn: accents dropped; its seat where too little is left."""
    wanted = [letter for letter in name if not letter.isspace()]
    folded = unicodedata.normalize("NFKD", name.translate(_PLAIN))
    kept = "".join(
        letter for letter in folded if letter in _KNOWN and not unicodedata.combining(letter)
    )
    kept = " ".join(kept.split())
    shown = len(kept.replace(" ", ""))
    return kept if wanted and shown >= _LEAST_SHARE * len(wanted) and shown else seat


def words(text: str) -> str:
    """A word of ours if it can be drawn as it is, else nothing (numbers stand by themselves)."""
    return text if all(letter in _KNOWN for letter in text) else ""


def write(
    canvas: Image.Image,
    place: tuple[float, float],
    text: str,
    size: int,
    colour: Colour,
    *,
    anchor: str = "ls",
    weight: float = 0,
) -> int:
    """Write a line; returns its width in pixels. ``weight`` thickens the strokes, in pixels.

    ``place`` is the base line's left end, middle or right end (``anchor`` ls, ms, rs).
    """
    if not text:
        return 0
    mask, base, width = _inked(text, size, weight)
    shift = {"l": 0, "m": width // 2, "r": width}[anchor[0]]
    x, y = round(place[0]) - shift - _BLEED, round(place[1]) - base
    canvas.paste(colour, (x, y), mask)
    return width


@lru_cache(maxsize=512)
def _inked(text: str, size: int, weight: float) -> tuple[Image.Image, int, int]:
    """A line as a mask, how far down its base line is, and its width; strokes take time to draw."""
    face = font(size)
    width = round(face.getlength(text))
    base = size + _BLEED
    mask = Image.new("L", (width + 2 * _BLEED, base + size // 2), 0)
    ImageDraw.Draw(mask).text(
        (_BLEED, base), text, font=face, fill=255, anchor="ls", stroke_width=weight, stroke_fill=255
    )
    return mask, base, width


def fitted(text: str, size: int, room: float) -> str:
    """The text cut to ``room`` pixels at this size, two dots for what is missing."""
    if _length(text, size) <= room:
        return text
    while text and _length(text + "..", size) > room:
        text = text[:-1]
    return text.rstrip() + ".."


@lru_cache(maxsize=2048)
def _length(text: str, size: int) -> float:
    """How wide a text is at a size, in pixels."""
    return font(size).getlength(text)
