"""Hollywood sheets worked out by hand, entry by entry."""

from dataclasses import replace

import pytest

from gin.actions import Seat
from gin.deciding import decide
from gin.events import Resign
from gin.match import Match
from gin.results import Decision, MatchOutcome, Reason
from gin.rules import BoxTiming, Rules, Scoring, Shutout, Winner
from gin.sheet import Settlement, Sheet
from tests.gin.table import A, B, play, stacked, started, undercut, void, won

HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)


def after_hands(rules: Rules, *hands: tuple[Seat, int]) -> Match:
    match = started(rules)
    for winner, points in hands:
        match = won(match, winner, points)
    return match


def points(match: Match) -> list[tuple[int, ...]]:
    """The points of A and B in games 1, 2 and 3."""
    return [game.points for game in match.sheet.games]


def closed_by(match: Match) -> list[Seat | None]:
    return [game.scorer for game in match.sheet.games]


def outcome(match: Match) -> MatchOutcome:
    assert match.outcome is not None
    return match.outcome


def settlement(match: Match, game: int) -> tuple[Settlement, ...]:
    settled = match.sheet.games[game - 1].settlement
    assert settled is not None
    return settled


def totals(match: Match) -> list[tuple[int, ...]]:
    return [tuple(line.total for line in settlement(match, game)) for game in (1, 2, 3)]


def test_the_first_win_goes_to_game_1_the_second_to_two_games_later_ones_to_all_three() -> None:
    match = started(HOLLYWOOD)
    seen = []
    for winner, value in ((A, 18), (B, 12), (A, 25), (B, 30), (A, 15), (A, 22), (B, 20)):
        match = won(match, winner, value)
        seen.append(points(match))
    assert seen == [
        #   game 1    game 2    game 3
        [(18, 0), (0, 0), (0, 0)],
        [(18, 12), (0, 0), (0, 0)],
        [(43, 12), (25, 0), (0, 0)],
        [(43, 42), (25, 30), (0, 0)],
        [(58, 42), (40, 30), (15, 0)],
        [(80, 42), (62, 30), (37, 0)],
        [(80, 62), (62, 50), (37, 20)],
    ]
    assert closed_by(match) == [None, None, None]
    assert match.sheet.totals == (80 + 62 + 37, 62 + 50 + 20)
    assert match.outcome is None


# B is shut out of all three games. Two of them are closed by the last hand.
#
#            game 1        game 2        game 3
#   A 40     40
#   A 35     75            35
#   A 30     105 closed    65            30
#   A 25                   90            55
#   A 45                   135 closed    100 closed
SHUT_OUT = ((A, 40), (A, 35), (A, 30), (A, 25), (A, 45))


def test_a_game_closes_when_a_player_reaches_the_target_in_it_and_takes_nothing_more() -> None:
    match = after_hands(HOLLYWOOD, *SHUT_OUT[:4])
    assert closed_by(match) == [A, None, None]
    assert points(match) == [(105, 0), (90, 0), (55, 0)]
    assert settlement(match, 1)[0] == Settlement(A, 105, 100, 3, 75, 0, 280)
    assert match.sheet.totals == (280 + 90 + 55, 0)


@pytest.mark.parametrize(
    ("shutout", "expected"),
    [
        (Shutout.NONE, [280, 335, 275]),
        (Shutout.DOUBLE, [560, 670, 550]),
        (Shutout.PLUS_100, [380, 435, 375]),
    ],
)
def test_a_player_shut_out_of_all_three_games(shutout: Shutout, expected: list[int]) -> None:
    #   105 + 100 + 3 x 25 = 280 · 135 + 100 + 4 x 25 = 335 · 100 + 100 + 3 x 25 = 275
    match = after_hands(replace(HOLLYWOOD, shutout=shutout), *SHUT_OUT)
    assert points(match) == [(105, 0), (135, 0), (100, 0)]
    assert closed_by(match) == [A, A, A]
    assert totals(match) == [(total, 0) for total in expected]
    assert match.sheet.totals == (sum(expected), 0)
    assert outcome(match).winner is A
    assert match.needs is None


# B opens game 2 first, since game 1 is closed. A void hand lies between, and an undercut closes
# the last game.
#
#   hand          game 1         game 2          game 3
#   1 A 50        A 50
#   2 A 50        A 100 closed   A 50
#   3 B 30                       B 30
#   4 B 20                       B 50            B 20
#   5 B 10                       B 60            B 30
#   6 A 45                       A 95            A 45
#   7 void
#   8 B 40                       B 100 closed    B 70
#   9 A 20                                       A 65
#  10 B 30 (undercut)                            B 100 closed
BOTH = ((A, 50), (A, 50), (B, 30), (B, 20), (B, 10), (A, 45))


def both_close(rules: Rules) -> Match:
    match = void(after_hands(rules, *BOTH))
    match = won(won(match, B, 40), A, 20)
    return undercut(match, B, 30)


def test_a_player_shut_out_of_game_1_opens_the_next_running_game_instead() -> None:
    match = after_hands(HOLLYWOOD, *BOTH[:3])
    assert points(match) == [(100, 0), (50, 30), (0, 0)]
    assert [game.opened for game in match.sheet.games] == [
        (True, False),
        (True, True),
        (False, False),
    ]
    assert points(won(match, B, 20)) == [(100, 0), (50, 50), (0, 20)]


def test_a_sheet_on_which_each_player_closes_a_game() -> None:
    match = both_close(HOLLYWOOD)
    assert points(match) == [(100, 0), (95, 100), (65, 100)]
    assert closed_by(match) == [A, B, B]
    assert [game.winner for game in match.sheet.games] == [A, B, B]
    assert settlement(match, 1) == (
        Settlement(A, 100, 100, 2, 50, 0, 250),
        Settlement(B, 0, 0, 0, 0, 0, 0),
    )
    assert settlement(match, 2) == (
        Settlement(A, 95, 0, 2, 50, 0, 145),
        Settlement(B, 100, 100, 4, 100, 0, 300),
    )
    assert settlement(match, 3) == (
        Settlement(A, 65, 0, 2, 50, 0, 115),
        Settlement(B, 100, 100, 4, 100, 0, 300),
    )
    assert match.sheet.totals == (510, 600)
    assert outcome(match) == MatchOutcome(
        reason=Reason.PLAYED_OUT,
        winner=B,
        places=(2, 1),
        totals=(510, 600),
        decided_by=Decision.TOTAL,
        points=(165, 130),
        hands_won=(4, 5),
        hands_played=(9, 9),
    )


def test_the_entries_of_that_sheet_name_their_hands() -> None:
    match = both_close(HOLLYWOOD)
    assert [
        [(one.hand, one.seat, one.running) for one in game.entries] for game in match.sheet.games
    ] == [
        [(1, A, 50), (2, A, 100)],
        [(2, A, 50), (3, B, 30), (4, B, 50), (5, B, 60), (6, A, 95), (8, B, 100)],
        [(4, B, 20), (5, B, 30), (6, A, 45), (8, B, 70), (9, A, 65), (10, B, 100)],
    ]


def test_a_void_hand_enters_nothing_and_counts_as_no_win() -> None:
    before = after_hands(HOLLYWOOD, (A, 18))
    match = void(before)
    assert match.sheet == before.sheet
    assert points(won(match, A, 25)) == [(43, 0), (25, 0), (0, 0)]


def test_a_shutout_in_one_game_may_turn_the_match() -> None:
    #   A's 250 in game 1 doubled: 500 + 145 + 115 = 760 to 600
    match = both_close(replace(HOLLYWOOD, shutout=Shutout.DOUBLE))
    assert totals(match) == [(500, 0), (145, 300), (115, 300)]
    assert outcome(match).winner is A
    assert outcome(match).decided_by is Decision.TOTAL


def test_the_house_may_give_the_match_to_who_closed_two_games() -> None:
    rules = replace(HOLLYWOOD, shutout=Shutout.DOUBLE, winner=Winner.FIRST_TO_TARGET)
    match = both_close(rules)
    assert match.sheet.totals == (760, 600)
    assert (outcome(match).winner, outcome(match).places) == (B, (2, 1))
    assert outcome(match).decided_by is Decision.FIRST_TO_TARGET


# All three games are closed by one hand, in which A goes gin for 90.
#
#            game 1         game 2         game 3
#   A 20     A 20
#   B 15     B 15
#   A 20     A 40           A 20
#   B 25     B 40           B 25
#   A 10     A 50           A 30           A 10
#   A 90     A 140 closed   A 120 closed   A 100 closed
ALL_AT_ONCE = ((A, 20), (B, 15), (A, 20), (B, 25), (A, 10))


def test_all_three_games_may_be_closed_by_one_hand() -> None:
    before = after_hands(HOLLYWOOD, *ALL_AT_ONCE)
    assert closed_by(before) == [None, None, None]
    match = won(before, A, 90)
    assert points(match) == [(140, 40), (120, 25), (100, 0)]
    assert closed_by(match) == [A, A, A]
    #   140 + 100 + 4 x 25 · 120 + 100 + 3 x 25 · 100 + 100 + 2 x 25; B 40 + 50 · 25 + 25 · 0
    assert totals(match) == [(340, 90), (295, 50), (250, 0)]
    assert match.sheet.totals == (885, 140)
    assert outcome(match).winner is A


def test_a_shutout_is_counted_in_each_game_by_itself() -> None:
    rules = replace(HOLLYWOOD, shutout=Shutout.PLUS_100)
    match = won(after_hands(rules, *ALL_AT_ONCE), A, 90)
    assert totals(match) == [(340, 90), (295, 50), (350, 0)]


def test_when_two_games_are_closed_a_win_is_entered_in_the_third_only() -> None:
    #   A 60, 60 closes game 1 with 120; 60 closes game 2 with 120 and opens game 3
    match = after_hands(HOLLYWOOD, (A, 60), (A, 60), (A, 40))
    assert closed_by(match) == [A, A, None]
    assert points(match) == [(120, 0), (100, 0), (40, 0)]
    after = won(match, A, 30)
    assert points(after) == [(120, 0), (100, 0), (70, 0)]
    assert after.outcome is None
    assert points(won(after, B, 30)) == [(120, 0), (100, 0), (70, 30)]
    assert won(after, A, 30).outcome is not None


def test_boxes_added_at_once_are_added_with_each_entry_in_each_game() -> None:
    #   A 30 + 25 · A 30 + 25 in games 1 and 2: game 1 closes with 110
    rules = replace(HOLLYWOOD, box_timing=BoxTiming.AT_ONCE)
    match = after_hands(rules, (A, 30), (B, 10), (A, 30))
    assert points(match) == [(110, 35), (55, 0), (0, 0)]
    assert settlement(match, 1) == (
        Settlement(A, 60, 100, 2, 50, 0, 210),
        Settlement(B, 10, 0, 1, 25, 0, 35),
    )


def test_level_sums_go_to_who_closed_more_games() -> None:
    #   without bonus and boxes, to 50:
    #     A 50: game 1 closed · B 40: game 2 · B 20: game 2 closed with 60, game 3 · B 20: game 3
    #     A 50: game 3 closed. A 50 + 0 + 50 = 100, B 0 + 60 + 40 = 100
    rules = replace(HOLLYWOOD, target=50, game_bonus=0, box_bonus=0)
    match = after_hands(rules, (A, 50), (B, 40), (B, 20), (B, 20), (A, 50))
    assert match.sheet.totals == (100, 100)
    assert closed_by(match) == [A, B, A]
    assert (outcome(match).winner, outcome(match).decided_by) == (A, Decision.GAMES_CLOSED)


def test_level_in_sums_and_games_the_hands_won_decide_and_else_it_is_drawn() -> None:
    match = after_hands(HOLLYWOOD, (A, 20), (B, 10), (B, 10))
    level = Sheet(games=started(HOLLYWOOD).sheet.games, totals=(300, 300))
    more_hands = decide(HOLLYWOOD, level, match.results, Reason.PLAYED_OUT)
    assert (more_hands.winner, more_hands.decided_by) == (B, Decision.HANDS_WON)
    drawn = decide(HOLLYWOOD, level, match.results[:2], Reason.PLAYED_OUT)
    assert (drawn.winner, drawn.places, drawn.decided_by) == (None, (1, 1), Decision.LEVEL)


def test_running_games_settle_without_a_bonus_when_a_player_resigns() -> None:
    #   game 1 is closed: A 250. Game 2: A 95 + 2 boxes, B 60 + 3; game 3: A 45 + 1, B 30 + 2
    match = after_hands(HOLLYWOOD, *BOTH).after(Resign(A))
    assert totals(match) == [(250, 0), (145, 135), (70, 80)]
    assert match.sheet.totals == (465, 215)
    assert (outcome(match).winner, outcome(match).places) == (B, (2, 1))
    assert [game.scorer for game in match.sheet.games] == [A, None, None]
    assert [game.winner for game in match.sheet.games] == [A, None, None]


def test_a_knock_scored_at_a_resignation_is_entered_in_every_running_game() -> None:
    #   20 more for A: game 2 closes with 115, game 3 stands at 65
    match = after_hands(HOLLYWOOD, *BOTH)
    knocker, defender = "4H 5H 6H 9S 9D 9C JC QC KC 5D", "2C 3C 4C 7S 7D 7H KS 8D 6C AS"
    match = play(
        match.after(stacked(knocker, defender, "TS", "KD")),
        *("A pass", "B pass", "A draw stock", "A knock KD 4H5H6H/9S9D9C/JCQCKC", "B resign"),
    )
    assert points(match) == [(100, 0), (115, 60), (65, 30)]
    #   game 2: A 115 + 100 + 3 x 25; game 3: A 65 + 2 x 25
    assert totals(match) == [(250, 0), (290, 135), (115, 80)]
