from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import Clock, TimeUp
from bot.ui.clocks import (
    clock_choices,
    clock_name,
    clock_terms,
    is_option,
    read_clock,
    span_words,
    threat,
)
from bot.ui.typed import NotUnderstood

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ON, WAIT, HAND, MATCH = (
    TimeUp.PLAY_ON,
    TimeUp.WAIT,
    TimeUp.FORFEIT_HAND,
    TimeUp.FORFEIT_MATCH,
)


@pytest.mark.parametrize(
    ("typed", "clock"),
    [
        ("3m", Clock(3 * MINUTE, ON)),
        ("2d forfeit", Clock(2 * DAY, MATCH)),
        ("2 days, then the match is lost", Clock(2 * DAY, MATCH)),
        ("90s", Clock(timedelta(seconds=90), ON)),
        ("1m30s wait", Clock(timedelta(seconds=90), WAIT)),
        ("1 h 30 min forfeit the hand", Clock(90 * MINUTE, HAND)),
        ("LIVE 5 Minutes / play on", Clock(5 * MINUTE, ON)),
        ("1 week house", Clock(7 * DAY, ON)),
        ("live 120 forfeit-hand", Clock(2 * MINUTE, HAND)),
        ("none", None),
        (" No clock ", None),
        ("off", None),
    ],
)
def test_a_clock_is_read_as_people_type_it(typed: str, clock: Clock | None) -> None:
    assert read_clock(typed) == clock


@pytest.mark.parametrize("then", TimeUp)
@pytest.mark.parametrize("turn", [30 * MINUTE / 60, 2 * MINUTE, HOUR, 3 * DAY])
def test_a_clock_reads_back_from_the_words_in_which_it_is_offered(
    turn: timedelta, then: TimeUp
) -> None:
    clock = Clock(turn, then)
    assert read_clock(clock_name(clock)) == clock


@pytest.mark.parametrize("typed", ["29s", "11m", "59 minutes", "8d", "0m", "1d 7d"])
def test_a_time_that_no_clock_allows_is_answered_with_those_that_can_be_had(typed: str) -> None:
    with pytest.raises(NotUnderstood, match="30 seconds to 10 minutes a turn, one for corr"):
        read_clock(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "fast",
        "3",
        "3m banana",
        "five minutes",
        "1234567s",
        "3x",
        "@everyone 3m",
        "1.5h",
        "-5m",
        "live -5m",
        "\u22125m",
        "- 5m forfeit",
        "2m-5m",
        "2\u20135m",
    ],
)
def test_other_words_are_answered_with_examples(typed: str) -> None:
    with pytest.raises(NotUnderstood, match="`2d forfeit`"):
        read_clock(typed)


@pytest.mark.parametrize("typed", ["-5m", "-5", "\u22125m", "2m-5m"])
def test_a_time_below_nothing_is_offered_as_nothing(typed: str) -> None:
    assert clock_choices(typed) == []


@given(st.text(max_size=300))
def test_whatever_is_typed_gets_an_answer_and_suggestions_that_can_be_chosen(typed: str) -> None:
    with suppress(NotUnderstood):
        read_clock(typed)
    for name, value in clock_choices(typed):
        assert 0 < len(name) <= 100
        read_clock(value)
    assert len(clock_choices(typed)) <= 25


def test_what_is_offered_first_says_what_it_means() -> None:
    offered = clock_choices("")
    assert offered[0] == ("no clock", "none")
    assert ("live · 2 minutes a turn, then the house plays on", "live 120 play-on") in offered
    assert ("correspondence · 1 day a turn, then the house plays on",
            "correspondence 86400 play-on") in offered  # fmt: skip
    assert len(offered) == 25


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("3m", "live 180 play-on"),
        ("2d forfeit", "correspondence 172800 forfeit-match"),
        ("3", "live 180 play-on"),
        ("hand", "live 60 forfeit-hand"),
        ("corr", "correspondence 86400 play-on"),
    ],
)
def test_suggestions_follow_what_is_typed(typed: str, first: str) -> None:
    assert clock_choices(typed)[0][1] == first


def test_a_time_alone_is_offered_with_every_end() -> None:
    assert [value.split()[-1] for _name, value in clock_choices("4m")] == list(TimeUp)
    assert clock_choices("40m") == []


def test_a_bare_number_is_offered_as_minutes_hours_and_days() -> None:
    assert [value for _name, value in clock_choices("7")[:3]] == [
        "live 420 play-on",
        "correspondence 25200 play-on",
        "correspondence 604800 play-on",
    ]


def test_the_terms_say_what_happens_when_the_time_is_up() -> None:
    assert "14 idle days" in clock_terms(None)
    assert "2 minutes a turn" in clock_terms(Clock(2 * MINUTE))
    assert "never knocks" in clock_terms(Clock(2 * MINUTE))
    assert "vacation" not in clock_terms(Clock(2 * MINUTE))
    for then in (HAND, None):
        clock = Clock(DAY, then) if then else Clock(DAY)
        assert "three turns in a row run out, the match is called off" in clock_terms(clock)
    for then in (WAIT, MATCH):
        assert "called off" not in clock_terms(Clock(DAY, then))
    assert "after 14 idle days either player may close" in clock_terms(Clock(DAY, WAIT))
    assert "14 idle days" not in clock_terms(Clock(DAY, MATCH))
    assert "vacation" in clock_terms(Clock(DAY, WAIT))
    assert "the hand is lost" in clock_terms(Clock(DAY, HAND))
    assert "the match is lost" in clock_terms(Clock(DAY, MATCH))
    assert len({threat(then) for then in TimeUp}) == 4


def test_spans_are_told_in_their_largest_parts() -> None:
    assert span_words(timedelta(seconds=30)) == "30 seconds"
    assert span_words(DAY) == "1 day"
    assert span_words(DAY + 2 * HOUR + MINUTE) == "1 day 2 hours 1 minute"


def test_the_clock_of_a_house_set_is_found_by_its_name() -> None:
    assert is_option("Clock")
    assert is_option("clock")
    assert not is_option("knock limit")
