"""The lines of the score sheet, against the rules library's own sheet."""

from __future__ import annotations

import random

from bot.ui.scoresheet import (
    HANDS_A_PAGE,
    closed_by,
    sheet_lines,
    sheet_page_of,
    win_goes_to,
)
from gin import Match, Rules, Seat, view
from gin.rules import Scoring
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C
HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)


def played(rules: Rules, *wins: tuple[Seat, int]) -> Match:
    match = table.started(rules)
    for winner, points in wins:
        match = table.won(match, winner, points)
    return match


def test_where_the_next_win_goes_is_where_it_is_then_entered() -> None:
    checked = 0
    for seed in range(6):
        chance = random.Random(seed)
        match = table.started(HOLLYWOOD)
        while match.outcome is None:
            winner = chance.choice((A, B))
            foretold = win_goes_to(match.sheet, winner)
            match = table.won(match, winner, chance.choice((20, 30, 60)))
            number = len(match.results)
            entered = tuple(
                place
                for place, game in enumerate(match.sheet.games, 1)
                if any(entry.hand == number for entry in game.entries)
            )
            assert foretold == entered
            checked += 1
    assert checked > 20


def test_a_player_shut_out_of_game_one_opens_the_next_running_game() -> None:
    match = played(HOLLYWOOD, (A, 60), (A, 60))
    assert win_goes_to(match.sheet, B) == (2,)
    assert win_goes_to(match.sheet, A) == (2, 3)


def test_lines_show_what_was_entered_and_what_had_closed_before() -> None:
    lines = sheet_lines(view(played(HOLLYWOOD, (A, 60), (A, 60), (B, 20)), None))
    assert [[entry is not None for entry in line.entries] for line in lines] == [
        [True, False, False],
        [True, True, False],
        [False, True, False],
    ]
    assert [line.shut for line in lines] == [
        (False, False, False),
        (False, False, False),
        (True, False, False),
    ]


def test_the_games_that_a_hand_closed_are_known() -> None:
    match = played(HOLLYWOOD, (A, 60), (A, 60), (A, 60))
    closing = [closed_by(match.sheet, [result]) for result in match.results]
    assert closing == [(), (0,), (1,)]


def test_who_sat_out_stands_on_each_line_of_a_rotation_void_hands_too() -> None:
    rotation = Rules(scoring=Scoring.ROTATION)
    match = table.void(played(rotation, (A, 30)))
    match = table.won(match, C, 20)
    assert [line.out for line in sheet_lines(view(match, None))] == [C, A, A]


def test_pages_hold_so_many_hands_and_out_of_range_is_the_nearest() -> None:
    match = table.started(Rules(target=1000))
    for number in range(HANDS_A_PAGE + 1):
        match = table.won(match, (A, B)[number % 2], 20)
    seen = view(match, None)
    assert [len(sheet_page_of(seen, page).lines) for page in (0, 1)] == [HANDS_A_PAGE, 1]
    assert sheet_page_of(seen, None).number == sheet_page_of(seen, 99).number == 1
    assert sheet_page_of(seen, -3).number == 0
    assert sheet_page_of(seen, None).is_last
    assert sheet_page_of(view(table.started(), None), None).lines == ()
