"""The score sheet: each game entry by entry, every hand's sum, the settlements."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ui import escape
from bot.ui.controls import Verb
from bot.ui.language import _
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts
from bot.ui.parts import SUBTLE, Accent, Composer, Press, lines
from bot.ui.results import formula, match_over, outcome_headline
from gin.results import Ending, HandResult
from gin.rules import BoxTiming
from gin.sheet import GameSheet
from gin.views import MatchView

ROWS = 24
"""Lines of entries on one page."""
_COLUMN = 9
_SETTLED = 1200
"""Characters kept for the settlement below the table."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Some lines of one game."""

    game: int
    rows: tuple[str, ...]
    is_last: bool


def sheet_page(shown: MatchShown, page: int | None = None) -> Page:
    """One page of the match's score sheet, the newest when ``page`` is None (pages from 0)."""
    view = shown.view
    pages = _pages(view)
    number = len(pages) - 1 if page is None else max(0, min(page, len(pages) - 1))
    names = facts.names(shown)
    composed = Composer(Accent.TABLE, reserve=_SETTLED)
    composed.text("## " + _("Score sheet") + f"\n{facts.subtitle(shown)}")
    for part in pages[number]:
        composed.text(_block(shown, part))
    if view.outcome is not None and number == len(pages) - 1:
        composed.text(
            lines(f"**{outcome_headline(view.outcome, names)}**", match_over(view, names)),
            reserved=True,
        )
    else:
        composed.text(_about(view), reserved=True)
    if len(pages) > 1:
        said = _("Page {page} of {pages}.").format(page=number + 1, pages=len(pages))
        composed.text(SUBTLE + said, reserved=True)
        composed.buttons(
            _turn(shown, number - 1, len(pages), _("‹ Earlier")),
            _turn(shown, number + 1, len(pages), _("Later ›")),
        )
    return composed.buttons(facts.table_link(shown)).page()


def _turn(shown: MatchShown, page: int, pages: int, label: str) -> Press:
    control = facts.control(shown, Verb.SHEET, max(page, 0))
    return Press(control, label, disabled=not 0 <= page < pages)


def _pages(view: MatchView) -> list[list[_Part]]:
    """The entries of all games, cut into pages of at most ``ROWS`` lines."""
    pages: list[list[_Part]] = [[]]
    room = ROWS
    for number, game in enumerate(view.sheet.games):
        rows = _rows(view, game)
        for start in range(0, max(len(rows), 1), ROWS):
            chunk = rows[start : start + ROWS]
            if pages[-1] and len(chunk) > room:
                pages.append([])
                room = ROWS
            pages[-1].append(_Part(number, chunk, start + ROWS >= len(rows)))
            room -= len(chunk)
    return pages


def _rows(view: MatchView, game: GameSheet) -> tuple[str, ...]:
    """One line an entry; in a single game void hands stand between them."""
    entered = {entry.hand: entry for entry in game.entries}
    rows: list[str] = []
    for result in view.results:
        entry = entered.get(result.number)
        if entry is None:
            if result.winner is None and len(view.sheet.games) == 1:
                blank = " " * (_COLUMN * len(view.seats))
                rows.append(f"{result.number:>4} {blank} {_how(result)}")
            continue
        cells = "".join(
            f"{entry.points:>+4}{entry.running:>4} " if seat is entry.seat else " " * _COLUMN
            for seat in view.seats
        )
        rows.append(f"{entry.hand:>4} {cells} {_how(result)}".rstrip())
    return tuple(rows)


def _how(result: HandResult) -> str:
    """How a hand ended, with its sum: ``knock 25 − 5``."""
    words = {
        Ending.KNOCK: _("knock"),
        Ending.UNDERCUT: _("undercut"),
        Ending.GIN: _("gin"),
        Ending.BIG_GIN: _("big gin"),
        Ending.TIE_NO_BONUS: _("level"),
    }
    said = words.get(result.ending, _("void"))
    return f"{said} {formula(result)}".strip()


def _block(shown: MatchShown, part: _Part) -> str:
    view = shown.view
    game = view.sheet.games[part.game]
    title = ""
    if len(view.sheet.games) > 1:
        title = _("**Game {number}**").format(number=part.game + 1)
        if game.settlement is not None:
            title = _("{title} (closed)").format(title=title)
    head = " " * 5 + "".join(
        escape.cells(person.name, _COLUMN - 1) + " " for person in shown.people
    )
    body = part.rows or (_("   nothing entered yet"),)
    foot = ""
    if part.is_last:
        sums = "".join(f"{points:>{_COLUMN - 1}} " for points in game.points)
        foot = f"{'=':>4} {sums}"
    return lines(title, "```\n" + lines(head.rstrip(), *body, foot.rstrip()) + "\n```")


def _about(view: MatchView) -> str:
    """How to read the columns, and what is still to come."""
    rules = view.rules
    if not rules.box_bonus:
        boxes = ""
    elif rules.box_timing is BoxTiming.AT_ONCE:
        boxes = _("Points include {box} for each hand won.").format(box=rules.box_bonus)
    else:
        boxes = _("At the end {box} for each hand won and {bonus} for reaching {target}.").format(
            box=rules.box_bonus, bonus=rules.game_bonus, target=rules.target
        )
    reading = _("Each line: hand, points and total so far, how.")
    return lines(SUBTLE + reading, SUBTLE + boxes if boxes else "")
