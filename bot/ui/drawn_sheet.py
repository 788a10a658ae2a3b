"""The score sheet's picture: columns, lines and settlement taken from the view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.ui import escape
from bot.ui.language import _
from bot.ui.page import MatchShown, Picture
from bot.ui.pictures.lettering import words
from bot.ui.pictures.sheet import (
    SheetColumn,
    SheetDrawing,
    SheetGame,
    SheetRow,
    draw_sheet,
)
from bot.ui.results import doubled_word, ending_words, formula
from bot.ui.scoresheet import SheetLine, SheetPage, is_closed
from gin.actions import Seat
from gin.results import HandResult
from gin.sheet import Entry, GameSheet, Settlement

Cells = tuple[tuple[str, str], ...]


def sheet_picture(shown: MatchShown, page: SheetPage) -> Picture:
    """One page of the sheet; the settlement of closed games stands at its foot."""
    games = shown.view.sheet.games
    several = len(games) > 1
    drawing = SheetDrawing(
        games=tuple(_game(shown, place, game, several) for place, game in enumerate(games)),
        rows=tuple(_row(shown, line) for line in page.lines),
        foot=_foot(shown, page),
    )
    alt = _("The score sheet, page {page} of {pages}. {sums}").format(
        page=page.number + 1,
        pages=page.pages,
        sums=" ".join(_sums(shown, place, game) for place, game in enumerate(games)),
    )
    return Picture("sheet.png", alt, partial(draw_sheet, drawing))


def _game(shown: MatchShown, place: int, game: GameSheet, several: bool) -> SheetGame:
    columns = tuple(
        SheetColumn(
            escape.plain(person.name),
            str(seat),
            won=seat is game.winner or _is_first(shown, seat),
        )
        for seat, person in zip(shown.view.seats, shown.people, strict=True)
    )
    if not several:
        return SheetGame(columns)
    title = _("Game {number}").format(number=place + 1)
    return SheetGame(columns, title, _("closed") if is_closed(game) else "")


def _is_first(shown: MatchShown, seat: Seat) -> bool:
    outcome = shown.view.outcome
    return len(shown.view.sheet.games) == 1 and outcome is not None and outcome.winner is seat


def _row(shown: MatchShown, line: SheetLine) -> SheetRow:
    result = line.result
    seats = shown.view.seats
    several = len(line.entries) > 1
    entry = next((one for one in line.entries if one is not None), None)
    return SheetRow(
        label=str(result.number),
        cells=tuple(_entry_cells(one, line, seats, bare=several) for one in line.entries),
        shut=line.shut,
        how=() if several else _how(result),
        points="" if not several else f"+{entry.points}" if entry else ending_words(result),
    )


def _how(result: HandResult) -> tuple[str, ...]:
    """How a hand ended, from the longest wording to the shortest."""
    word = ending_words(result)
    whole = formula(result)
    close = whole.replace(" ", "")
    short = doubled_word(result)
    said = (f"{word} {whole}".strip(), f"{word} {close}".strip(), short, word)
    return tuple(map(words, said))


def _entry_cells(
    entry: Entry | None, line: SheetLine, seats: tuple[Seat, ...], *, bare: bool
) -> Cells:
    """A cell for each player: points and total so far; ``bare`` leaves the points away."""
    cells: list[tuple[str, str]] = []
    for seat in seats:
        if entry is not None and seat is entry.seat:
            cells.append(("" if bare else f"+{entry.points}", str(entry.running)))
        elif seat is line.out:
            cells.append((_("out"), ""))
        else:
            cells.append(("", ""))
    return tuple(cells)


def _foot(shown: MatchShown, page: SheetPage) -> tuple[SheetRow, ...]:
    """Below the newest hand: the points so far, or the settlement, a line for each thing in it."""
    games = shown.view.sheet.games
    if not page.is_last:
        return ()
    if all(game.settlement is None for game in games):
        points = [tuple(map(str, game.points)) for game in games]
        return (_foot_row(_("so far"), points),)
    parts: list[tuple[str, Callable[[Settlement], int]]] = [
        (_("hands"), lambda part: part.hand_points),
        (_("game"), lambda part: part.game_bonus),
        (_("boxes"), lambda part: part.box_points),
        (_("shutout"), lambda part: part.shutout_bonus),
    ]
    rows = [
        _foot_row(name, [_part(game, amount, signed=place > 0) for game in games])
        for place, (name, amount) in enumerate(parts)
        if any(amount(part) for game in games for part in game.settlement or ())
    ]
    totals = [
        tuple(map(str, game.points))
        if game.settlement is None
        else _part(game, lambda part: part.total, signed=False)
        for game in games
    ]
    return (*rows, _foot_row(_("total"), totals))


def _foot_row(name: str, columns: list[tuple[str, ...]]) -> SheetRow:
    return SheetRow(name, tuple(tuple(("", cell) for cell in column) for column in columns))


def _part(game: GameSheet, amount: Callable[[Settlement], int], *, signed: bool) -> tuple[str, ...]:
    """One part of a settlement by seat; empty where it is nothing, or the game still runs."""
    if game.settlement is None:
        return ("",) * len(game.points)
    amounts = [amount(part) for part in game.settlement]
    if not signed:
        return tuple(map(str, amounts))
    return tuple(f"+{points}" if points else "" for points in amounts)


def _sums(shown: MatchShown, place: int, game: GameSheet) -> str:
    """A game's points for the ear."""
    points = game.points
    if game.settlement is not None:
        points = tuple(line.total for line in game.settlement)
    said = ", ".join(
        f"{escape.plain(person.name)} {own}"
        for person, own in zip(shown.people, points, strict=True)
    )
    if len(shown.view.sheet.games) == 1:
        return said + "."
    title = _("Game {number}").format(number=place + 1)
    if is_closed(game):
        title = _("{title} (closed)").format(title=title)
    return f"{title}: {said}."
