"""A hand as its owner sees it: melds fanned together, loose cards apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.ui.pictures import colours
from bot.ui.pictures.cards import LARGE
from bot.ui.pictures.colours import png
from bot.ui.pictures.lettering import words, write
from bot.ui.pictures.spread import PAD, Group, lay_row, rows_of

WIDTH: Final = 720
_MARGIN: Final = 12
_CAPTION: Final = 34


@dataclass(frozen=True, slots=True)
class HandDrawing:
    """What is drawn: groups in order, a caption such as ``deadwood 5``, and the colours."""

    groups: tuple[Group, ...]
    caption: str = ""
    four_colours: bool = False


def draw_hand(drawing: HandDrawing) -> bytes:
    """Draw a hand, 720 pixels wide, as a PNG file."""
    inner = WIDTH - 2 * _MARGIN
    rows = rows_of(drawing.groups, LARGE, inner, most=2)
    row_height = LARGE.height + 2 * PAD
    height = _MARGIN + len(rows) * (row_height + 8) - 8 + _CAPTION + 8
    canvas = Image.new("RGB", (WIDTH, height), colours.FELT)
    for place, row in enumerate(rows):
        top = _MARGIN + PAD + place * (row_height + 8)
        lay_row(canvas, row, LARGE, (_MARGIN, top, inner), four=drawing.four_colours)
    caption = words(drawing.caption)
    if caption:
        write(
            canvas,
            (WIDTH / 2, height - 13),
            caption,
            25,
            colours.LETTERS,
            anchor="ms",
            weight=0.4,
        )
    return png(canvas)
