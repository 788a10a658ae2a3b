"""A rush: who is served, who is put off, who is let go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from discord.utils import time_snowflake

from bot.front.rush import Rush, Turn
from db.ids import InteractionId

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clocks:
    """Discord's clock, ours, and one that only goes on."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.ahead = 0.0

    def now(self) -> float:
        return START.timestamp() + self.passed + self.ahead

    def monotonic(self) -> float:
        return self.passed

    def pressed(self, seconds_ago: float) -> InteractionId:
        return InteractionId(time_snowflake(START + timedelta(seconds=self.passed - seconds_ago)))


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def rush(clocks: Clocks) -> Rush:
    made = Rush(3, clocks.now, clocks.monotonic)
    assert made.turn(clocks.pressed(0.1), inside=1) is Turn.SERVED  # the usual way takes 0.1 s
    return made


def test_as_many_as_can_be_are_served_and_the_next_is_put_off(rush: Rush, clocks: Clocks) -> None:
    assert rush.turn(clocks.pressed(0.1), inside=3) is Turn.SERVED
    assert rush.turn(clocks.pressed(0.1), inside=4) is Turn.PUT_OFF
    assert rush.turn(clocks.pressed(0.1), inside=3) is Turn.SERVED


@pytest.mark.parametrize(
    ("seconds", "turn"),
    [(0.8, Turn.SERVED), (1.0, Turn.PUT_OFF), (2.2, Turn.PUT_OFF), (2.4, Turn.LET_GO)],
)
def test_in_a_rush_those_who_waited_long_are_put_off_or_let_go(
    rush: Rush, clocks: Clocks, seconds: float, turn: Turn
) -> None:
    rush.turn(clocks.pressed(0.1), inside=4)
    assert rush.turn(clocks.pressed(seconds), inside=1) is turn


def test_without_a_rush_everybody_is_served_however_late(rush: Rush, clocks: Clocks) -> None:
    assert rush.turn(clocks.pressed(9.0), inside=3) is Turn.SERVED
    rush.turn(clocks.pressed(0.1), inside=4)
    clocks.passed += 2.1
    assert rush.turn(clocks.pressed(9.0), inside=3) is Turn.SERVED


def test_a_clock_that_is_wrong_from_the_start_makes_nobody_late(clocks: Clocks) -> None:
    clocks.ahead = 60.0
    rush = Rush(3, clocks.now, clocks.monotonic)
    assert rush.turn(clocks.pressed(0.1), inside=1) is Turn.SERVED
    rush.turn(clocks.pressed(0.1), inside=4)
    assert rush.turn(clocks.pressed(0.2), inside=2) is Turn.SERVED


def test_a_clock_that_is_set_forward_turns_nobody_away_while_there_is_no_rush(
    rush: Rush, clocks: Clocks
) -> None:
    clocks.ahead = 60.0
    assert rush.turn(clocks.pressed(0.1), inside=3) is Turn.SERVED
