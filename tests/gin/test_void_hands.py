from dataclasses import replace

import pytest

from gin.actions import Phase
from gin.errors import JustTaken, MustKnock, OverLimit, WrongPhase
from gin.hand import Hand
from gin.results import Ending
from gin.rules import IllegalKnock, Rules
from tests.gin.table import (
    DEFENDER,
    KNOCKER,
    ODD,
    PASSES,
    PLAIN,
    SPREAD,
    A,
    B,
    act,
    cards,
    dealt,
    legal,
    refuses,
    result,
    short_stock,
)


def near_the_end(left: int = 3, rules: Rules = PLAIN, hand: str = ODD) -> Hand:
    """A is to draw KD, with so many cards left in the stock; B holds DEFENDER."""
    return short_stock(act(dealt(hand, DEFENDER, "TS", "KD", rules), *PASSES), left)


# Stock out


def test_the_drawer_of_the_third_last_card_may_knock() -> None:
    hand = act(near_the_end(hand=KNOCKER), "draw stock")
    assert len(hand.stock) == 2
    assert hand.last_chance
    assert act(hand, f"knock KD {SPREAD}").phase is Phase.LAYOFF


def test_the_hand_is_void_if_he_discards_instead() -> None:
    over = result(act(near_the_end(), "draw stock", "discard KD"))
    assert over.ending is Ending.STOCK_OUT
    assert (over.winner, over.points, over.knocker) == (None, 0, None)
    assert dict(over.hands) == {A: tuple(sorted(cards(ODD))), B: tuple(sorted(cards(DEFENDER)))}


def test_with_four_cards_left_the_draw_is_not_the_last() -> None:
    hand = act(near_the_end(4), "draw stock")
    assert not hand.last_chance
    assert not act(hand, "discard KD").is_over


def test_taking_the_discard_while_the_stock_is_at_three_ends_nothing() -> None:
    hand = act(near_the_end(4), "draw stock", "discard KD", "draw discard")
    assert len(hand.stock) == 3
    assert not hand.last_chance
    hand = act(hand, "discard KS", "draw discard", "discard KH")
    assert (hand.phase, hand.to_move, len(hand.stock)) == (Phase.DRAW, B, 3)


# The fiftieth card

WAITING = "4H 5H 6H 9S 9D JC QC KC 5D KS"
"""With 9C and without KS this is KNOCKER: five points."""
FIFTIETH = Rules(fiftieth_card=True)


def fiftieth(defender: str, discard: str, rules: Rules = FIFTIETH) -> Hand:
    """A has drawn the third-last card, ``discard``, and discarded it; B holds ``defender``."""
    hand = short_stock(act(dealt("", defender, "TS", discard, rules), *PASSES), 3)
    return act(hand, "draw stock", f"discard {discard}")


def test_the_fiftieth_card_may_be_taken_to_knock_with_another_discard() -> None:
    hand = fiftieth(WAITING, "9C")
    assert (hand.phase, hand.to_move) == (Phase.FIFTIETH, B)
    assert hand.last_chance
    assert legal(hand) == ["draw discard", "pass"]
    taken = act(hand, "draw discard")
    assert taken.must_knock
    assert all(text.startswith("knock") for text in legal(taken))
    after = act(taken, f"knock KS {SPREAD}")
    assert (after.phase, after.to_move, after.must_knock) == (Phase.LAYOFF, A, False)


def test_who_took_the_fiftieth_card_must_knock_and_with_another_discard() -> None:
    taken = act(fiftieth(WAITING, "9C"), "draw discard")
    refuses(taken, "discard KS", MustKnock)
    refuses(taken, "discard 9C", MustKnock)
    refuses(taken, "knock 9C 4H5H6H/JCQCKC", JustTaken)


def test_the_fiftieth_card_may_be_passed_and_the_hand_is_void() -> None:
    over = result(act(fiftieth(WAITING, "9C"), "pass"))
    assert (over.ending, over.winner, over.points) == (Ending.STOCK_OUT, None, 0)


def test_the_fiftieth_card_may_not_be_taken_where_no_legal_knock_would_follow() -> None:
    #   7H in place of 6H: no run, 4H 5H 7H and more stay loose
    hand = fiftieth("4H 5H 7H 9S 9D JC QC KC 5D KS", "9C")
    assert legal(hand) == ["pass"]
    refuses(hand, "draw discard", MustKnock)
    refuses(hand, "draw stock", WrongPhase)
    assert act(hand, "pass").is_over


def test_a_knock_that_would_need_the_fiftieth_card_itself_as_discard_does_not_count() -> None:
    #   3H 4H 5H · 9S 9D 9C · JC QC KC · AD, only gin counts: AD would have to go, and KD stays
    hand = fiftieth("3H 4H 5H 9S 9D 9C JC QC KC AD", "KD", replace(FIFTIETH, knock_limit=0))
    assert legal(hand) == ["pass"]
    #   with 6H for AD it is gin, if KD might be shed; it may not
    hand = fiftieth("3H 4H 5H 6H 9S 9D 9C JC QC KC", "AD", replace(FIFTIETH, knock_limit=0))
    assert legal(hand) == ["pass"]
    #   the same under the limit of ten: 6H shed, AD loose
    assert legal(fiftieth("3H 4H 5H 6H 9S 9D 9C JC QC KC", "AD")) == ["draw discard", "pass"]


def test_big_gin_may_be_laid_with_the_fiftieth_card() -> None:
    hand = fiftieth("3H 4H 5H 6H 9S 9D 9C JC QC KC", "9H", replace(FIFTIETH, big_gin=31))
    over = act(hand, "draw discard", "big-gin 3H4H5H6H/9S9H9D9C/JCQCKC")
    assert result(over).ending is Ending.BIG_GIN


def test_a_knock_over_the_limit_with_the_fiftieth_card_is_refused_in_every_house() -> None:
    exposing = replace(FIFTIETH, illegal_knock=IllegalKnock.EXPOSE)
    hand = act(fiftieth(WAITING, "9C", exposing), "draw discard")
    refuses(hand, "knock KS 4H5H6H", OverLimit)


def test_who_draws_the_third_last_card_may_knock_also_where_the_fiftieth_card_is_played() -> None:
    hand = act(near_the_end(3, FIFTIETH, KNOCKER), "draw stock")
    assert not hand.last_chance
    assert act(hand, f"knock KD {SPREAD}").phase is Phase.LAYOFF


def test_without_the_fiftieth_card_the_third_last_discard_ends_the_hand() -> None:
    assert result(fiftieth(WAITING, "9C", PLAIN)).ending is Ending.STOCK_OUT


# The draw cap


def exchange(hand: Hand, draws: int) -> Hand:
    """Take the other's discard and shed the highest other card, in turn, for so many draws."""
    for _ in range(draws):
        hand = act(hand, "draw discard")
        assert hand.to_move is not None
        shed = [card for card in hand.cards(hand.to_move) if card != hand.taken][-1]
        hand = act(hand, f"discard {shed}")
    return hand


@pytest.mark.parametrize("cap", [30, 100, 500])
def test_who_makes_the_last_draw_and_discards_makes_the_hand_void(cap: int) -> None:
    hand = exchange(dealt(ODD, DEFENDER, "TS", rules=Rules(draw_cap=cap)), cap - 1)
    assert (hand.draws, hand.is_over, hand.last_chance) == (cap - 1, False, False)
    hand = act(hand, "draw discard")
    assert (hand.draws, hand.last_chance) == (cap, True)
    assert hand.to_move is not None
    shed = next(card for card in hand.cards(hand.to_move) if card != hand.taken)
    over = result(act(hand, f"discard {shed}"))
    assert (over.ending, over.winner, over.points) == (Ending.DRAW_CAP, None, 0)


def test_the_maker_of_the_last_draw_may_knock() -> None:
    hand = replace(act(dealt(KNOCKER, DEFENDER, "TS", "KD"), *PASSES), draws=99)
    hand = act(hand, "draw stock")
    assert (hand.draws, hand.last_chance) == (100, True)
    assert result(act(hand, f"knock KD {SPREAD}", "layoff -")).ending is Ending.KNOCK


def test_draws_from_both_piles_count_the_first_up_card_included_and_passes_do_not() -> None:
    assert act(dealt(ODD), "draw discard").draws == 1
    assert act(dealt(ODD), *PASSES).draws == 0
    assert act(dealt(ODD, stock="KD"), *PASSES, "draw stock", "discard KD").draws == 1
    assert act(dealt(ODD, stock="KD"), *PASSES, "draw stock", "discard KD", "draw stock").draws == 2


def test_the_cap_comes_before_the_fiftieth_card() -> None:
    hand = replace(near_the_end(3, Rules(draw_cap=30, fiftieth_card=True)), draws=29)
    assert result(act(hand, "draw stock", "discard KD")).ending is Ending.DRAW_CAP
