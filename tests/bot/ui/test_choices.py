"""Autocomplete: one's own cards and legal choices, at most 25, never anybody else's."""

from __future__ import annotations

from bot.ui import choices, typed
from gin import Seat, parse_cards
from gin.layoffs import best_layoff
from gin.melds import Meld
from tests.bot.ui.staging import has_eleven, knocked, may_gin, may_knock, random_match, shown
from tests.gin import table

A, B = Seat.A, Seat.B


def test_discards_are_ones_own_cards_with_what_they_leave() -> None:
    offered = choices.card_choices(shown(may_knock(), A).view, "")
    assert offered[0] == ("K♦ — leaves 5", "KD")
    assert {value for _name, value in offered} == set(f"{table.KNOCKER} KD".split())


def test_typing_narrows_the_cards() -> None:
    seen = shown(may_knock(), A).view
    assert [value for _n, value in choices.card_choices(seen, "k")] == ["KD", "KC"]
    assert [value for _n, value in choices.card_choices(seen, "queen of")] == ["QC"]
    assert choices.card_choices(seen, "2s") == []


def test_the_card_just_taken_is_not_suggested() -> None:
    offered = choices.card_choices(shown(has_eleven(), A).view, "10s")
    assert offered == []


def test_for_a_knock_only_discards_that_leave_one_are_suggested() -> None:
    offered = choices.card_choices(shown(may_knock(), A).view, "", knocking=True)
    assert offered == [("K♦ — leaves 5", "KD"), ("5♦ — leaves 10", "5D")]


def test_nobody_gets_suggestions_from_anothers_hand_or_out_of_turn() -> None:
    match = may_knock()
    for seat in (B, None):
        seen = shown(match, seat).view
        assert choices.card_choices(seen, "") == []
        assert choices.card_choices(seen, "", knocking=True) == []
        assert choices.meld_choices(seen, "") == []
        assert choices.layoff_choices(seen, "") == []
    assert choices.layoff_choices(shown(knocked(), A).view, "") == []


def test_melds_are_suggested_as_one_would_type_them() -> None:
    seen = shown(may_gin(), A).view
    offered = choices.meld_choices(seen, "", parse_cards("KD")[0])
    assert offered == [
        (
            "gin: 4♥ 5♥ 6♥ 7♥ · J♣ Q♣ K♣ · 9♠ 9♦ 9♣",
            "4h 5h 6h 7h / jc qc kc / 9s 9d 9c",
        )
    ]
    assert len(typed.parse_melds(offered[0][1])) == 3
    assert choices.meld_choices(seen, "2s 3s") == []
    assert len(choices.meld_choices(seen, "9s 9d")) > 1


def test_lay_offs_are_suggested_best_first_with_nothing_among_them() -> None:
    # 7♥ would leave 39 instead of 25: its set is broken.
    assert choices.layoff_choices(shown(knocked(), B).view, "") == [
        ("Lay off nothing — leaves 25", "none"),
        ("Lay off 7♥ — leaves 39", "7h"),
    ]
    assert choices.layoff_choices(shown(knocked(), B).view, "7h") == [
        ("Lay off 7♥ — leaves 39", "7h")
    ]
    assert typed.parse_cards("none") == ()


def test_suggestions_keep_discords_limits_all_through_a_match() -> None:
    for step in random_match(8, most_hands=3):
        for seat in step.match.seats:
            seen = shown(step.match, seat).view
            for offered in (
                choices.card_choices(seen, ""),
                choices.card_choices(seen, "", knocking=True),
                choices.meld_choices(seen, ""),
                choices.layoff_choices(seen, ""),
            ):
                assert len(offered) <= 25
                assert all(1 <= len(name) <= 100 >= len(value) >= 1 for name, value in offered)
                assert len({value for _name, value in offered}) == len(offered)


def test_cards_laid_off_downwards_are_read_upwards_and_sent_in_an_order_that_is_legal() -> None:
    #   onto 5♥ 6♥ 7♥ the 4♥ has to go before the 3♥
    plan = best_layoff((Meld.parse("5H 6H 7H"),), parse_cards("3H 4H KS QD JC TS 9D 8C 6S 2C"))
    assert plan.cards == parse_cards("4H 3H")
    assert choices.plan_label(plan).startswith("Lay off 3♥ 4♥ — leaves ")
