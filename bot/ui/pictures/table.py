"""The table as everybody sees it: backs, stock, discard pile, whose turn, score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.ui.pictures import colours
from bot.ui.pictures.cards import LARGE, SMALL, Size, back, face, lay
from bot.ui.pictures.colours import png
from bot.ui.pictures.lettering import drawable, fitted, words, write
from bot.ui.pictures.panels import arrow, panel, suit_sign
from bot.ui.pictures.shapes import Colour
from gin.cards import Card, Suit

WIDTH: Final = 720
HEIGHT: Final = 420
_MARGIN: Final = 16
PLATE: Final = 72
_MIDDLE: Final = HEIGHT // 2
_STOCK_AT: Final = (196, _MIDDLE - LARGE.height // 2 + 3)
_PILE_AT: Final = (196 + LARGE.width + 42, _MIDDLE - LARGE.height // 2 + 3)
_LIMIT_AT: Final = 606
"""The middle of the limit's column, in pixels from the left."""
_STARTER: Final = Size(62, 87, 31)
ASIDE: Final = 62
"""Pixels below the table for the one who sits out."""
_DIM: Final = colours.blend(colours.LETTERS, colours.FELT, 0.25)
_CLOSED: Final = colours.blend(colours.LETTERS, colours.FELT_DARK, 0.45)


@dataclass(frozen=True, slots=True)
class Plate:
    """One player at the table."""

    name: str
    seat: str
    """What is shown where the name can't be drawn."""
    score: tuple[tuple[str, bool], ...]
    """Points by game; true for a closed game, whose points are drawn dim."""
    held: int
    """Cards in hand, drawn as backs."""
    on_turn: bool


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """What is drawn of the table; words are already in the reader's language."""

    top: Plate
    bottom: Plate
    upcard: Card | None
    under: bool
    """Whether more cards lie below the up-card."""
    stock: int
    limit: tuple[str, str, str]
    """The knock limit in three lines, the middle one large: ``knock with``, ``10``, ``or less``."""
    starter: Card | None = None
    """Shown where it sets the limit and isn't the up-card any more."""
    doubled: bool = False
    """Whether the starter is a spade that doubles."""
    four_colours: bool = False
    aside: Plate | None = None
    """The third player of a rotation, who sits this hand out."""
    aside_words: str = ""
    """What is said of him: ``sits out``."""


def draw_table(drawing: TableDrawing) -> bytes:
    """Draw the table, 720 by 420 pixels (a third player adds 62), as a PNG file."""
    canvas = _ground().copy()
    if drawing.aside is not None:
        taller = Image.new("RGB", (WIDTH, HEIGHT + ASIDE), colours.FELT)
        taller.paste(canvas, (0, 0))
        canvas = taller
        _aside(canvas, drawing.aside, drawing.aside_words)
    _plate(canvas, drawing.top, _MARGIN)
    _plate(canvas, drawing.bottom, HEIGHT - _MARGIN - PLATE)
    _stock(canvas, drawing.stock)
    _pile(canvas, drawing)
    _limit(canvas, drawing)
    return png(canvas)


@lru_cache(maxsize=1)
def _ground() -> Image.Image:
    """The felt with the places of stock and discard pile."""
    canvas = Image.new("RGB", (WIDTH, HEIGHT), colours.FELT)
    left, top = _STOCK_AT
    mat = panel(_PILE_AT[0] + LARGE.width + 60 - left, LARGE.height + 31, 22, colours.FELT_LIGHT)
    canvas.paste(mat, (left - 30, top - 18), mat)
    slot = panel(LARGE.width, LARGE.height, 10, colours.FELT_LIGHT, colours.FELT, 3)
    for place in (_STOCK_AT, _PILE_AT):
        canvas.paste(slot, place, slot)
    return canvas


def _plate(canvas: Image.Image, plate: Plate, top: int) -> None:
    """A player's bar: name, score, backs; a golden rim and an arrow while it is his turn."""
    rim = colours.GOLD if plate.on_turn else colours.FELT_LIGHT
    bar = panel(WIDTH - 2 * _MARGIN, PLATE, 20, colours.FELT_DARK, rim, 4 if plate.on_turn else 2)
    canvas.paste(bar, (_MARGIN, top), bar)
    middle = top + PLATE // 2
    left = _MARGIN + 22
    if plate.on_turn:
        tip = arrow(26, colours.GOLD)
        canvas.paste(tip, (left, middle - 13), tip)
        left += 33
    right = WIDTH - _MARGIN - 20
    if plate.held:
        right -= SMALL.width + SMALL.strip * (plate.held - 1)
        for place in range(plate.held):
            at = (right + SMALL.strip * place, middle - SMALL.height // 2)
            lay(canvas, back(SMALL), at, SMALL)
        right -= 22
    right = _score(canvas, plate, (right, middle + 14), 40 if len(plate.score) == 1 else 28)
    name = fitted(drawable(plate.name, plate.seat), 33, right - 22 - left)
    write(canvas, (left, middle + 12), name, 33, colours.LETTERS, weight=0.6)


def _score(
    canvas: Image.Image, plate: Plate, place: tuple[int, int], size: int, ink: Colour = colours.GOLD
) -> int:
    """A player's points, games from the left, written up to ``place``; where they begin."""
    right, base = place
    for number, (points, is_closed) in enumerate(reversed(plate.score)):
        if number:
            right -= 9
            right -= write(canvas, (right, base), "/", size, _CLOSED, anchor="rs")
            right -= 9
        colour = _CLOSED if is_closed else ink
        right -= write(canvas, (right, base), points, size, colour, anchor="rs", weight=0.8)
    return right


def _aside(canvas: Image.Image, plate: Plate, words_of_him: str) -> None:
    """The bar of the one who sits out: name, a word, score, all of it dim."""
    top = HEIGHT - 4
    bar = panel(WIDTH - 2 * _MARGIN, ASIDE - 12, 16, colours.FELT, colours.FELT_LIGHT, 2)
    canvas.paste(bar, (_MARGIN, top), bar)
    base = top + (ASIDE - 12) // 2 + 10
    right = _score(canvas, plate, (WIDTH - _MARGIN - 20, base), 28, _DIM)
    right -= 26
    right -= write(canvas, (right, base - 1), words(words_of_him), 24, _DIM, anchor="rs")
    name = fitted(drawable(plate.name, plate.seat), 28, right - 22 - _MARGIN - 22)
    write(canvas, (_MARGIN + 22, base), name, 28, _DIM, weight=0.4)


def _stock(canvas: Image.Image, count: int) -> None:
    """The stock, the thicker the more is left, with its count."""
    x, y = _STOCK_AT
    layers = min(4, (count + 8) // 9)
    for layer in range(layers - 1, -1, -1):
        lay(canvas, back(LARGE), (x - 4 * layer, y - 4 * layer), LARGE)
    middle = (x + LARGE.width // 2, y + LARGE.height // 2)
    disc = panel(72, 72, 36, colours.INK, colours.GOLD, 3)
    canvas.paste(disc, (middle[0] - 36, middle[1] - 36), disc)
    write(
        canvas,
        (middle[0], middle[1] + 13),
        str(count),
        37,
        colours.GOLD,
        anchor="ms",
        weight=0.8,
    )


def _pile(canvas: Image.Image, drawing: TableDrawing) -> None:
    if drawing.upcard is None:
        return
    x, y = _PILE_AT
    if drawing.under:
        lay(canvas, back(LARGE), (x + 6, y - 4), LARGE)
    lay(canvas, face(drawing.upcard, LARGE, four=drawing.four_colours), _PILE_AT, LARGE)


def _limit(canvas: Image.Image, drawing: TableDrawing) -> None:
    """The knock limit at the right; the starter at the left where it sets it, and its doubling."""
    above, large, below = drawing.limit
    top = _MIDDLE - 20
    write(canvas, (_LIMIT_AT, top), words(above), 25, colours.LETTERS, anchor="ms", weight=0.3)
    write(canvas, (_LIMIT_AT, top + 50), large, 52, colours.GOLD, anchor="ms", weight=1)
    write(canvas, (_LIMIT_AT, top + 82), words(below), 25, colours.LETTERS, anchor="ms", weight=0.3)
    left, high = 52, _MIDDLE - _STARTER.height // 2
    if drawing.doubled:
        high -= 20
        # Alone while the starter is the up-card, and so large on the table.
        low = high + 102 if drawing.starter is not None else _MIDDLE - 17
        spade = suit_sign(Suit.SPADES, 27, colours.LETTERS)
        canvas.paste(spade, (left + 2, low), spade)
        write(canvas, (left + 32, low + 25), "×2", 28, colours.GOLD, weight=0.6)
    if drawing.starter is not None:
        sprite = face(drawing.starter, _STARTER, four=drawing.four_colours)
        lay(canvas, sprite, (left, high), _STARTER)
