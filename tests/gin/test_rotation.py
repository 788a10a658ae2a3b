"""Rotations of three players, worked out by hand.

A deals hand 1 to B, B deals hand 2 to C, C deals hand 3 to A, and so on; the third sits out.
"""

from dataclasses import replace

import pytest

from gin.actions import Pass, Seat
from gin.cut import CutRound
from gin.errors import NotYourTurn
from gin.events import Cut, Play, Resign
from gin.match import Match
from gin.results import Decision, Ending, MatchOutcome, Reason
from gin.rules import BoxTiming, Rules, Scoring, Winner
from gin.sheet import Settlement
from tests.gin.table import A, B, C, cards, play, stacked, started, void, won

ROTATION = Rules(scoring=Scoring.ROTATION)
FINISH = replace(ROTATION, finish_rotation=True)


def after_hands(rules: Rules, *hands: tuple[Seat, int]) -> Match:
    match = started(rules)
    for winner, points in hands:
        match = won(match, winner, points)
    return match


def outcome(match: Match) -> MatchOutcome:
    assert match.outcome is not None
    return match.outcome


def settlement(match: Match) -> tuple[Settlement, ...]:
    settled = match.sheet.games[0].settlement
    assert settled is not None
    return settled


def out_and_dealer(match: Match) -> tuple[Seat | None, Seat]:
    pairing = match.next_pairing
    assert pairing is not None
    return pairing.out, pairing.dealer


def test_the_seats_are_drawn_by_cut_the_highest_at_a() -> None:
    match = Match.start(ROTATION).after(Cut(cards("4D KS 9H")))
    assert match.order == (1, 2, 0)
    four, king, nine = cards("4D KS 9H")
    assert match.cut == (CutRound(((C, four), (A, king), (B, nine))),)
    assert match.first_dealer is A


def test_level_players_cut_again_for_their_seats() -> None:
    match = Match.start(ROTATION).after(Cut(cards("KS 9H 9D 3C 4C")))
    assert match.order == (0, 2, 1)
    nine, other = cards("9H 9D")
    three, four = cards("3C 4C")
    assert match.cut[0].cards[1:] == ((C, nine), (B, other))
    assert match.cut[1] == CutRound(((C, three), (B, four)))


def test_c_sits_out_first_then_a_then_b_whatever_the_results() -> None:
    for winners in ((A, B, C, A), (B, C, A, B)):
        match = started(ROTATION)
        seen = [out_and_dealer(match)]
        for winner in winners:
            match = won(match, winner, 10)
            seen.append(out_and_dealer(match))
        assert seen == [(C, A), (A, B), (B, C), (C, A), (A, B)]
        assert [result.players for result in match.results] == [(B, A), (C, B), (A, C), (B, A)]


def test_a_void_hand_is_dealt_again_by_the_same_dealer_to_the_same_pair() -> None:
    match = void(won(started(ROTATION), A, 10))
    assert match.results[-1].players == (C, B)
    assert out_and_dealer(match) == (A, B)
    assert out_and_dealer(void(match)) == (A, B)
    assert out_and_dealer(won(match, C, 10)) == (B, C)


def test_the_player_who_sits_out_may_not_act_but_may_resign() -> None:
    match = started(ROTATION).after(stacked())
    with pytest.raises(NotYourTurn):
        match.after(Play(C, Pass()))
    assert outcome(match.after(Resign(C))).gave_up is C


# The target is reached in the third hand of a cycle; a void hand lies between.
#
#   hand  pair   winner   A     B     C
#   1     A B    A 40     40
#   2     B C    B 30           30
#   3     C A    C 35                 35
#   4     A B    A 25     65
#   5     B C    void
#   6     B C    C 50                 85
#   7     C A    A 40     105
def test_a_rotation_with_a_void_hand() -> None:
    match = void(after_hands(ROTATION, (A, 40), (B, 30), (C, 35), (A, 25)))
    match = won(match, C, 50)
    assert match.sheet.totals == (65, 30, 85)
    assert match.outcome is None
    match = won(match, A, 40)
    assert settlement(match) == (
        Settlement(A, 105, 100, 3, 75, 0, 280),
        Settlement(B, 30, 0, 1, 25, 0, 55),
        Settlement(C, 85, 0, 2, 50, 0, 135),
    )
    assert outcome(match) == MatchOutcome(
        reason=Reason.PLAYED_OUT,
        winner=A,
        places=(1, 3, 2),
        totals=(280, 55, 135),
        decided_by=Decision.TOTAL,
        points=(105, 30, 85),
        hands_won=(3, 1, 2),
        hands_played=(4, 4, 4),
    )


FIRST_OF_CYCLE = ((A, 60), (B, 10), (A, 20), (A, 25))
"""A has 105 after hand 4."""
SECOND_OF_CYCLE = ((B, 60), (B, 50))
"""B has 110 after hand 2."""
THIRD_OF_CYCLE = ((A, 30), (C, 40), (C, 60))
"""C has 100 after hand 3."""


@pytest.mark.parametrize(
    ("hands", "winner", "totals"),
    [
        (FIRST_OF_CYCLE, A, (105 + 100 + 75, 10 + 25, 0)),
        (SECOND_OF_CYCLE, B, (0, 110 + 100 + 50, 0)),
        (THIRD_OF_CYCLE, C, (30 + 25, 0, 100 + 100 + 50)),
    ],
)
def test_the_match_ends_at_once_at_each_place_in_the_cycle(
    hands: tuple[tuple[Seat, int], ...], winner: Seat, totals: tuple[int, ...]
) -> None:
    assert after_hands(ROTATION, *hands[:-1]).outcome is None
    match = after_hands(ROTATION, *hands)
    assert outcome(match).winner is winner
    assert match.sheet.totals == totals


@pytest.mark.parametrize(
    ("hands", "rest"),
    [
        (FIRST_OF_CYCLE, ((C, 20), (A, 5))),
        (SECOND_OF_CYCLE, ((A, 5),)),
        (THIRD_OF_CYCLE, ()),
    ],
)
def test_the_cycle_may_be_finished_first(
    hands: tuple[tuple[Seat, int], ...], rest: tuple[tuple[Seat, int], ...]
) -> None:
    match = after_hands(FINISH, *hands)
    for winner, points in rest:
        assert match.outcome is None
        match = won(match, winner, points)
    assert outcome(match).reason is Reason.PLAYED_OUT


def test_a_void_hand_does_not_finish_the_cycle() -> None:
    match = void(after_hands(FINISH, *SECOND_OF_CYCLE))
    assert match.outcome is None
    assert out_and_dealer(match) == (B, C)
    assert won(match, A, 5).outcome is not None


def test_the_game_bonus_stays_with_the_first_to_reach_the_target() -> None:
    #   A has 105 after hand 4; C wins 95 and 50 after that: 145
    match = after_hands(FINISH, *FIRST_OF_CYCLE, (C, 95), (C, 50))
    assert match.sheet.games[0].scorer is A
    assert match.sheet.totals == (105 + 100 + 75, 10 + 25, 145 + 50)
    assert outcome(match).places == (1, 3, 2)


def test_the_higher_total_wins_also_against_the_first_to_reach_the_target() -> None:
    #   without a game bonus: A 105 + 75 = 180, C 145 + 50 = 195
    rules = replace(FINISH, game_bonus=0)
    match = after_hands(rules, *FIRST_OF_CYCLE, (C, 95), (C, 50))
    assert match.sheet.totals == (180, 35, 195)
    assert (outcome(match).winner, outcome(match).places) == (C, (2, 3, 1))


def test_the_house_may_put_the_first_to_reach_the_target_first() -> None:
    rules = replace(FINISH, game_bonus=0, winner=Winner.FIRST_TO_TARGET)
    match = after_hands(rules, *FIRST_OF_CYCLE, (C, 95), (C, 50))
    assert match.sheet.totals == (180, 35, 195)
    assert (outcome(match).winner, outcome(match).places) == (A, (1, 3, 2))
    assert outcome(match).decided_by is Decision.FIRST_TO_TARGET


def test_boxes_added_at_once_count_towards_the_target() -> None:
    #   A 50 + 25, B 10 + 25, A 5 + 25 = 105
    rules = replace(ROTATION, box_timing=BoxTiming.AT_ONCE)
    match = after_hands(rules, (A, 50), (B, 10), (A, 5))
    assert settlement(match)[0] == Settlement(A, 55, 100, 2, 50, 0, 205)


# Order of level players


def test_level_totals_are_ordered_by_hands_won() -> None:
    #   to 90: B 75 in one hand: 100, C 30 and 20 in two: 100; A 90
    rules = replace(ROTATION, target=90)
    match = after_hands(rules, (B, 75), (C, 30), (C, 20), (A, 90))
    assert match.sheet.totals == (215, 100, 100)
    assert outcome(match).places == (1, 3, 2)


def test_level_in_hands_too_the_points_scored_against_each_other_decide() -> None:
    #   B 30 from A, 20 from C; C 30 from B, 20 from A
    match = after_hands(ROTATION, (B, 30), (C, 30), (C, 20), (A, 50), (B, 20), (A, 50))
    assert match.sheet.totals == (250, 100, 100)
    assert outcome(match).places == (1, 3, 2)


def test_still_level_they_share_the_place() -> None:
    #   B 20 from A, 30 from C; C 30 from B, 20 from A
    match = after_hands(ROTATION, (B, 20), (C, 30), (C, 20), (A, 50), (B, 30), (A, 50))
    assert match.sheet.totals == (250, 100, 100)
    assert outcome(match).places == (1, 2, 2)
    assert outcome(match).winner is A


BARE = replace(FINISH, target=50, game_bonus=0, box_bonus=0)


@pytest.mark.parametrize(
    ("hands", "winner", "places", "decision"),
    [
        #   A 20 + 30, B 20 + 30; A 30 from B, B 20 from A
        (
            ((B, 20), (C, 5), (A, 20), (A, 30), (B, 30), (C, 5)),
            A,
            (1, 2, 3),
            Decision.HEAD_TO_HEAD,
        ),
        #   A 20 + 30, B 30 + 20; A 30 from B, B 30 from A
        (
            ((B, 30), (C, 5), (A, 20), (A, 30), (B, 20), (C, 5)),
            None,
            (1, 1, 3),
            Decision.LEVEL,
        ),
        #   A 50 in two hands, B 10 + 10 + 30 in three
        (
            ((B, 10), (B, 10), (A, 20), (A, 30), (B, 30), (C, 5)),
            B,
            (2, 1, 3),
            Decision.HANDS_WON,
        ),
    ],
)
def test_what_decided_the_first_place_is_told(
    hands: tuple[tuple[Seat, int], ...],
    winner: Seat | None,
    places: tuple[int, ...],
    decision: Decision,
) -> None:
    match = after_hands(BARE, *hands)
    assert match.sheet.totals[:2] == (50, 50)
    assert outcome(match).winner is winner
    assert outcome(match).places == places
    assert outcome(match).decided_by is decision


def test_three_level_players_are_ordered_by_all_they_scored_against_each_other() -> None:
    #   one hand each of 50: A from B, B from C, C from A: all level
    match = after_hands(BARE, (A, 50), (B, 50), (C, 50))
    assert outcome(match).places == (1, 1, 1)
    assert outcome(match).winner is None


def test_behind_the_first_to_reach_the_target_the_others_are_ordered_among_themselves() -> None:
    #   one hand each of 50: A from B, B from C, C from A; between B and C only B's counts
    rules = replace(BARE, winner=Winner.FIRST_TO_TARGET)
    match = after_hands(rules, (A, 50), (B, 50), (C, 50))
    assert match.sheet.totals == (50, 50, 50)
    assert outcome(match).places == (1, 2, 3)


# Withdrawal


def test_who_resigns_is_last_and_the_others_are_ordered_by_total() -> None:
    match = after_hands(ROTATION, (A, 40), (B, 30)).after(stacked()).after(Resign(B))
    assert match.results[-1].ending is Ending.ABANDONED
    assert match.sheet.totals == (65, 55, 0)
    assert (outcome(match).winner, outcome(match).places) == (A, (1, 3, 2))
    assert outcome(match).reason is Reason.RESIGNED
    assert settlement(match)[1] == Settlement(B, 30, 0, 1, 25, 0, 55)


def test_the_leader_who_resigns_is_last_too() -> None:
    match = after_hands(ROTATION, (A, 60), (B, 30)).after(Resign(A))
    assert (outcome(match).winner, outcome(match).places) == (B, (3, 1, 2))


def test_the_two_who_stay_may_share_the_first_place() -> None:
    match = after_hands(ROTATION, (A, 30), (B, 10), (A, 10), (B, 30)).after(Resign(C))
    assert (outcome(match).winner, outcome(match).places) == (None, (1, 1, 3))
    assert outcome(match).decided_by is Decision.LEVEL
    #   A 30 from B, B 30 from C only
    match = after_hands(ROTATION, (A, 30), (B, 30)).after(Resign(C))
    assert (outcome(match).winner, outcome(match).places) == (A, (1, 2, 3))
    assert outcome(match).decided_by is Decision.HEAD_TO_HEAD


def test_the_bonus_that_was_earned_stands_when_another_withdraws_before_the_cycle_ends() -> None:
    match = after_hands(FINISH, *FIRST_OF_CYCLE).after(stacked()).after(Resign(B))
    assert match.sheet.totals == (280, 35, 0)
    assert outcome(match).places == (1, 3, 2)


def test_who_reached_the_target_and_resigns_keeps_the_bonus_and_is_last() -> None:
    for rules in (FINISH, replace(FINISH, winner=Winner.FIRST_TO_TARGET)):
        match = after_hands(rules, *FIRST_OF_CYCLE).after(Resign(A))
        assert match.sheet.totals == (280, 35, 0)
        assert (outcome(match).winner, outcome(match).places) == (B, (3, 1, 2))
        assert outcome(match).decided_by is Decision.TOTAL


def test_a_knock_is_scored_when_the_player_who_sits_out_resigns() -> None:
    knocker, defender = "4H 5H 6H 9S 9D 9C JC QC KC 5D", "2C 3C 4C 7S 7D 7H KS 8D 6C AS"
    match = play(
        started(ROTATION).after(stacked(knocker, defender, "TS", "KD")),
        *("B pass", "A pass", "B draw stock", "B knock KD 4H5H6H/9S9D9C/JCQCKC", "C resign"),
    )
    assert match.sheet.totals == (0, 45, 0)
    assert outcome(match).places == (2, 1, 3)
