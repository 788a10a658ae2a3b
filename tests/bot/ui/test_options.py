"""House options in words, both ways, and refusals that a person can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ui import options
from bot.ui.options import (
    OPTIONS,
    Value,
    option_choices,
    option_title,
    parse_option,
    parse_value,
    refusal_words,
    token,
    value_choices,
    value_words,
)
from bot.ui.typed import NotUnderstood
from gin import Rules
from gin.errors import MalformedRules
from gin.rules import (
    RANGES,
    BoxTiming,
    IllegalKnock,
    Limit,
    NextDealer,
    OklahomaAce,
    Scoring,
    Shutout,
    SpadesDouble,
    Tie,
    Winner,
)

CHOICES: Mapping[str, tuple[Value, ...]] = {
    "knock_limit": (10, 0, Limit.UPCARD),
    "oklahoma_ace": tuple(OklahomaAce),
    "spades_double": tuple(SpadesDouble),
    "tie": tuple(Tie),
    "illegal_knock": tuple(IllegalKnock),
    "box_timing": tuple(BoxTiming),
    "winner": tuple(Winner),
    "shutout": tuple(Shutout),
    "next_dealer": tuple(NextDealer),
    "scoring": tuple(Scoring),
    "strict_bridge": (False, True),
    "fiftieth_card": (False, True),
    "finish_rotation": (False, True),
    "big_gin": (None, 0, 31, 500),
} | {name: (low, high) for name, (low, high) in RANGES.items() if name != "big_gin"}
"""Every option with all its values, or the ends of its range; written down by hand."""


def test_every_field_of_the_rules_is_an_option_with_a_title_of_its_own() -> None:
    assert set(OPTIONS) == {field.name for field in fields(Rules)} == set(CHOICES)
    titles = [option_title(field) for field in OPTIONS]
    assert len(set(titles)) == len(titles)
    assert all("_" not in title for title in titles)


@pytest.mark.parametrize("field", OPTIONS)
def test_every_value_has_its_own_words_and_both_read_back(field: str) -> None:
    words = [value_words(field, value) for value in CHOICES[field]]
    assert len(set(words)) == len(words)
    for value, said in zip(CHOICES[field], words, strict=True):
        for written in (said, said.upper(), f"  {said} ", token(value)):
            read = parse_value(field, written)
            assert read == value
            assert type(read) is type(value)


@pytest.mark.parametrize("field", OPTIONS)
def test_what_is_suggested_for_an_option_reads_back_and_keeps_the_limits(field: str) -> None:
    offered = value_choices(field, "")
    assert 0 < len(offered) <= 25
    assert all(1 <= len(name) <= 100 and 1 <= len(value) <= 100 for name, value in offered)
    values = [parse_value(field, value) for _name, value in offered]
    assert getattr(Rules(), field) in values
    assert sum("(the plain game)" in name for name, _value in offered) == 1
    if field not in RANGES:
        assert set(values) == set(CHOICES[field])


def test_numbers_are_suggested_as_they_are_typed() -> None:
    assert value_choices("target", "175") == [("175 points", "175")]
    assert value_choices("target", "1") == [
        ("100 points (the plain game)", "100"),
        ("150 points", "150"),
    ]
    for typed in ("9999", "000000100999", "-100", "\u2212100"):
        assert value_choices("target", typed) == []
    assert value_choices("no such option", "") == []


def test_values_are_found_by_their_words() -> None:
    assert value_choices("tie", "void") == [("makes the hand void", "draw")]
    assert value_choices("knock_limit", "gin") == [("only gin", "0")]


def test_options_are_found_by_title_and_by_field() -> None:
    assert option_choices("big") == [("Big gin", "big_gin")]
    assert ("Level deadwood", "tie") in option_choices("tie")
    assert len(option_choices("")) == len(OPTIONS) <= 25
    for field in OPTIONS:
        assert parse_option(field) == parse_option(option_title(field).upper()) == field
    with pytest.raises(NotUnderstood, match="no house option “bananas”"):
        parse_option("bananas")


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("strict_bridge", "yes", True),
        ("strict_bridge", "OFF", False),
        ("big_gin", "off", None),
        ("big_gin", "none", None),
        ("big_gin", "0", 0),
        ("big_gin", "not played", None),
        ("big_gin", "Nothing", None),
        ("shutout", "nothing", Shutout.NONE),
        ("shutout", "off", Shutout.NONE),
        ("shutout", "double", Shutout.DOUBLE),
        ("shutout", "100 points", Shutout.PLUS_100),
        ("spades_double", "nothing", SpadesDouble.OFF),
        ("spades_double", "no", SpadesDouble.OFF),
        ("strict_bridge", "never", False),
        ("box_bonus", "none", 0),
        ("tie", "void", Tie.DRAW),
        ("next_dealer", "won the hand", NextDealer.WINNER),
        ("gin_bonus", "20 points", 20),
        ("box_timing", "at once", BoxTiming.AT_ONCE),
        ("winner", "first-to-target", Winner.FIRST_TO_TARGET),
        ("scoring", "hollywood", Scoring.HOLLYWOOD),
        ("knock_limit", "upcard", Limit.UPCARD),
    ],
)
def test_values_are_understood_as_people_type_them(field: str, text: str, value: Value) -> None:
    assert parse_value(field, text) == value


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("target", "49", "Target: type a number from 50 to 1000."),
        ("target", "-100", "Target: type a number from 50 to 1000."),
        ("target", "\u2212100", "Target: type a number from 50 to 1000."),
        ("target", "many", "Target: type a number from 50 to 1000."),
        ("target", "none", "Target: type a number from 50 to 1000."),
        ("next_dealer", "the hand", "Next dealer: “the hand” can't be chosen."),
        ("big_gin", "501", "Big gin: type a number from 0 to 500, or “off”."),
        ("tie", "bananas", "Level deadwood: “bananas” can't be chosen. Possible: is an undercut;"),
        ("knock_limit", "7", "Knock limit: “7” can't be chosen. Possible: 10 or less; only gin;"),
        ("strict_bridge", "", "can't be chosen"),
    ],
)
def test_other_values_are_refused_with_what_is_possible(field: str, text: str, said: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse_value(field, text)
    assert said in str(caught.value)


def test_typed_values_are_harmless_in_the_refusal() -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse_value("tie", "@everyone **x**")
    assert "@everyone" not in str(caught.value)
    assert "**" not in str(caught.value)


IMPOSSIBLE: list[dict[str, object]] = [
    {"scoring": "rotation", "shutout": "double"},
    {"scoring": "rotation", "next_dealer": "loser"},
    {"finish_rotation": True},
    {"target": 7},
    {"big_gin": 501},
    {"tie": "bananas"},
    {"knock_limit": 7},
    {"strict_bridge": "maybe"},
]


@pytest.mark.parametrize("changes", IMPOSSIBLE, ids=str)
def test_every_refusal_of_the_rules_is_a_sentence_without_a_fields_name(
    changes: dict[str, object],
) -> None:
    with pytest.raises(MalformedRules) as caught:
        Rules(**changes)  # type: ignore[arg-type]
    said = refusal_words(caught.value)
    assert said.endswith(".")
    assert not any(field in said for field in OPTIONS if "_" in field)


@pytest.mark.parametrize(("scoring", "players"), [("game", 3), ("hollywood", 3), ("rotation", 2)])
def test_the_wrong_number_of_players_is_refused_in_a_sentence(scoring: str, players: int) -> None:
    with pytest.raises(MalformedRules) as caught:
        Rules(scoring=Scoring(scoring)).check_players(players)
    said = refusal_words(caught.value)
    assert said != str(caught.value)
    assert "scoring must be" not in said


def test_every_combination_that_the_rules_refuse_has_a_sentence_of_ours() -> None:
    known = set(options._refusals())
    for changes in IMPOSSIBLE[:3]:
        with pytest.raises(MalformedRules) as caught:
            Rules(**changes)  # type: ignore[arg-type]
        assert str(caught.value) in known


def test_an_option_that_three_cannot_play_is_refused_with_a_sentence() -> None:
    with pytest.raises(MalformedRules) as caught:
        Rules(scoring=Scoring.ROTATION, shutout=Shutout.DOUBLE)
    assert "shutout can't be played by three" in refusal_words(caught.value)


@settings(deadline=None)
@given(st.sampled_from(OPTIONS), st.text(max_size=40))
def test_any_text_is_a_value_or_refused_with_a_sentence(field: str, text: str) -> None:
    refused = ""
    try:
        assert value_words(field, parse_value(field, text))
    except NotUnderstood as refusal:
        refused = str(refusal)
    assert refused == "" or refused.endswith(".")
    assert len(value_choices(field, text)) <= 25
    assert len(option_choices(text)) <= 25
