from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given

from gin.errors import MalformedRules
from gin.rules import (
    OKLAHOMA,
    PRESETS,
    RANGES,
    STANDARD,
    STRAIGHT,
    BoxTiming,
    IllegalKnock,
    Limit,
    NextDealer,
    OklahomaAce,
    Rules,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)
from tests.gin.players import any_rules


def changed(rules: Rules, **options: Any) -> Rules:  # noqa: ANN401
    """Rules with other options. Any: some are of a wrong type on purpose."""
    return replace(rules, **options)


def test_the_plain_game_is_the_rules_text() -> None:
    plain = Rules()
    assert plain.knock_limit == 10
    assert (plain.gin_bonus, plain.undercut_bonus, plain.big_gin) == (25, 25, None)
    assert (plain.target, plain.game_bonus, plain.box_bonus) == (100, 100, 25)
    assert plain.draw_cap == 100
    assert plain.tie is Tie.UNDERCUT
    assert plain.illegal_knock is IllegalKnock.REFUSE
    assert not plain.fiftieth_card
    assert plain.scoring is Scoring.GAME
    assert plain == STANDARD


def test_the_variants_are_values_of_the_rules() -> None:
    assert PRESETS == {"standard": STANDARD, "oklahoma": OKLAHOMA, "straight": STRAIGHT}
    assert changed(STANDARD, knock_limit=Limit.UPCARD, spades_double=SpadesDouble.ALL) == OKLAHOMA
    assert changed(STANDARD, knock_limit=0) == STRAIGHT


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("big_gin", 0, 500),
        ("gin_bonus", 0, 500),
        ("undercut_bonus", 0, 500),
        ("game_bonus", 0, 500),
        ("box_bonus", 0, 500),
        ("target", 50, 1000),
        ("draw_cap", 30, 500),
    ],
)
def test_a_number_has_its_range(name: str, low: int, high: int) -> None:
    assert RANGES[name] == (low, high)
    for inside in (low, high):
        assert getattr(changed(STANDARD, **{name: inside}), name) == inside
    for outside in (low - 1, high + 1, "25", 25.0, True):
        with pytest.raises(MalformedRules, match=name):
            changed(STANDARD, **{name: outside})


@pytest.mark.parametrize("limit", [1, 9, 11, -1, "ten", None, True, False])
def test_a_knock_limit_is_ten_or_none_or_the_upcard(limit: object) -> None:
    with pytest.raises(MalformedRules, match="knock_limit"):
        changed(STANDARD, knock_limit=limit)


def test_a_choice_given_as_a_plain_word_becomes_the_choice() -> None:
    given = changed(STANDARD, knock_limit="upcard", tie="draw", scoring="hollywood")
    assert given.knock_limit is Limit.UPCARD
    assert given.tie is Tie.DRAW
    assert given.scoring is Scoring.HOLLYWOOD


@pytest.mark.parametrize(
    "name",
    [
        "oklahoma_ace",
        "spades_double",
        "tie",
        "illegal_knock",
        "box_timing",
        "winner",
        "shutout",
        "next_dealer",
        "scoring",
    ],
)
def test_an_unknown_choice_is_refused_and_the_known_ones_named(name: str) -> None:
    with pytest.raises(MalformedRules, match=f"{name} must be one of"):
        changed(STANDARD, **{name: "sometimes"})


@pytest.mark.parametrize("name", ["strict_bridge", "fiftieth_card", "finish_rotation"])
@pytest.mark.parametrize("value", [1, 0, "on", None])
def test_a_switch_is_on_or_off(name: str, value: object) -> None:
    with pytest.raises(MalformedRules, match=name):
        changed(Rules(scoring=Scoring.ROTATION), **{name: value})


def test_a_shutout_in_a_rotation_is_refused_with_the_reason() -> None:
    with pytest.raises(MalformedRules, match="shutout is not played in a rotation"):
        Rules(scoring=Scoring.ROTATION, shutout=Shutout.DOUBLE)


def test_a_next_dealer_in_a_rotation_is_refused_with_the_reason() -> None:
    with pytest.raises(MalformedRules, match="the deal goes round"):
        Rules(scoring=Scoring.ROTATION, next_dealer=NextDealer.LOSER)


@pytest.mark.parametrize("scoring", [Scoring.GAME, Scoring.HOLLYWOOD])
def test_finishing_the_rotation_outside_one_is_refused(scoring: Scoring) -> None:
    with pytest.raises(MalformedRules, match="only in a rotation"):
        Rules(scoring=scoring, finish_rotation=True)


def test_the_fiftieth_card_goes_with_every_limit() -> None:
    for limit in (0, 10, Limit.UPCARD):
        assert Rules(knock_limit=limit, fiftieth_card=True).fiftieth_card


def test_a_rotation_may_have_any_limit() -> None:
    for limit in (0, 10, Limit.UPCARD):
        assert Rules(scoring=Scoring.ROTATION, knock_limit=limit).players == 3


def test_hollywood_with_three_players_is_refused_with_the_reason() -> None:
    hollywood = Rules(scoring=Scoring.HOLLYWOOD)
    hollywood.check_players(2)
    with pytest.raises(MalformedRules, match="Hollywood is scored by two players"):
        hollywood.check_players(3)


def test_a_game_is_for_two_and_a_rotation_for_three() -> None:
    Rules().check_players(2)
    Rules(scoring=Scoring.ROTATION).check_players(3)
    with pytest.raises(MalformedRules, match="three players play a rotation"):
        Rules().check_players(3)
    with pytest.raises(MalformedRules, match="takes three players"):
        Rules(scoring=Scoring.ROTATION).check_players(2)
    with pytest.raises(MalformedRules, match="two or three people, not 4"):
        Rules().check_players(4)


def idle(rules: Rules) -> set[str]:
    return {note.field for note in rules.notes()}


def test_nothing_is_said_of_options_that_have_an_effect_or_are_not_set() -> None:
    assert idle(STANDARD) == idle(OKLAHOMA) == idle(STRAIGHT) == set()
    assert idle(changed(OKLAHOMA, oklahoma_ace=OklahomaAce.GIN)) == set()
    assert idle(changed(OKLAHOMA, spades_double=SpadesDouble.OFF)) == set()
    assert idle(changed(STANDARD, tie=Tie.DRAW, strict_bridge=True)) == set()
    assert idle(changed(STANDARD, box_timing=BoxTiming.AT_ONCE)) == set()


@pytest.mark.parametrize("limit", [10, 0])
def test_oklahoma_options_under_a_fixed_limit_are_said_to_have_no_effect(limit: int) -> None:
    rules = Rules(
        knock_limit=limit,
        oklahoma_ace=OklahomaAce.GIN,
        spades_double=SpadesDouble.DIFFERENCE,
    )
    assert idle(rules) == {"oklahoma_ace", "spades_double"}
    assert {note.why for note in rules.notes()} == {"only where the starter sets the knock limit"}


def test_options_of_the_knock_are_said_to_have_no_effect_where_only_gin_counts() -> None:
    rules = changed(STRAIGHT, tie=Tie.NO_BONUS, undercut_bonus=10, strict_bridge=True)
    assert idle(rules) == {"tie", "undercut_bonus", "strict_bridge"}


def test_the_timing_of_worthless_boxes_is_said_to_have_no_effect() -> None:
    assert idle(Rules(box_bonus=0, box_timing=BoxTiming.AT_ONCE)) == {"box_timing"}


def test_every_option_stands_in_the_written_rules() -> None:
    text = STANDARD.dump()
    assert "\n" not in text
    assert text == (
        "v1 knock_limit=10 oklahoma_ace=one spades_double=all big_gin=off strict_bridge=off "
        "gin_bonus=25 undercut_bonus=25 tie=undercut fiftieth_card=off draw_cap=100 "
        "illegal_knock=refuse target=100 game_bonus=100 box_bonus=25 box_timing=at_end "
        "winner=total shutout=none next_dealer=alternate scoring=game finish_rotation=off"
    )
    assert len(text.split()) == 1 + len(fields(Rules))


@given(any_rules())
def test_written_rules_read_back_as_the_same_rules(rules: Rules) -> None:
    assert Rules.parse(rules.dump()) == rules


LINE = STANDARD.dump()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "version ''"),
        (LINE.replace("v1", "v2"), "version 'v2'"),
        (LINE.replace("v1 ", ""), "version 'knock_limit=10'"),
        (LINE.replace(" tie=undercut", ""), "missing or unknown: tie"),
        (LINE + " wild_twos=on", "missing or unknown: wild_twos"),
        (LINE + " tie=undercut", "'tie=undercut' is not one option"),
        (LINE.replace("tie=undercut", "tie"), "'tie' is not one option"),
        (LINE.replace("tie=undercut", "tie=toss"), "tie must be one of"),
        (LINE.replace("target=100", "target=49"), "target must be from 50"),
        (LINE.replace("target=100", "target=0100"), "target must be a number"),
        (LINE.replace("target=100", "target=+100"), "target must be a number"),
        (LINE.replace("target=100", "target=１００"), "target must be a number"),
        (LINE.replace("target=100", "target="), "target must be a number"),
        (LINE.replace("target=100", "target=" + "9" * 5000), "target must be a number"),
        (LINE.replace("knock_limit=10", "knock_limit=on"), "knock_limit must be a number"),
        (LINE.replace("big_gin=off", "big_gin=none"), "big_gin must be a number"),
        (LINE.replace("strict_bridge=off", "strict_bridge=yes"), "strict_bridge must be on or off"),
        (LINE.replace("finish_rotation=off", "finish_rotation=on"), "only in a rotation"),
    ],
)
def test_rules_of_a_newer_or_broken_record_are_an_error_and_never_a_guess(
    text: str, why: str
) -> None:
    with pytest.raises(MalformedRules, match=why):
        Rules.parse(text)


def test_two_values_of_the_winner_are_told_apart() -> None:
    assert Rules(winner=Winner.FIRST_TO_TARGET) != Rules()
