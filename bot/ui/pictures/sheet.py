"""The score sheet as a picture: hands downwards, each game with a column for each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.ui.pictures import colours
from bot.ui.pictures.colours import png
from bot.ui.pictures.lettering import drawable, fitted, words, write
from bot.ui.pictures.panels import panel
from bot.ui.pictures.shapes import Colour

WIDTH: Final = 720
_MARGIN: Final = 10
_NUMBER: Final = 50
"""Pixels for the number of the hand."""
_POINTS: Final = 84
"""Pixels for what the hand brought, where there are several games."""
_HOW: Final = 272
"""Pixels for how a hand ended, where there is one game; a third column narrows it."""
_HOW_NARROW: Final = 148
_HEAD: Final = 80
_LINE: Final = 42
_FOOT: Final = 42
_SMALL: Final = 26
"""Pixels of the small letters: 360 pixels wide, which is half, they can still be read."""
_LARGE: Final = 30
_TOTAL: Final = 34
_GAP: Final = 10
"""Between one game and the next."""
_GREY: Final = colours.blend(colours.PAPER, colours.INK, 0.75)
_SHADE: Final = colours.blend(colours.PAPER, colours.EDGE, 0.4)
_STRIPE: Final = colours.blend(colours.PAPER, colours.EDGE, 0.2)


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """One player's column in one game."""

    name: str
    seat: str
    """What is shown where the name can't be drawn."""
    won: bool = False
    """Whether he won this game; his name is golden then."""


@dataclass(frozen=True, slots=True)
class SheetGame:
    """One game: its columns, a title (empty where there is one game), and a mark if closed."""

    columns: tuple[SheetColumn, ...]
    title: str = ""
    mark: str = ""
    """Such as ``closed``."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line: a hand, or one of the settlement at the foot.

    ``cells`` are by game and column: a small and a large text (points, and the total so far).
    """

    label: str
    cells: tuple[tuple[tuple[str, str], ...], ...]
    shut: tuple[bool, ...] = ()
    """By game: whether it had closed before; its part of the line is shaded then."""
    how: tuple[str, ...] = ()
    """How the hand ended, one game: the longest wording first, the first that has room counts."""
    points: str = ""
    """What the hand brought, several games."""


@dataclass(frozen=True, slots=True)
class SheetDrawing:
    """What is drawn of a sheet; words are already in the reader's language."""

    games: tuple[SheetGame, ...]
    rows: tuple[SheetRow, ...]
    foot: tuple[SheetRow, ...]
    """The last of them is the total and drawn large."""


def draw_sheet(drawing: SheetDrawing) -> bytes:
    """Draw a score sheet, 720 pixels wide and as high as it has lines, as a PNG file."""
    rows = max(len(drawing.rows), 1)
    height = _HEAD + rows * _LINE + len(drawing.foot) * _FOOT + 2 * _MARGIN + 18
    canvas = Image.new("RGB", (WIDTH, height), colours.FELT)
    paper = panel(WIDTH - 2 * _MARGIN, height - 2 * _MARGIN, 14, colours.PAPER)
    canvas.paste(paper, (_MARGIN, _MARGIN), paper)
    plan = _Plan(drawing)
    _head(canvas, drawing, plan)
    top = _MARGIN + _HEAD
    for number, row in enumerate(drawing.rows):
        _row(canvas, row, plan, top + number * _LINE, striped=number % 2 == 1)
    top += rows * _LINE + 6
    draw = ImageDraw.Draw(canvas)
    for place in range(1, len(drawing.games)):
        between = plan.span(place)[0] - _GAP // 2
        draw.line((between, _MARGIN + _HEAD, between, height - _MARGIN - 1), colours.EDGE, 2)
    if drawing.foot:
        draw.line((_MARGIN, top, WIDTH - _MARGIN - 1, top), colours.INK, 2)
    for number, row in enumerate(drawing.foot):
        _foot(canvas, row, plan, top + 3 + number * _FOOT, is_total=row is drawing.foot[-1])
    return png(canvas)


class _Plan:
    """Where the columns stand, in pixels from the left."""

    def __init__(self, drawing: SheetDrawing) -> None:
        games = drawing.games
        self.is_single = len(games) == 1
        columns = sum(len(game.columns) for game in games)
        how = (_HOW if columns < 3 else _HOW_NARROW) if self.is_single else 0
        self.how_at = WIDTH - _MARGIN - how
        self.how = how
        self.left = _NUMBER + (0 if self.is_single else _POINTS)
        free = WIDTH - 2 * _MARGIN - self.left - how - _GAP * (len(games) - 1)
        self.width = free / columns
        self.lefts: list[list[float]] = []
        left: float = _MARGIN + self.left
        for game in games:
            self.lefts.append([left + self.width * place for place in range(len(game.columns))])
            left += self.width * len(game.columns) + _GAP

    def span(self, game: int) -> tuple[int, int]:
        """The left and right ends of a game."""
        lefts = self.lefts[game]
        return round(lefts[0]), round(lefts[-1] + self.width)


def _head(canvas: Image.Image, drawing: SheetDrawing, plan: _Plan) -> None:
    """The names above the columns, with the games' titles where there are several."""
    band = panel(WIDTH - 2 * _MARGIN, _HEAD, 14, colours.FELT_DARK)
    canvas.paste(band, (_MARGIN, _MARGIN), band)
    draw = ImageDraw.Draw(canvas)
    draw.rectangle(
        (_MARGIN, _MARGIN + _HEAD // 2, WIDTH - _MARGIN - 1, _MARGIN + _HEAD - 1),
        colours.FELT_DARK,
    )
    base = _MARGIN + _HEAD - (26 if plan.is_single else 14)
    for place, game in enumerate(drawing.games):
        left, right = plan.span(place)
        if game.title:
            title = words(game.title)
            base_of_title = _MARGIN + 32
            wide = write(canvas, (left + 8, base_of_title), title, _SMALL, colours.GOLD, weight=0.5)
            mark = fitted(words(game.mark), 22, right - left - wide - 20)
            write(canvas, (right - 8, base_of_title), mark, 22, colours.LETTERS, anchor="rs")
        for column, at in zip(game.columns, plan.lefts[place], strict=True):
            size = _LARGE if plan.is_single else _SMALL
            name = fitted(drawable(column.name, column.seat), size, plan.width - 14)
            colour = colours.GOLD if column.won else colours.LETTERS
            where = (at + plan.width - 8, base)
            write(canvas, where, name, size, colour, anchor="rs", weight=0.5)


def _row(canvas: Image.Image, row: SheetRow, plan: _Plan, top: int, *, striped: bool) -> None:
    draw = ImageDraw.Draw(canvas)
    if striped:
        draw.rectangle((_MARGIN, top, WIDTH - _MARGIN - 1, top + _LINE - 1), _STRIPE)
    base = top + 31
    write(canvas, (_MARGIN + _NUMBER - 10, base), row.label, _SMALL, _GREY, anchor="rs")
    for place, shut in enumerate(row.shut):
        if shut:
            left, right = plan.span(place)
            draw.rectangle((left, top, right - 1, top + _LINE - 1), _SHADE)
    _cells(canvas, row, plan, base, (_SMALL, _LARGE))
    room = plan.left - _NUMBER
    if fitted(row.points, _SMALL, room) == row.points:
        write(canvas, (_MARGIN + plan.left - 12, base), row.points, _SMALL, _GREY, anchor="rs")
    else:  # words of a hand that brought nothing: the columns of the first game are empty
        left, right = plan.span(0)
        said = fitted(row.points, _SMALL, right - left - 16)
        write(canvas, (left + 8, base), said, _SMALL, _GREY)
    if row.how and plan.how:
        room = plan.how - 22
        said = next((how for how in row.how if fitted(how, _SMALL, room) == how), row.how[-1])
        write(canvas, (plan.how_at + 16, base - 1), fitted(said, _SMALL, room), _SMALL, _GREY)


def _foot(canvas: Image.Image, row: SheetRow, plan: _Plan, top: int, *, is_total: bool) -> None:
    base = top + 31
    if plan.is_single:
        write(canvas, (plan.how_at + 16, base), words(row.label), _SMALL, _GREY)
    else:
        label = fitted(words(row.label), _SMALL, plan.left - 18)
        write(canvas, (_MARGIN + 10, base), label, _SMALL, _GREY)
    large = _TOTAL if plan.is_single else _LARGE
    sizes = (_SMALL, large if is_total else _SMALL)
    _cells(canvas, row, plan, base, sizes, weight=0.9 if is_total else 0)


def _cells(
    canvas: Image.Image,
    row: SheetRow,
    plan: _Plan,
    base: int,
    sizes: tuple[int, int],
    weight: float = 0.5,
) -> None:
    """The small and the large text of every cell, at the right of its column."""
    for lefts, cells in zip(plan.lefts, row.cells, strict=True):
        for at, (small, large) in zip(lefts, cells, strict=True):
            right = at + plan.width - 10
            ink: Colour = colours.INK if large else _GREY
            wide = write(canvas, (right, base), large, sizes[1], ink, anchor="rs", weight=weight)
            gap = 8 if large else 0
            if fitted(small, sizes[0], plan.width - wide - gap - 12) == small:
                write(canvas, (right - wide - gap, base), small, sizes[0], _GREY, anchor="rs")
