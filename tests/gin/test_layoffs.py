from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gin.cards import Card, format_cards, parse_cards, points_of
from gin.errors import BetweenRuns, DoesNotFit, IllegalAction
from gin.layoffs import LayOffPlan, best_layoff, is_gin, lay, layoff_plans
from gin.melds import Meld
from tests.gin import naive
from tests.gin.hands import knock, vectors


def melds(text: str) -> list[Meld]:
    return [Meld.parse(meld) for meld in text.split(" / ")]


def grown(table: str, cards: str, strict: bool = False) -> str:
    result, _ = lay(melds(table), parse_cards(cards), strict)
    return " / ".join(map(str, result))


def joined(table: str, cards: str, strict: bool = False) -> list[int]:
    _, placed = lay(melds(table), parse_cards(cards), strict)
    return [index for _, index in placed]


def refused(table: str, cards: str, strict: bool = False) -> str:
    with pytest.raises(DoesNotFit) as refusal:
        lay(melds(table), parse_cards(cards), strict)
    assert isinstance(refusal.value, IllegalAction)
    return str(refusal.value)


def own(plan: LayOffPlan) -> str:
    return " / ".join(map(str, plan.melds))


# One card after another


def test_a_second_card_on_the_same_run_goes_onto_the_run_as_it_has_grown() -> None:
    # Fault 32: 5-6-7 takes the eight, then the nine, and at the other end the four.
    assert grown("5H 6H 7H", "8H 9H 4H") == "4H 5H 6H 7H 8H 9H"


def test_the_order_in_which_cards_are_laid_matters() -> None:
    assert refused("5H 6H 7H", "9H 8H").startswith("9H extends none")


def test_a_set_takes_the_fourth_card_and_nothing_else() -> None:
    assert grown("6S 6D 6C", "6H") == "6S 6H 6D 6C"
    assert refused("6S 6D 6C", "7S")
    assert refused("6S 6H 6D 6C", "7S")


def test_the_ace_is_low_and_runs_do_not_wrap() -> None:
    assert refused("JH QH KH", "AH")
    assert refused("AH 2H 3H", "KH")
    assert grown("TH JH QH", "KH 9H") == "9H TH JH QH KH"
    assert grown("2H 3H 4H", "AH") == "AH 2H 3H 4H"


def test_laying_nothing_changes_nothing() -> None:
    assert lay(melds("5H 6H 7H"), ()) == (tuple(melds("5H 6H 7H")), ())
    assert lay([], ()) == ((), ())
    with pytest.raises(DoesNotFit):
        lay([], parse_cards("7H"))


def test_a_card_that_only_the_strict_rule_keeps_away_is_refused_as_such() -> None:
    #   3-4-5 and 8-9-T: after the six the seven lies next to both; the king fits nothing at all
    runs = "3S 4S 5S / 8S 9S TS"
    assert grown(runs, "6S 7S") == "3S 4S 5S 6S 7S / 8S 9S TS"
    with pytest.raises(BetweenRuns, match="7S lies next to the ends of two"):
        lay(melds(runs), parse_cards("6S 7S"), strict_bridge=True)
    with pytest.raises(DoesNotFit) as refusal:
        lay(melds(runs), parse_cards("KS"), strict_bridge=True)
    assert not isinstance(refusal.value, BetweenRuns)


def test_one_card_is_not_laid_twice() -> None:
    seven = parse_cards("7H")[0]
    with pytest.raises(DoesNotFit):
        lay(melds("4H 5H 6H / 7S 7D 7C"), [seven, seven])
    assert refused("4H 5H 6H", "5H")


def test_a_card_that_fits_two_melds_goes_to_the_first_of_them() -> None:
    assert joined("6S 6D 6C / 3H 4H 5H", "6H") == [0]
    assert joined("3H 4H 5H / 6S 6D 6C", "6H") == [0]


def test_a_card_that_fits_two_melds_goes_where_the_cards_after_it_need_it() -> None:
    # The seven of hearts fits only if the six went to the run.
    assert joined("6S 6D 6C / 3H 4H 5H", "6H 7H") == [1, 1]
    # The six of hearts completes the sixes; the seven then fits nothing but the sevens.
    assert joined("6S 6D 6C / 3H 4H 5H / 7S 7D 7C", "6H 7H") == [0, 2]
    assert joined("6S 6D 6C / 3H 4H 5H / 7S 7D 7C", "6H 7H 8H") == [1, 1, 1]


def test_the_card_that_is_refused_is_the_first_that_fits_nowhere() -> None:
    assert refused("6S 6D 6C / 3H 4H 5H", "6H 7H 9H").startswith("9H")
    assert refused("6S 6D 6C / 3H 4H 5H", "KD 7H").startswith("KD")


# A card lying between two runs


def test_a_card_between_two_runs_may_extend_one_and_they_stay_two() -> None:
    assert grown("3H 4H 5H / 7H 8H 9H", "6H") == "3H 4H 5H 6H / 7H 8H 9H"
    assert grown("3H 4H 5H / 7H 8H 9H", "6H TH") == "3H 4H 5H 6H / 7H 8H 9H TH"
    assert grown("3H 4H 5H / 8H 9H TH", "7H 6H") == "3H 4H 5H 6H / 7H 8H 9H TH"
    assert grown("3H 4H 5H / 8H 9H TH", "6H 7H") == "3H 4H 5H 6H 7H / 8H 9H TH"


def test_under_strict_bridge_a_card_next_to_the_ends_of_two_runs_may_not_be_laid() -> None:
    # rules.md: 3-4-5 and 8-9-T: six or seven may go, not both. 3-4-5 and 7-8-9: the six may not.
    table = "3H 4H 5H / 8H 9H TH"
    assert joined(table, "6H", strict=True) == [0]
    assert joined(table, "7H", strict=True) == [1]
    assert refused(table, "6H 7H", strict=True).startswith("7H")
    assert refused(table, "7H 6H", strict=True).startswith("6H")
    assert refused("3H 4H 5H / 7H 8H 9H", "6H", strict=True)
    assert joined("3H 4H 5H / 7H 8H 9H", "2H TH", strict=True) == [0, 1]


def test_under_strict_bridge_runs_of_different_suits_do_not_meet() -> None:
    assert joined("3H 4H 5H / 7D 8D 9D", "6H 6D", strict=True) == [0, 1]


def test_under_strict_bridge_a_card_between_two_runs_may_not_join_a_set_either() -> None:
    # The rule says "may not be laid". Laid before the runs have grown towards it, it may.
    table = "3H 4H 5H / 8H 9H TH / 7S 7D 7C"
    assert refused(table, "6H 7H", strict=True).startswith("7H")
    assert joined(table, "7H 6H", strict=True) == [2, 0]
    assert joined(table, "6H 7H") == [0, 0]


# The defender's best play


def test_every_vector_of_lay_offs_has_the_defenders_least_deadwood() -> None:
    rows = list(vectors("layoffs"))
    assert len(rows) == 1500
    for row in rows:
        table = row["melds"]
        assert isinstance(table, list)
        knocker = [Meld.parse(text) for text in table]
        hand = parse_cards(str(row["hand"]))
        plan = best_layoff(knocker, hand)
        assert plan.deadwood == row["deadwood"], row
        check_is_a_legal_plan(plan, knocker, hand)


def check_is_a_legal_plan(
    plan: LayOffPlan, knocker: Sequence[Meld], hand: Sequence[Card], strict: bool = False
) -> None:
    kept = [card for meld in plan.melds for card in meld.cards]
    assert sorted([*kept, *plan.cards, *plan.loose]) == sorted(hand)
    assert tuple(card for card, _ in plan.placed) == plan.cards
    assert plan.deadwood == points_of(plan.loose)
    table = [frozenset(map(str, meld.cards)) for meld in knocker]
    assert naive.can_lay(table, list(map(str, plan.cards)), strict)
    for card, index in plan.placed:
        table[index] |= {str(card)}
    assert all(naive.is_meld(meld) for meld in table)
    assert lay(knocker, plan.cards, strict)[1] == plan.placed


def test_own_melds_and_lay_offs_are_chosen_together() -> None:
    # Melding first, J-Q-K of clubs or the kings, and laying off the rest leaves more. Best: the
    # kings stay a set; seven, jack and queen of clubs join 8-9-T, the ace and the five 2-3-4, the
    # six of spades the sixes. Only the three is left.
    knocker = melds("8C 9C TC / 2C 3C 4C / 6C 6D 6H")
    plan = best_layoff(knocker, parse_cards("3S 6S AC 5C 7C JC QC KC KD KH"))
    assert own(plan) == "KH KD KC"
    assert sorted(map(str, plan.cards)) == ["5C", "6S", "7C", "AC", "JC", "QC"]
    assert format_cards(plan.loose) == "3S"
    assert plan.deadwood == 3


def test_a_card_is_kept_where_laying_it_off_gains_nothing() -> None:
    # The seven of hearts fits 4-5-6, but it holds the defender's own sevens together.
    plan = best_layoff(melds("4H 5H 6H / JC QC KC"), parse_cards("7S 7D 7H 2C 4C 9D KS QD 3S AD"))
    assert own(plan) == "7S 7H 7D"
    assert plan.cards == ()
    # 2 + 4 + 9 + 10 + 10 + 3 + 1
    assert plan.deadwood == 39


def test_after_gin_nothing_is_laid_off() -> None:
    gin = melds("4H 5H 6H / JC QC KC / 9S 9H 9D 9C")
    hand = parse_cards("7H 8H TC 2S 2D 2C 4S 6S KD AS")
    plan = best_layoff(gin, hand)
    assert is_gin(gin)
    assert plan.cards == ()
    # 7 + 8 + 10 + 4 + 6 + 10 + 1
    assert plan.deadwood == 46
    assert layoff_plans(gin, hand) == (plan,)
    assert not is_gin(gin[:2])


def test_strict_bridge_costs_the_defender_the_card_that_would_bridge() -> None:
    knocker = melds("3H 4H 5H / 8H 9H TH")
    hand = parse_cards("6H 7H KS KD KC 2S 2D 2C QS 9D")
    # Plain: both go, 10 + 9 are left. Strict: the dearer one goes, the six is left too.
    assert best_layoff(knocker, hand).deadwood == 19
    strict = best_layoff(knocker, hand, strict_bridge=True)
    assert strict.deadwood == 25
    assert format_cards(strict.cards) == "7H"


def test_the_choices_of_lay_offs_are_listed_best_first() -> None:
    knocker = melds("5H 6H 7H / QS QD QC")
    plans = layoff_plans(knocker, parse_cards("8H 9H QH 2S 2D 2C KS KD 4D AC"))
    # 4 + 10 + 10 + 1 are always loose; besides what isn't laid of 8, 9 (only after 8) and 10.
    assert [(format_cards(plan.cards), plan.deadwood) for plan in plans] == [
        ("8H 9H QH", 25),
        ("8H QH", 34),
        ("8H 9H", 35),
        ("QH", 42),
        ("8H", 44),
        ("", 52),
    ]
    assert all(own(plan) == "2S 2D 2C" for plan in plans)


def test_a_shortened_list_of_choices_keeps_the_best_and_laying_nothing() -> None:
    knocker = melds("5H 6H 7H / QS QD QC")
    hand = parse_cards("8H 9H QH 2S 2D 2C KS KD 4D AC")
    assert [plan.deadwood for plan in layoff_plans(knocker, hand, most=3)] == [25, 34, 52]
    assert [plan.deadwood for plan in layoff_plans(knocker, hand, most=1)] == [25]


def check_agrees_with_the_naive_solver(seed: int, width: int, strict: bool) -> None:
    table, held = knock(Random(seed), width)
    knocker = [Meld.parse(" ".join(meld)) for meld in table]
    hand = parse_cards(" ".join(sorted(held)))
    plans = layoff_plans(knocker, hand, strict, most=1_000_000)
    lefts = naive.laid_off(table, held, strict)
    assert {held - frozenset(map(str, plan.cards)) for plan in plans} == set(lefts)
    assert len(plans) == len(lefts)
    for plan in plans[:5]:
        check_is_a_legal_plan(plan, knocker, hand, strict)
    best = best_layoff(knocker, hand, strict)
    assert best == plans[0]
    assert best.deadwood == naive.deadwood_after_layoffs(table, held, strict)
    assert [plan.deadwood for plan in plans] == sorted(plan.deadwood for plan in plans)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([5, 6, 7, 8, 13]), st.booleans())
def test_the_best_play_is_the_naive_solvers(seed: int, width: int, strict: bool) -> None:
    check_agrees_with_the_naive_solver(seed, width, strict)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([5, 6, 7, 8]), st.booleans(), st.data())
def test_cards_can_be_laid_in_an_order_whenever_some_choice_of_melds_allows_it(
    seed: int, width: int, strict: bool, data: st.DataObject
) -> None:
    table, held = knock(Random(seed), width)
    order = data.draw(st.lists(st.sampled_from(sorted(held)), max_size=5, unique=True))
    knocker = [Meld.parse(" ".join(meld)) for meld in table]
    tables = naive.can_lay(table, order, strict)
    if not tables:
        with pytest.raises(DoesNotFit):
            lay(knocker, parse_cards(" ".join(order)), strict)
        return
    result, placed = lay(knocker, parse_cards(" ".join(order)), strict)
    assert tuple(frozenset(map(str, meld.cards)) for meld in result) in tables
    assert [str(card) for card, _ in placed] == order


@pytest.mark.long
@pytest.mark.timeout(1200)
@settings(max_examples=5_000, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([5, 6, 7, 8, 13]), st.booleans())
def test_five_thousand_best_plays_are_the_naive_solvers(
    seed: int, width: int, strict: bool
) -> None:
    check_agrees_with_the_naive_solver(seed, width, strict)
