"""The score sheet: every hand with what it brought and where, every settlement spelled out."""

from __future__ import annotations

from typing import Final

from bot.ui import escape
from bot.ui.controls import Verb
from bot.ui.drawn_sheet import sheet_picture
from bot.ui.language import _
from bot.ui.matchend import games_closed, match_over
from bot.ui.page import MatchShown, Page
from bot.ui.pages import facts, moments
from bot.ui.parts import SUBTLE, Accent, Composer, Press, lines
from bot.ui.results import doubled_word, ending_words, formula
from bot.ui.scoresheet import SheetLine, SheetPage, is_closed, sheet_page_of
from gin.results import HandResult
from gin.rules import BoxTiming, Limit, Rules, Scoring
from gin.sheet import Entry
from gin.views import MatchView

_WIDTH: Final = 36
"""Cells of a line that a phone shows unbroken, 360 pixels wide."""
_COLUMN: Final = 8
"""Cells of a player's column: points and the total so far, four each."""
_GAME: Final = 4
"""Cells of a Hollywood game's column: a total."""
_NAME: Final = 6
"""Cells of a player's name where lines have no room for more."""
_CLOSED: Final = "×"
_SETTLED: Final = 2000
"""Characters kept for what is said below the table."""


def sheet_page(shown: MatchShown, page: int | None = None) -> Page:
    """One page of the match's score sheet, the newest when ``page`` is None (pages from 0)."""
    view = shown.view
    leaf = sheet_page_of(view, page)
    composed = Composer(Accent.TABLE, reserve=_SETTLED)
    composed.text("## " + _("Score sheet") + f"\n{facts.subtitle(shown)}")
    composed.picture(sheet_picture(shown, leaf))
    composed.text(_table(shown, leaf))
    composed.text(_below(shown, leaf), reserved=True)
    if leaf.pages > 1:
        said = _("Page {page} of {pages}.").format(page=leaf.number + 1, pages=leaf.pages)
        composed.text(SUBTLE + said, reserved=True)
        composed.buttons(
            _turn(shown, leaf.number - 1, leaf.pages, _("‹ Earlier")),
            _turn(shown, leaf.number + 1, leaf.pages, _("Later ›")),
        )
    return composed.buttons(facts.table_link(shown)).page()


def _turn(shown: MatchShown, page: int, pages: int, label: str) -> Press:
    control = facts.control(shown, Verb.SHEET, max(page, 0))
    return Press(control, label, disabled=not 0 <= page < pages)


def _below(shown: MatchShown, leaf: SheetPage) -> str:
    """What closed on this page and at how much; on the last page how the match stands or ended."""
    view = shown.view
    names = facts.names(shown)
    if view.outcome is not None and leaf.is_last:
        return lines(
            f"**{facts.headline(shown)}**",
            facts.ended_early(shown),
            match_over(view, names),
            _hands(view.rules, leaf),
        )
    closed = games_closed(view, [line.result for line in leaf.lines], names)
    if not leaf.is_last:
        return lines(closed, _hands(view.rules, leaf))
    return lines(
        closed,
        moments.hollywood(shown),
        moments.rotation(shown),
        _hands(view.rules, leaf),
        _about(view),
    )


def _hands(rules: Rules, leaf: SheetPage) -> str:
    """What the lines have no room for: the sums of hands, Oklahoma's knock limits."""
    results = [line.result for line in leaf.lines]
    sums, limits = "", ""
    if rules.scoring is not Scoring.GAME:
        sums = _by_hand([(one.number, formula(one)) for one in results if formula(one)])
    if rules.knock_limit is Limit.UPCARD:
        limits = _by_hand([(one.number, str(one.knock_limit or _("only gin"))) for one in results])
    return lines(
        SUBTLE + _("How each hand was counted: {list}.").format(list=sums) if sums else "",
        SUBTLE + _("Knock limit of each hand: {list}.").format(list=limits) if limits else "",
    )


def _by_hand(told: list[tuple[int, str]]) -> str:
    said = _("hand {number}: {what}")
    return " · ".join(said.format(number=number, what=what) for number, what in told)


def _table(shown: MatchShown, leaf: SheetPage) -> str:
    """The hands of one page in a code block."""
    view = shown.view
    if view.rules.scoring is Scoring.HOLLYWOOD:
        head, body, foot = _hollywood(shown, leaf)
    else:
        head, body, foot = _columns(shown, leaf)
    body = body or [_("   nothing entered yet")]
    rows = [row.rstrip() for row in (*head, *body, *(foot if leaf.is_last else ()))]
    return "```\n" + lines(*rows) + "\n```"


def _columns(shown: MatchShown, leaf: SheetPage) -> tuple[list[str], list[str], list[str]]:
    """One game: a column of points and total for each player, then how the hand ended."""
    seats = shown.view.seats
    widths = _columns_of(shown, leaf)
    lead = _lead(leaf)
    head = " " * lead
    for person, width in zip(shown.people, widths, strict=True):
        is_last = person is shown.people[-1]  # beside whom nothing stands in this line
        room = _WIDTH - escape.cell_width(head) if is_last else width
        head += " " + escape.cells(person.name, room - 2) + " "
    body = []
    for line in leaf.lines:
        entry = line.entries[0]
        cells = []
        for seat, width in zip(seats, widths, strict=True):
            said = ""
            if entry is not None and seat is entry.seat:
                said = f"{entry.points:>+4}{entry.running:>4}"
            elif seat is line.out:
                said = _right(_("out"), _COLUMN // 2)
            cells.append(said + " " * (width - escape.cell_width(said)))
        row = f"{line.result.number:>2}".ljust(lead) + "".join(cells)
        body.append(_joined(row, _how(line.result, _WIDTH - escape.cell_width(row) - 1)))
    points = shown.view.sheet.games[0].points
    foot = f"{'=':>2}".ljust(lead) + "".join(
        f"{own:>{_COLUMN}}" + " " * (width - _COLUMN)
        for own, width in zip(points, widths, strict=True)
    )
    return [head], body, [foot]


def _lead(leaf: SheetPage) -> int:
    """Cells of a hand's number; one more where three digits of points would touch it."""
    points = [one.points for line in leaf.lines for one in line.entries[:1] if one is not None]
    return 3 if max(points, default=0) >= 100 else 2


def _columns_of(shown: MatchShown, leaf: SheetPage) -> list[int]:
    """How wide each player's column is: as his name wants it, where how hands ended leaves room."""
    widths = [_COLUMN] * len(shown.people)
    left = _WIDTH - _lead(leaf) - 1 - sum(widths)
    spare = left - max((escape.cell_width(_how(one.result, left)) for one in leaf.lines), default=0)
    for place, person in enumerate(shown.people[:-1]):
        wanted = escape.cell_width(escape.clean(person.name)) + 2 - _COLUMN
        widened = max(0, min(wanted, spare))
        widths[place] += widened
        spare -= widened
    return widths


def _hollywood(shown: MatchShown, leaf: SheetPage) -> tuple[list[str], list[str], list[str]]:
    """Three games side by side: who won the hand, its points, the total so far in each game."""
    games = shown.view.sheet.games
    left = 2 + 1 + _NAME + 5
    numbers = [str(place) for place in range(1, len(games) + 1)]
    head = [_right(_("game"), left) + _cells(numbers)]
    if any(map(is_closed, games)):
        marks = [_CLOSED if is_closed(game) else "" for game in games]
        head.append(_right(_("closed"), left) + _cells(marks))
    body = [_hollywood_line(shown, line) for line in leaf.lines]
    foot = [
        f"{'=':>2} {escape.cells(person.name, _NAME)}     "
        + _cells([str(game.points[seat]) for game in games])
        for seat, person in zip(shown.view.seats, shown.people, strict=True)
    ]
    return head, body, foot


def _hollywood_line(shown: MatchShown, line: SheetLine) -> str:
    result, how = line.result, ending_words(line.result)
    entry: Entry | None = next((one for one in line.entries if one is not None), None)
    name = shown.people[entry.seat].name if entry is not None else ""
    who = escape.cells(name, _NAME) if name else " " * _NAME
    points = f"{entry.points:>+5}" if entry is not None else " " * 5
    totals = [str(one.running) if one is not None else "" for one in line.entries]
    row = f"{result.number:>2} {who}{points}{_cells(totals)}"
    if entry is None and escape.cell_width(f"{row} {how}") > _WIDTH:
        return f"{result.number:>2} {how}"  # it would begin under the last game
    return _joined(row, how)


def _joined(row: str, how: str) -> str:
    """A line and how its hand ended; what is long takes blank cells at the line's end as well."""
    over = escape.cell_width(f"{row} {how}") - _WIDTH
    blank = len(row) - len(row.rstrip())
    return f"{row[: len(row) - max(0, min(over, blank))]} {how}"


def _cells(texts: list[str]) -> str:
    return "".join(f"{text:>{_GAME}}" for text in texts)


def _right(word: str, width: int) -> str:
    """A word of ours at the right of ``width`` cells."""
    return " " * (width - escape.cell_width(word)) + word


def _how(result: HandResult, room: int) -> str:
    """How a hand ended, with its sum where there is room: ``knock 25 − 5``."""
    word, whole = ending_words(result), formula(result)
    said = f"{word} {whole}".strip()
    close = f"{word} {whole.replace(' ', '')}".strip()
    shorter = (said, close, doubled_word(result))
    return next((text for text in shorter if escape.cell_width(text) <= room), word)


def _about(view: MatchView) -> str:
    """How to read the columns, and what is still to come."""
    rules = view.rules
    reading = _("Each line: hand, points and total so far, how.")
    if rules.scoring is Scoring.HOLLYWOOD:
        reading = _("Each line: hand, winner, points, the winner's total so far in each game, how.")
    to_come = _to_come(rules)
    return lines(SUBTLE + reading, SUBTLE + to_come if to_come else "")


def _to_come(rules: Rules) -> str:
    """What is added to the points of the lines, or in them already."""
    said = ""
    match bool(rules.box_bonus), rules.box_timing is BoxTiming.AT_ONCE, bool(rules.game_bonus):
        case True, True, True:
            said = _(
                "Points include {box} for each hand won; at the end {bonus} for reaching {target}."
            )
        case True, True, False:
            said = _("Points include {box} for each hand won.")
        case True, False, True:
            said = _("At the end {box} for each hand won and {bonus} for reaching {target}.")
        case True, False, False:
            said = _("At the end {box} for each hand won.")
        case False, _at_once, True:
            said = _("At the end {bonus} for reaching {target}.")
    return said.format(box=rules.box_bonus, bonus=rules.game_bonus, target=rules.target)
