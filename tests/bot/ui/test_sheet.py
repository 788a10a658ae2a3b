"""Score sheets: one game, three games, three players, and matches of any length."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.ui import escape
from bot.ui.matchbook import leaving
from bot.ui.page import PersonShown
from bot.ui.pages import panel_page, resign_page, sheet_page, table_page
from bot.ui.pictures.sheet import draw_sheet
from bot.ui.results import formula
from gin import Match, Resign, Rules, Seat
from gin.rules import BoxTiming, Limit, Scoring
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import AWKWARD_NAMES, buttons, everything, named, shown, text
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C
HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)


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
        "   Ann     Bob",
        " 1 +30  30         knock 40 − 10",
        " 2         +25  25 knock 33 − 8",
        " 3                 void",
        " 4 +28  58         undercut 10−7+25",
        " =      58      25",
    ]


def test_three_digits_of_points_do_not_touch_the_number_of_their_hand() -> None:
    rules = Rules(target=300, undercut_bonus=100)
    match = table.undercut(table.undercut(played(rules, (B, 25)), A, 103), B, 105)
    assert block(text(sheet_page(shown(match)))) == [
        "    Ann     Bob",
        " 1          +25  25 knock 33 − 8",
        " 2 +103 103         undercut",
        " 3         +105 130 undercut",
        " =      103     130",
    ]


def test_longer_names_take_the_room_that_is_there_and_numbers_stand_under_them() -> None:
    match = played(Rules(), (A, 30), (B, 25))
    people = (PersonShown(101, "Annabella"), PersonShown(102, "Former player"))
    assert block(text(sheet_page(shown(match, people=people)))) == [
        "   Annabella  Former player",
        " 1 +30  30            knock 40 − 10",
        " 2            +25  25 knock 33 − 8",
        " =      30         25",
    ]


def test_marks_on_a_name_move_no_number() -> None:
    match = played(Rules(), (A, 30))
    people = (PersonShown(101, "A\u0488\u0338\u0321n\u20ddn"), PersonShown(102, "Bob"))
    head, first, _foot = block(text(sheet_page(shown(match, people=people))))
    assert head == "   A\u0488\u0338n\u20ddn     Bob"
    assert first == " 1 +30  30         knock 40 − 10"


def test_before_the_first_result_the_sheet_is_empty_but_there() -> None:
    page = sheet_page(shown(table.started()))
    assert "nothing entered yet" in text(page)
    check_page(page)


def test_a_doubled_hand_says_so_also_where_there_is_no_room_for_its_sum() -> None:
    hand = "4H 5H 6H 9S 9D 9C JC QC KC 5D"
    rules = Rules(scoring=Scoring.ROTATION, knock_limit=Limit.UPCARD)
    match = table.play(
        table.started(rules).after(table.stacked(hand, table.DEFENDER, "TS", "KD")),
        "B pass",
        "A pass",
        "B draw stock",
        "B knock KD 4H5H6H/9S9D9C/JCQCKC",
        "A layoff 2C3C4C/7S7D7H -",
    )
    (line,) = [row for row in block(text(sheet_page(shown(match)))) if row.startswith(" 1")]
    assert line.endswith("knock ×2")


def test_the_last_line_says_what_the_end_adds() -> None:
    reading = "Each line: hand, points and total so far, how."
    for rules, said in (
        (Rules(), "At the end 25 for each hand won and 100 for reaching 100."),
        (Rules(box_bonus=0), "At the end 100 for reaching 100."),
        (Rules(game_bonus=0), "At the end 25 for each hand won."),
        (
            Rules(box_timing=BoxTiming.AT_ONCE),
            "Points include 25 for each hand won; at the end 100 for reaching 100.",
        ),
        (
            Rules(box_timing=BoxTiming.AT_ONCE, game_bonus=0),
            "Points include 25 for each hand won.",
        ),
    ):
        shown_as = text(sheet_page(shown(played(rules, (A, 30)))))
        assert f"{reading}\n-# {said}" in shown_as, said
    bare = text(sheet_page(shown(played(Rules(game_bonus=0, box_bonus=0), (A, 30)))))
    assert bare.rstrip().endswith(reading)


def test_a_game_that_was_only_broken_off_is_not_called_closed() -> None:
    match = played(HOLLYWOOD, (A, 30), (A, 25), (B, 47), (A, 60)).after(Resign(B))
    said = sheet_page(shown(match))
    assert block(text(said))[:2] == ["          game   1   2   3", "        closed   ×"]
    assert "Game 2, as it stood" in text(said)
    assert "Game 1 (closed)" in everything(said)
    assert "Game 2 (closed)" not in everything(said)


def test_hollywoods_games_stand_side_by_side_a_line_for_each_hand() -> None:
    # Ann: 30 to game 1; 25 to 1 and 2; 60 to all three, which closes game 1 at 115. Bob's 47 went
    # to game 1 before that; his next win finds it closed, and opens game 2.
    wins = ((A, 30), (A, 25), (B, 47), (A, 60), (B, 20))
    said = text(sheet_page(shown(table.void(played(HOLLYWOOD, *wins)))))
    assert block(said) == [
        "          game   1   2   3",
        "        closed   ×",
        " 1 Ann     +30  30         knock",
        " 2 Ann     +25  55  25     knock",
        " 3 Bob     +47  47         knock",
        " 4 Ann     +60 115  85  60 knock",
        " 5 Bob     +20      20     knock",
        " 6                         void",
        " = Ann         115  85  60",
        " = Bob          47  20   0",
    ]


def test_a_game_that_closes_is_settled_in_words_on_its_page() -> None:
    said = text(sheet_page(shown(played(HOLLYWOOD, (A, 30), (A, 25), (B, 47), (A, 60)))))
    assert "**Game 1, closed and won by Ann**" in said
    assert "Ann: 115 in hands + 100 game bonus + 75 for 3 boxes = **290**" in said
    assert "Bob: 47 in hands + 25 for 1 box = **72**" in said
    assert "Game 2," not in said
    assert "Closed: game 1. The next win counts:" in said
    assert "The next win counts: Ann's in games 2 and 3, Bob's in game 2." in said


def test_a_rotation_has_three_columns() -> None:
    match = played(Rules(scoring=Scoring.ROTATION), (A, 30), (C, 25))
    lines = block(text(sheet_page(shown(match))))
    assert lines[0].split() == ["Ann", "Bob", "Cat"]
    # Cat sits the first hand out, Ann the second.
    assert lines[1] == " 1 +30  30         out     knock"
    assert lines[2] == " 2 out             +25  25 knock"
    assert lines[-1].split() == ["=", "30", "0", "25"]


def test_the_settlement_stands_below_when_the_match_is_over() -> None:
    said = text(sheet_page(shown(played(Rules(), (A, 60), (A, 60)))))
    assert "**Ann wins the match!**" in said
    assert "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes = **270**" in said


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
        rows = [line for line in block(text(page)) if line[:2].strip().isdigit()]
        numbers += [line[:2].strip() for line in rows]
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


def test_a_hollywood_match_of_sixty_hands_keeps_the_limits_with_any_name() -> None:
    match = table.started(Rules(scoring=Scoring.HOLLYWOOD, target=1000))
    for number in range(60):
        match = table.won(match, (A, B)[number % 2], 20)
    for name in AWKWARD_NAMES.values():
        numbers: list[str] = []
        for page_number in range(3):
            page = sheet_page(shown(match, people=named(name)), page_number)
            check_page(page)
            rows = block(text(page))[1:]
            numbers += [row[:2].strip() for row in rows if row[:2].strip().isdigit()]
        assert numbers == [str(number) for number in range(1, 61)]


def test_every_line_fits_a_phone_whatever_the_names_and_the_points() -> None:
    """360 pixels wide, a code block shows some 36 letters in a line before it breaks it."""
    large = Rules(undercut_bonus=500, gin_bonus=500, target=1000)
    for scoring in Scoring:
        match = played(replace(large, scoring=scoring), (A, 30))
        pairing = match.next_pairing
        assert pairing is not None
        match = table.void(table.undercut(match, pairing.other, 503))
        for name in ("Ann", *AWKWARD_NAMES.values()):
            page = sheet_page(shown(match, people=named(name)))
            check_page(page)
            for line in block(text(page)):
                assert escape.cell_width(line) <= 36, line


def test_a_name_that_is_read_from_the_right_leaves_the_numbers_where_they_are() -> None:
    match = played(HOLLYWOOD, (A, 30))
    lines = block(text(sheet_page(shown(match, people=named("שלום")))))
    assert lines[1] == " 1 \u2068שלום\u2069    +30  30         knock"


def test_a_rotations_sheet_tells_its_hands_sums_and_in_oklahoma_their_knock_limits() -> None:
    rules = Rules(scoring=Scoring.ROTATION, knock_limit=Limit.UPCARD)
    match = played(rules, (A, 30), (C, 25))
    first, second = match.results
    void = table.void(match).results[-1]
    results = (
        replace(first, knock_limit=7),
        replace(second, knock_limit=10),
        replace(void, knock_limit=0),
    )
    one = shown(table.void(match))
    seen = replace(one, view=replace(one.view, results=results))
    said = text(sheet_page(seen))
    assert "Knock limit of each hand: hand 1: 7 · hand 2: 10 · hand 3: only gin." in said
    assert f"How each hand was counted: hand 1: {formula(first)} · hand 2: " in said
    check_page(sheet_page(seen))
    for scoring in (Scoring.ROTATION, Scoring.HOLLYWOOD):
        plain = text(sheet_page(shown(played(Rules(scoring=scoring), (A, 30)))))
        assert "How each hand was counted: hand 1: 40 − 10." in plain
        assert "Knock limit" not in plain


def test_two_players_read_oklahomas_limits_of_ended_hands_and_of_those_alone() -> None:
    match = played(Rules(knock_limit=Limit.UPCARD), (A, 30))
    limit = match.results[0].knock_limit
    said = text(sheet_page(shown(match)))
    assert f"Knock limit of each hand: hand 1: {limit}." in said
    assert "How each hand was counted" not in said, "the lines tell it"
    assert "Knock limit" not in text(sheet_page(shown(table.started(match.rules))))
    over = text(sheet_page(shown(match.after(Resign(B)))))
    assert "Knock limit of each hand" in over


def test_a_long_rotation_keeps_the_limits_with_any_name() -> None:
    rules = Rules(scoring=Scoring.ROTATION, knock_limit=Limit.UPCARD, target=1000)
    match = table.started(rules)
    for _number in range(30):
        pairing = match.next_pairing
        assert pairing is not None
        match = table.won(match, pairing.other, 20)
    for name in AWKWARD_NAMES.values():
        for page_number in range(2):
            page = sheet_page(shown(match, people=named(name)), page_number)
            check_page(page)
            assert "Knock limit of each hand: hand " in text(page)


def test_a_hand_that_ended_by_a_resignation_is_broken_off_everywhere_and_void_nowhere() -> None:
    for scoring in Scoring:
        match = played(Rules(scoring=scoring), (A, 30)).after(table.stacked()).after(Resign(A))
        assert match.results[-1].number == 2
        page = sheet_page(shown(match))
        (row,) = [line for line in block(text(page)) if line.startswith(" 2")]
        assert row.endswith(" broken off"), scoring
        assert scoring is not Scoring.HOLLYWOOD or row == " 2 broken off"
        assert escape.cell_width(row) <= 36
        (picture,) = page.pictures
        assert isinstance(picture.render, partial)
        drawn = picture.render.args[0].rows[-1]
        assert "broken off" in (*drawn.how, drawn.points)
        for told in (page, panel_page(shown(match, B)), table_page(shown(match))):
            assert "void" not in text(told)
        assert "Hand 2 was broken off" in text(table_page(shown(match)))


def test_beside_one_who_sits_out_a_hand_that_was_broken_off_fits_its_line() -> None:
    # Cat sits the first hand out, in the last column.
    match = table.started(Rules(scoring=Scoring.ROTATION)).after(table.stacked()).after(Resign(A))
    lines = block(text(sheet_page(shown(match))))
    assert lines[1] == " 1                 out    broken off"
    assert len(lines[1]) == 36


def test_the_pictures_say_broken_off_in_full() -> None:
    for scoring in Scoring:
        drawn = []
        for said in ("broken off", "broken o.."):
            match = played(Rules(scoring=scoring), (A, 30)).after(table.stacked()).after(Resign(A))
            picture = sheet_page(shown(match)).pictures[0]
            assert isinstance(picture.render, partial)
            drawing = picture.render.args[0]
            last = drawing.rows[-1]
            last = replace(
                last, how=(said,) if last.how else (), points=said if last.points else ""
            )
            drawn.append(draw_sheet(replace(drawing, rows=(*drawing.rows[:-1], last))))
        assert drawn[0] != drawn[1], scoring


def test_who_is_about_to_resign_reads_the_same_word_and_so_do_the_rules() -> None:
    playing = table.started().after(table.stacked())
    assert "The hand in play would be broken off." in text(resign_page(shown(playing, A)))
    rules = " ".join(leaving(Rules()))
    assert "broken off" in rules
    assert "void" not in rules
