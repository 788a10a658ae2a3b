"""The end of a match in words, every number explained; expected values worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from bot.ui.matchend import match_over
from bot.ui.pages import panel_page, table_page
from bot.ui.results import final_line
from gin import Cancel, Match, Resign, Rules, Seat, view
from gin.rules import BoxTiming, Scoring, Shutout, Winner
from tests.bot.ui.limits_check import check_page
from tests.bot.ui.staging import AWKWARD_NAMES, named, shown, text
from tests.gin import table

A, B, C = Seat.A, Seat.B, Seat.C
NAMES = ("Ann", "Bob", "Cat")
ROTATION = Rules(scoring=Scoring.ROTATION)
HOLLYWOOD = Rules(scoring=Scoring.HOLLYWOOD)


def played(rules: Rules, *wins: tuple[Seat, int]) -> Match:
    match = table.started(rules)
    for winner, points in wins:
        match = table.won(match, winner, points)
    return match


def end(match: Match) -> list[str]:
    return match_over(view(match, None), NAMES[: match.rules.players]).splitlines()


# ------------------------------------------------------------------------- in a single line


def test_a_match_that_is_over_is_told_in_a_line_by_what_it_came_to() -> None:
    # Ann won two hands of 60: 120 + 100 + 50 = 270. Bob won three of 30: 90 + 75 = 165.
    match = played(Rules(), (B, 30), (A, 60), (B, 30), (B, 30), (A, 60))
    assert final_line(view(match, None), NAMES[:2]) == "Ann **270** – **165** Bob"
    by_games = played(HOLLYWOOD, (A, 60), (B, 30)).after(Resign(B))
    ended = view(by_games, None)
    assert ended.outcome is not None
    ann, bob = ended.outcome.totals
    assert final_line(ended, NAMES[:2]) == f"Ann **{ann}** – **{bob}** Bob"
    three = played(ROTATION, (A, 60), (B, 30), (A, 60))
    assert final_line(view(three, None), NAMES) == "Ann **270** · Bob **55** · Cat **0**"


def test_a_match_that_runs_or_was_called_off_is_told_by_its_score() -> None:
    running = played(Rules(), (B, 30))
    for match in (running, running.after(Cancel())):
        assert final_line(view(match, None), NAMES[:2]) == "Ann **0** – **30** Bob"


# ------------------------------------------------------------------------------ rotation

# Hand 1 is played by A and B, hand 2 by B and C, hand 3 by C and A, and so on.


def test_three_players_are_placed_with_every_total_explained() -> None:
    # A 60 + 60 + 100 + 2 boxes; B 30 and a box; C nothing.
    assert end(played(ROTATION, (A, 60), (B, 30), (A, 60))) == [
        "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes = **270**",
        "Bob: 30 in hands + 25 for 1 box = **55**",
        "Cat: **0** in hands",
        "**1.** Ann 270 · **2.** Bob 55 · **3.** Cat 0",
    ]


def test_who_reached_the_target_of_a_rotation_and_was_overtaken_is_told() -> None:
    # Ann has 60 in one hand and a box of 80; Bob 20 and 20 in two, and two boxes.
    rules = replace(ROTATION, target=60, game_bonus=0, box_bonus=80)
    assert end(played(rules, (B, 20), (B, 20), (A, 60)))[-2:] == [
        "**1.** Bob 200 · **2.** Ann 140 · **3.** Cat 0",
        "Ann reached the target, but Bob's total is higher.",
    ]


def test_level_totals_are_settled_by_hands_won() -> None:
    # Bob won hands of 20 and 25: 45 + 50 = 95. Cat won one of 70: 70 + 25 = 95.
    match = played(ROTATION, (B, 20), (C, 70), (A, 10), (B, 25)).after(Resign(A))
    assert end(match)[0] == "Ann resigned, and so is last."
    assert end(match)[-2:] == [
        "**1.** Bob 95 · **2.** Cat 95 · **3.** Ann 35",
        "Level totals: hands won Bob 2, Cat 1.",
    ]


def test_still_level_the_points_against_each_other_count() -> None:
    # Bob took 20 off Cat, Cat took 20 off Ann: 45 each, with one hand won each.
    match = played(ROTATION, (A, 60), (B, 20), (C, 20), (A, 60))
    assert end(match)[-3:] == [
        "**1.** Ann 270 · **2.** Bob 45 · **3.** Cat 45",
        "Level totals: hands won Bob 1, Cat 1.",
        "Level in hands won too: against each other Bob 20, Cat 0.",
    ]


def test_a_place_can_be_shared() -> None:
    # Nobody has won a hand when Ann resigns: nothing tells Bob and Cat apart.
    match = table.started(ROTATION).after(table.stacked()).after(Resign(A))
    assert end(match)[-3:] == [
        "**1.** Bob 0 · **1.** Cat 0 · **3.** Ann 0",
        "Level totals: hands won Bob 0, Cat 0.",
        "Level in hands won too: against each other Bob 0, Cat 0. Bob and Cat share the place.",
    ]


def test_the_first_to_the_target_may_be_first_whatever_the_totals() -> None:
    rules = Rules(scoring=Scoring.ROTATION, winner=Winner.FIRST_TO_TARGET)
    said = end(played(rules, (A, 60), (B, 30), (A, 60)))
    assert said[-1] == "Ann got to the target first, and so is first; the others by their totals."


def test_the_winner_of_a_rotation_is_told_to_all_three() -> None:
    match = played(ROTATION, (A, 60), (B, 30), (A, 60))
    for seat in (A, B, C):
        said = text(panel_page(shown(match, seat)))
        assert "Ann wins the match!" in said
        assert "**1.** Ann 270 · **2.** Bob 55 · **3.** Cat 0" in said


# -------------------------------------------------------------------------------- shutout


def test_who_reached_the_target_may_be_overtaken_by_boxes_and_the_page_says_so() -> None:
    match = table.started(Rules(target=50, game_bonus=0))
    for winner, points in ((B, 20), (B, 25), (A, 50)):
        match = table.won(match, winner, points)
    # Ann: 50 and one box of 25 = 75. Bob: 45 and two boxes = 95.
    said = match_over(view(match, None), ("Ann", "Bob"))
    assert said.endswith("Ann reached the target, but Bob's total is higher.")


def test_a_shutout_that_doubles_is_an_amount_of_its_own() -> None:
    # 120 + 100 + 50 = 270, and 270 again.
    said = end(played(Rules(shutout=Shutout.DOUBLE), (A, 60), (A, 60)))
    assert said[0] == (
        "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes + 270 for the shutout, "
        "which doubles it = **540**"
    )


def test_boxes_added_at_once_still_stand_in_the_sum() -> None:
    rules = Rules(box_timing=BoxTiming.AT_ONCE)
    assert end(played(rules, (A, 60), (A, 60)))[0] == (
        "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes, added at once = **270**"
    )


# ------------------------------------------------------------------------------ Hollywood


def test_each_of_three_games_is_settled_with_who_closed_and_who_won_it() -> None:
    # Game 1: Bob 30 + 30 + 30, then Ann closes it with 60 + 60. Game 2: Bob 30 + 30, Ann 60.
    match = played(HOLLYWOOD, (B, 30), (B, 30), (B, 30), (A, 60), (A, 60))
    said = match_over(view(match.after(Resign(B)), None), NAMES[:2])
    # Ann in game 1: 60 + 60 = 120, 100, 2 boxes: 270. Bob: 90 and 3 boxes: 165.
    assert "**Game 1, closed and won by Ann**" in said
    assert "Ann: 120 in hands + 100 game bonus + 50 for 2 boxes = **270**" in said
    assert "Bob: 90 in hands + 75 for 3 boxes = **165**" in said
    assert "**Game 2, as it stood**" in said
    assert "Bob: 60 in hands + 50 for 2 boxes = **110**" in said
    assert "**Game 3, as it stood**" in said
    # 270 + 85 + 0 and 165 + 110 + 55.
    assert "Together: Ann **355**, Bob **330**." in said
    assert said.splitlines()[0] == "Bob resigned."
    assert said.splitlines()[-1] == "Ann wins, whatever the totals."


def test_a_game_may_be_closed_by_one_and_won_by_the_other() -> None:
    # Ann reaches the target, Bob has many more boxes.
    rules = Rules(scoring=Scoring.HOLLYWOOD, game_bonus=0, gin_bonus=0)
    match = played(rules, *[(B, 10)] * 9, (A, 60), (A, 60))
    said = match_over(view(match.after(Resign(A)), None), NAMES[:2])
    # Ann: 120 + 2 boxes = 170; Bob: 90 + 9 boxes = 315.
    assert "**Game 1, closed by Ann, won by Bob**" in said
    assert "Ann: 120 in hands + 50 for 2 boxes = **170**" in said
    assert "Bob: 90 in hands + 225 for 9 boxes = **315**" in said


def test_the_end_keeps_the_limits_with_any_names() -> None:
    matches = [
        played(HOLLYWOOD, (A, 60), (A, 60), (A, 60), (A, 60)),
        played(ROTATION, (A, 60), (B, 20), (C, 20), (A, 60)),
    ]
    for match in matches:
        assert match.outcome is not None
        for name in AWKWARD_NAMES.values():
            page = table_page(shown(match, people=named(name)))
            check_page(page)
            assert "`/gin verify`" in text(page)
