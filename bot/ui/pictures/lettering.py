"""Letters in pictures: Pillow's own font, and what of a text it can show."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.ui.pictures.shapes import Colour

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_KNOWN: Final = frozenset(map(chr, range(32, 127)))
"""The font that comes with Pillow has little more than ASCII."""
_SIGNS: Final = "−×"
"""Signs of sums that it lacks; they are drawn to go with its plus."""
_PARTS: Final = re.compile(f"[{_SIGNS}]|[^{_SIGNS}]+")
_BLEED: Final = 4
"""Room around a line for thick strokes, in pixels."""
_LEAST_SHARE: Final = 0.6
"""A name of which less than this share can be drawn is given as its seat instead."""
_PLAIN: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L",
     "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "ı": "i", "’": "'", "‘": "'", "ʼ": "'",
     "–": "-", "—": "-"}
)  # fmt: skip


@cache
def font(size: int) -> Font:
    """The built-in font at a size in pixels."""
    return ImageFont.load_default(size)


def drawable(name: str, seat: str) -> str:
    """A name in letters that can be drawn, accents and emoji dropped.

    Its seat where a letter or digit is missing (half a name is another's), or too little is left.
    """
    wanted = [letter for letter in name if not letter.isspace()]
    folded = unicodedata.normalize("NFKD", name.translate(_PLAIN))
    if any(unicodedata.category(one)[0] in "LN" and one not in _KNOWN for one in folded):
        return seat
    kept = " ".join("".join(letter for letter in folded if letter in _KNOWN).split())
    shown = len(kept.replace(" ", ""))
    return kept if shown and shown >= _LEAST_SHARE * len(wanted) else seat


def words(text: str) -> str:
    """A word of ours if it can be drawn as it is, else nothing (numbers stand by themselves)."""
    return text if all(letter in _KNOWN or letter in _SIGNS for letter in text) else ""


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
    width = round(_length(text, size))
    base = size + _BLEED
    mask = Image.new("L", (width + 2 * _BLEED, base + size // 2), 0)
    draw = ImageDraw.Draw(mask)
    left: float = _BLEED
    for part in _PARTS.findall(text):
        if part in _SIGNS:
            _sign(draw, part, (left, base), size, weight)
        else:
            draw.text(
                (left, base), part, font=face, fill=255, anchor="ls", stroke_width=weight,
                stroke_fill=255,
            )  # fmt: skip
        left += _length(part, size)
    return mask, base, width


def _sign(
    draw: ImageDraw.ImageDraw, sign: str, place: tuple[float, float], size: int, weight: float
) -> None:
    """Draw a minus or a times sign as wide and as high as the font's plus, from its base line."""
    x, y = place[0] + _length("+", size) / 2, place[1] - size * 0.31
    thick = max(2, round(size * 0.085 + 2 * weight))
    reach = size * (0.22 if sign == "−" else 0.18)
    if sign == "−":
        draw.rectangle(
            (round(x - reach), round(y - thick / 2), round(x + reach), round(y + thick / 2) - 1),
            255,
        )
        return
    draw.line((x - reach, y - reach, x + reach, y + reach), 255, thick)
    draw.line((x - reach, y + reach, x + reach, y - reach), 255, thick)


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
    face, plus = font(size), font(size).getlength("+")
    return sum(plus if part in _SIGNS else face.getlength(part) for part in _PARTS.findall(text))
