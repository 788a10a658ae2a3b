"""The score sheet as lines and columns, for the text and the picture alike.

Worked out from the view's sheet and results alone: which hand went where, what closed, who sat
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.ui.limits import page_within
from gin.actions import Seat
from gin.results import HandResult
from gin.rules import Scoring
from gin.sheet import Entry, GameSheet, Sheet
from gin.views import MatchView

HANDS_A_PAGE: Final = 20


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One hand: what it brought in each game."""

    result: HandResult
    entries: tuple[Entry | None, ...]
    """By game: None where nothing was entered (a void hand; a game not opened, or closed)."""
    shut: tuple[bool, ...]
    """By game: whether it had closed before this hand."""
    out: Seat | None
    """Rotation: who sat this hand out."""


@dataclass(frozen=True, slots=True)
class SheetPage:
    """Some hands in a row; ``number`` counts from 0."""

    number: int
    pages: int
    lines: tuple[SheetLine, ...]

    @property
    def is_last(self) -> bool:
        """Whether the newest hand is on this page."""
        return self.number == self.pages - 1


def sheet_lines(view: MatchView) -> tuple[SheetLine, ...]:
    """Every hand that has ended, void ones too, oldest first."""
    games = view.sheet.games
    entered = [{entry.hand: entry for entry in game.entries} for game in games]
    closing = [closing_hand(game) for game in games]
    return tuple(
        SheetLine(
            result=result,
            entries=tuple(known.get(result.number) for known in entered),
            shut=tuple(hand is not None and hand < result.number for hand in closing),
            out=_out(view, result),
        )
        for result in view.results
    )


def sheet_page_of(view: MatchView, page: int | None) -> SheetPage:
    """One page of the lines; None is the newest, and a number out of range the nearest."""
    lines = sheet_lines(view)
    number, pages = page_within(page, len(lines), HANDS_A_PAGE)
    start = number * HANDS_A_PAGE
    return SheetPage(number, pages, lines[start : start + HANDS_A_PAGE])


def closing_hand(game: GameSheet) -> int | None:
    """The number of the hand that closed a game of two; None while it runs.

    None also for a rotation, and for a game that was settled only because the match ended.
    """
    if game.settlement is None or game.scorer is None or len(game.points) > 2:
        return None
    return game.entries[-1].hand


def is_closed(game: GameSheet) -> bool:
    """Whether somebody has closed this game; not where only the match was broken off."""
    return closing_hand(game) is not None


def closed_by(sheet: Sheet, results: Sequence[HandResult]) -> tuple[int, ...]:
    """The games (from 0) that one of these hands closed."""
    numbers = {result.number for result in results}
    return tuple(place for place, game in enumerate(sheet.games) if closing_hand(game) in numbers)


def win_goes_to(sheet: Sheet, seat: Seat) -> tuple[int, ...]:
    """The games (from 1) in which a win of this seat would be entered now (docs/rules.md)."""
    running = [(place, game) for place, game in enumerate(sheet.games, 1) if not game.settlement]
    opened = [place for place, game in running if game.opened[seat]]
    fresh = [place for place, game in running if not game.opened[seat]]
    return tuple(sorted(opened + fresh[:1]))


def _out(view: MatchView, result: HandResult) -> Seat | None:
    if view.rules.scoring is not Scoring.ROTATION:
        return None
    return next((seat for seat in view.seats if seat not in result.players), None)
