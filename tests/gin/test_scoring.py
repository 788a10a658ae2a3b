from dataclasses import replace

import pytest

from gin.cards import Card
from gin.hand import Hand, abandon
from gin.results import Ending, HandResult
from gin.rules import OKLAHOMA, STRAIGHT, OklahomaAce, Rules, SpadesDouble, Tie
from gin.scoring import factors, knock_limit
from tests.gin.table import (
    DEFENDER,
    KNOCKER,
    PASSES,
    PLAIN,
    SPREAD,
    A,
    B,
    act,
    cards,
    dealt,
    melds,
    result,
)

# A knocks KNOCKER with 5D loose. Against each of these hands of B, with all laid off that he lays:
#   2C 3C 4C · 7S 7D 7H · KS 8D 6C AS loose: 25
#   2C 3C 4C · 7S 7D 7H · QS QD QH · 4S loose: 4 (an undercut by one)
#   2C 3C 4C · 7S 7D 7H · QS QD QH · 5S loose: 5 (a tie)
UNDERCUTS = ("2C 3C 4C 7S 7D 7H QS QD QH 4S", "layoff 2C3C4C/7S7D7H/QSQDQH -")
TIES = ("2C 3C 4C 7S 7D 7H QS QD QH 5S", "layoff 2C3C4C/7S7D7H/QSQDQH -")
LOSES = (DEFENDER, "layoff 2C3C4C/7S7D7H -")


def knocked(defence: tuple[str, str], rules: Rules = PLAIN, starter: str = "TS") -> HandResult:
    hand = dealt(KNOCKER, defence[0], starter, "KD", rules)
    return result(act(hand, *PASSES, "draw stock", f"knock KD {SPREAD}", defence[1]))


GIN_HAND = "3H 4H 5H 6H 9S 9D 9C JC QC KC"
GIN_SPREAD = "3H4H5H6H/9S9D9C/JCQCKC"


def gin(rules: Rules = PLAIN, starter: str = "TS") -> HandResult:
    """Gin against DEFENDER, who holds 25."""
    hand = act(dealt(GIN_HAND, DEFENDER, starter, "KD", rules), *PASSES, "draw stock")
    return result(act(hand, f"knock KD {GIN_SPREAD}"))


def big_gin(rules: Rules, starter: str = "TS") -> HandResult:
    hand = act(dealt(GIN_HAND, DEFENDER, starter, "9H", rules), *PASSES, "draw stock")
    return result(act(hand, "big-gin 3H4H5H6H/9S9H9D9C/JCQCKC"))


def told(one: HandResult) -> tuple[Ending, object, int, int, int]:
    return one.ending, one.winner, one.difference, one.bonus, one.points


def test_the_knocker_with_less_deadwood_scores_the_difference() -> None:
    one = knocked(LOSES)
    assert told(one) == (Ending.KNOCK, A, 20, 0, 20)
    assert (one.knocker, one.defender, one.loser) == (A, B, B)
    assert one.knocker_melds == melds("4H5H6H", "9S9D9C", "JCQCKC")
    assert one.knocker_deadwood == cards("5D")
    assert one.knock_discard == cards("KD")[0]
    assert one.defender_melds == melds("2C3C4C", "7S7D7H")
    assert set(one.defender_deadwood) == set(cards("KS 8D 6C AS"))


def test_a_defender_who_declares_badly_is_scored_as_he_declared() -> None:
    #   all of 2 3 4 C, 7 7 7, K, 8, 6, A loose: 9 + 21 + 25 = 55, less 5
    assert told(knocked((DEFENDER, "layoff -"))) == (Ending.KNOCK, A, 50, 0, 50)


def test_a_defender_with_less_deadwood_undercuts_for_the_difference_and_the_bonus() -> None:
    assert told(knocked(UNDERCUTS)) == (Ending.UNDERCUT, B, 1, 25, 26)
    assert told(knocked(UNDERCUTS, Rules(undercut_bonus=10))) == (Ending.UNDERCUT, B, 1, 10, 11)


def test_a_tie_is_an_undercut() -> None:
    assert told(knocked(TIES)) == (Ending.UNDERCUT, B, 0, 25, 25)


def test_a_tie_may_be_a_void_hand() -> None:
    one = knocked(TIES, Rules(tie=Tie.DRAW))
    assert told(one) == (Ending.TIE_DRAWN, None, 0, 0, 0)
    assert one.ending.is_void
    assert (one.knocker, one.loser) == (A, None)


def test_a_tie_may_win_the_defender_the_hand_without_points() -> None:
    one = knocked(TIES, Rules(tie=Tie.NO_BONUS))
    assert told(one) == (Ending.TIE_NO_BONUS, B, 0, 0, 0)
    assert not one.ending.is_void


def test_the_tie_option_leaves_a_real_undercut_alone() -> None:
    for tie in Tie:
        assert told(knocked(UNDERCUTS, Rules(tie=tie))) == (Ending.UNDERCUT, B, 1, 25, 26)


def test_gin_scores_the_defenders_deadwood_and_the_bonus() -> None:
    assert told(gin()) == (Ending.GIN, A, 25, 25, 50)
    assert told(gin(Rules(gin_bonus=0))) == (Ending.GIN, A, 25, 0, 25)


def test_after_gin_the_defenders_least_deadwood_counts_and_nothing_is_laid_off() -> None:
    one = gin()
    #   7H would fit 3H 4H 5H 6H
    assert set(one.defender_melds) == set(melds("2C3C4C", "7S7D7H"))
    assert one.laid_off == ()


@pytest.mark.parametrize("tie", list(Tie))
def test_gin_against_a_defender_without_deadwood_wins_the_bonus(tie: Tie) -> None:
    hand = dealt(GIN_HAND, "2C 3C 4C 5C 7S 7D 7H QS QD QH", "TS", "KD", Rules(tie=tie))
    hand = act(hand, *PASSES, "draw stock", f"knock KD {GIN_SPREAD}")
    assert told(result(hand)) == (Ending.GIN, A, 0, 25, 25)


def test_big_gin_replaces_the_gin_bonus_by_the_houses_own() -> None:
    assert told(big_gin(Rules(big_gin=31))) == (Ending.BIG_GIN, A, 25, 31, 56)
    assert told(big_gin(Rules(big_gin=0, gin_bonus=25))) == (Ending.BIG_GIN, A, 25, 0, 25)


def test_straight_gin_scores_as_gin() -> None:
    assert told(gin(STRAIGHT)) == (Ending.GIN, A, 25, 25, 50)


# Oklahoma


@pytest.mark.parametrize(
    ("starter", "limit"),
    [("2D", 2), ("3D", 3), ("7H", 7), ("9C", 9), ("TC", 10), ("JH", 10), ("QD", 10), ("KS", 10)],
)
def test_the_starter_sets_the_limit(starter: str, limit: int) -> None:
    assert knock_limit(OKLAHOMA, Card.parse(starter)) == limit
    assert knock_limit(PLAIN, Card.parse(starter)) == 10
    assert knock_limit(STRAIGHT, Card.parse(starter)) == 0


def test_an_ace_as_starter_allows_one_or_only_gin() -> None:
    ace = Card.parse("AD")
    assert knock_limit(OKLAHOMA, ace) == 1
    assert knock_limit(replace(OKLAHOMA, oklahoma_ace=OklahomaAce.GIN), ace) == 0
    assert knock_limit(Rules(oklahoma_ace=OklahomaAce.GIN), ace) == 10


@pytest.mark.parametrize(
    ("doubling", "expected"),
    [(SpadesDouble.ALL, (2, 2)), (SpadesDouble.DIFFERENCE, (2, 1)), (SpadesDouble.OFF, (1, 1))],
)
def test_a_spade_doubles_as_the_house_plays_it(
    doubling: SpadesDouble, expected: tuple[int, int]
) -> None:
    rules = replace(OKLAHOMA, spades_double=doubling)
    assert factors(rules, Card.parse("AS")) == factors(rules, Card.parse("KS")) == expected
    for other in ("AH", "7D", "KC"):
        assert factors(rules, Card.parse(other)) == (1, 1)


def test_a_spade_doubles_nothing_where_the_limit_is_fixed() -> None:
    for rules in (PLAIN, STRAIGHT):
        assert factors(rules, Card.parse("8S")) == (1, 1)


def doubled(doubling: SpadesDouble) -> Rules:
    return replace(OKLAHOMA, spades_double=doubling, big_gin=31)


def test_a_doubled_knock() -> None:
    #   25 - 5 = 20
    assert told(knocked(LOSES, doubled(SpadesDouble.ALL), "6S"))[-1] == 40
    assert told(knocked(LOSES, doubled(SpadesDouble.DIFFERENCE), "6S"))[-1] == 40
    assert told(knocked(LOSES, doubled(SpadesDouble.OFF), "6S"))[-1] == 20
    assert told(knocked(LOSES, doubled(SpadesDouble.ALL), "6D"))[-1] == 20


def test_a_doubled_undercut() -> None:
    #   1 and the bonus of 25
    assert told(knocked(UNDERCUTS, doubled(SpadesDouble.ALL), "6S"))[-1] == 2 * 1 + 2 * 25
    assert told(knocked(UNDERCUTS, doubled(SpadesDouble.DIFFERENCE), "6S"))[-1] == 2 * 1 + 25


def test_a_doubled_gin_and_big_gin() -> None:
    #   25 of the defender and the bonus of 25, of 31
    assert gin(doubled(SpadesDouble.ALL), "6S").points == 2 * 25 + 2 * 25
    assert gin(doubled(SpadesDouble.DIFFERENCE), "6S").points == 2 * 25 + 25
    assert big_gin(doubled(SpadesDouble.ALL), "6S").points == 2 * 25 + 2 * 31
    assert big_gin(doubled(SpadesDouble.DIFFERENCE), "6S").points == 2 * 25 + 31


def test_a_result_explains_its_number() -> None:
    one = knocked(UNDERCUTS, doubled(SpadesDouble.DIFFERENCE), "6S")
    assert (one.difference, one.difference_factor, one.bonus, one.bonus_factor) == (1, 2, 25, 1)
    assert (one.starter, one.knock_limit) == (Card.parse("6S"), 6)


# A hand that is broken off


def at_layoff(defence: str) -> Hand:
    hand = act(dealt(KNOCKER, defence, "TS", "KD"), *PASSES, "draw stock")
    return act(hand, f"knock KD {SPREAD}")


def test_a_hand_given_up_before_a_knock_is_void() -> None:
    hand = act(dealt(KNOCKER, DEFENDER, "TS", "KD"), *PASSES, "draw stock")
    one = result(abandon(hand, scored=True))
    assert told(one) == (Ending.ABANDONED, None, 0, 0, 0)
    assert [len(held) for _, held in one.hands] == [11, 10]
    assert not one.by_house


def test_a_hand_given_up_after_a_knock_is_scored_with_the_defenders_best_play() -> None:
    #   AC 2C 3C · 2S JD KS QS TD loose, 7H and 8H laid off: 42 - 5
    one = result(abandon(at_layoff("7H 8H 2C 3C AC KS QS JD TD 2S"), scored=True))
    assert told(one) == (Ending.KNOCK, A, 37, 0, 37)
    assert [card for card, _ in one.laid_off] == list(cards("7H 8H"))
    assert one.by_house


def test_a_hand_called_off_after_a_knock_is_void() -> None:
    one = result(abandon(at_layoff(DEFENDER), scored=False))
    assert told(one) == (Ending.ABANDONED, None, 0, 0, 0)
    assert (one.knocker, one.knock_discard) == (A, cards("KD")[0])
