"""Score sheets: one game, three games, three players, and matches of any length."""

from __future__ import annotations

from bot.ui.pages import sheet_page
from gin import Match, Rules, Seat
from gin.rules import Scoring
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import AWKWARD_NAMES, buttons, named, shown, text
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C


def played(rules: Rules, *wins: tuple[Seat, int]) -> Match:
    match = table.started(rules)
    for winner, points in wins:
        match = table.won(match, winner, points)
    return match


def block(page_text: str, number: int = 0) -> list[str]:
    """The lines of a code block."""
    return page_text.split("```")[2 * number + 1].strip("\n").splitlines()


def test_each_hand_has_a_line_with_points_running_total_and_sum() -> None:
    match = table.void(played(Rules(), (A, 30), (B, 25)))
    match = table.undercut(match, A, 28)
    assert block(text(sheet_page(shown(match)))) == [
        "     Ann      Bob",
        "   1  +30  30           knock 40 − 10",
        "   2           +25  25  knock 33 − 8",
        "   3                    void",
        "   4  +28  58           undercut 10 − 7 + 25",
        "   =       58       25",
    ]


def test_before_the_first_result_the_sheet_is_empty_but_there() -> None:
    page = sheet_page(shown(table.started()))
    assert "nothing entered yet" in text(page)
    check_page(page)


def test_hollywoods_games_stand_below_each_other_closed_ones_marked() -> None:
    wins = ((A, 30), (A, 25), (B, 47), (A, 60))
    said = text(sheet_page(shown(played(Rules(scoring=Scoring.HOLLYWOOD), *wins))))
    assert "**Game 1** (closed)" in said
    assert "**Game 2**\n" in said
    assert block(said, 1) == [
        "     Ann      Bob",
        "   2  +25  25           knock 33 − 8",
        "   4  +60  85           knock 70 − 10",
        "   =       85        0",
    ]


def test_a_rotation_has_three_columns() -> None:
    match = played(Rules(scoring=Scoring.ROTATION), (A, 30), (C, 25))
    lines = block(text(sheet_page(shown(match))))
    assert lines[0].split() == ["Ann", "Bob", "Cat"]
    assert lines[1].startswith("   1  +30  30")
    assert "+25  25" in lines[2]
    assert lines[-1].split() == ["=", "30", "0", "25"]


def test_the_settlement_stands_below_when_the_match_is_over() -> None:
    said = text(sheet_page(shown(played(Rules(), (A, 60), (A, 60)))))
    assert "**Ann wins the match!**" in said
    assert "Ann: 120 in hands + 100 game bonus + 2 boxes × 25 = 50 → **270**" in said


def test_a_match_of_sixty_hands_is_paged_and_every_hand_is_on_some_page() -> None:
    rules = Rules(target=1000, gin_bonus=0)
    match = table.started(rules)
    for number in range(60):
        match = table.won(match, (A, B)[number % 2], 20)
    assert match.outcome is None
    numbers: list[str] = []
    for page_number in range(3):
        page = sheet_page(shown(match), page_number)
        check_page(page)
        rows = [line for line in block(text(page)) if line[:4].strip().isdigit()]
        numbers += [line[:4].strip() for line in rows]
    assert numbers == [str(number) for number in range(1, 61)]


def test_the_newest_page_is_shown_first_and_others_can_be_turned_to() -> None:
    match = table.started(Rules(target=1000))
    for number in range(30):
        match = table.won(match, (A, B)[number % 2], 20)
    newest = sheet_page(shown(match))
    assert "Page 2 of 2." in text(newest)
    assert buttons(newest) == {"‹ Earlier": "gin:sheet:17:7:0"}
    oldest = sheet_page(shown(match), 0)
    assert buttons(oldest) == {"Later ›": "gin:sheet:17:7:1"}
    assert text(sheet_page(shown(match), 99)) == text(newest)


def test_a_long_hollywood_match_keeps_the_limits_with_any_name() -> None:
    match = table.started(Rules(scoring=Scoring.HOLLYWOOD, target=1000))
    for number in range(60):
        match = table.won(match, (A, B)[number % 2], 20)
    for name in AWKWARD_NAMES.values():
        seen = set()
        for page_number in range(9):
            page = sheet_page(shown(match, people=named(name)), page_number)
            check_page(page)
            seen.add(text(page))
        assert len(seen) >= 7
