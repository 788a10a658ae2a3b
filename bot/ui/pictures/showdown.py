"""Hands lying open: after a knock, with what is laid off, and when a hand is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.pictures import colours
from bot.ui.pictures.cards import COMPACT, MEDIUM
from bot.ui.pictures.colours import png
from bot.ui.pictures.lettering import drawable, fitted, words, write
from bot.ui.pictures.panels import arrow
from bot.ui.pictures.spread import PAD, Group, fits, lay_row

WIDTH: Final = 720
_MARGIN: Final = 16
_LINE: Final = 46
_GAP: Final = 14


@dataclass(frozen=True, slots=True)
class OpenHand:
    """One player's cards, open."""

    name: str
    seat: str
    """What is shown where the name can't be drawn."""
    groups: tuple[Group, ...]
    caption: str
    """Such as ``deadwood 5``."""
    award: str = ""
    """Such as ``+20``, for the winner."""
    on_turn: bool = False


@dataclass(frozen=True, slots=True)
class ShowdownDrawing:
    """Both hands, the knocker's first."""

    top: OpenHand
    bottom: OpenHand
    four_colours: bool = False


def draw_showdown(drawing: ShowdownDrawing) -> bytes:
    """Draw two open hands, 720 pixels wide, as a PNG file."""
    block = _LINE + MEDIUM.height + 2 * PAD
    height = 2 * block + 4 * _GAP
    canvas = Image.new("RGB", (WIDTH, height), colours.FELT)
    draw = ImageDraw.Draw(canvas)
    draw.rectangle((0, 0, WIDTH, _GAP + _LINE - 4), fill=colours.FELT_DARK)
    lower = block + 2 * _GAP + 4
    draw.rectangle((0, lower, WIDTH, lower + _GAP + _LINE - 8), fill=colours.FELT_DARK)
    for hand, top in ((drawing.top, _GAP - 4), (drawing.bottom, lower + _GAP - 6)):
        _title(canvas, hand, top)
        width = WIDTH - 2 * _MARGIN
        size = MEDIUM if fits(hand.groups, MEDIUM, width) else COMPACT
        down = top + _LINE + PAD + (MEDIUM.height - size.height) // 2 + 6
        box = (_MARGIN, down, width)
        lay_row(canvas, hand.groups, size, box, four=drawing.four_colours, centred=False)
    return png(canvas)


def _title(canvas: Image.Image, hand: OpenHand, top: int) -> None:
    """Name at the left; deadwood and what was won at the right."""
    base = top + 32
    left, right = _MARGIN + 4, WIDTH - _MARGIN - 4
    if hand.on_turn:
        tip = arrow(22, colours.GOLD)
        canvas.paste(tip, (left, base - 22), tip)
        left += 28
    if hand.award:
        right -= write(
            canvas, (right, base + 1), hand.award, 36, colours.GOLD, anchor="rs", weight=1
        )
        right -= 20
    caption = words(hand.caption)
    right -= write(canvas, (right, base), caption, 26, colours.LETTERS, anchor="rs", weight=0.3)
    name = fitted(drawable(hand.name, hand.seat), 31, right - 20 - left)
    colour = colours.GOLD if hand.award else colours.LETTERS
    write(canvas, (left, base), name, 31, colour, weight=0.6)
