"""A rush: who is served, who is put off, who is let go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from discord.utils import time_snowflake

from bot.front.rush import REMEMBERED_FOR, Rush, Turn
from db.ids import InteractionId

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clocks:
    """Discord's clock and ours, which nobody sets, but which may run ahead."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.ahead = 0.0

    def ours(self) -> float:
        return 1000.0 + self.passed + self.ahead

    def pressed(self, seconds_ago: float) -> InteractionId:
        return InteractionId(time_snowflake(START + timedelta(seconds=self.passed - seconds_ago)))


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def rush(clocks: Clocks) -> Rush:
    made = Rush(3, clocks.ours)
    assert made.turn(clocks.pressed(0.1)) is Turn.SERVED  # the usual way takes 0.1 s
    return made


@pytest.fixture
async def busy(rush: Rush) -> AsyncIterator[list[asyncio.Future[None]]]:
    """Three at work, which is all that this house can do."""
    work = [asyncio.get_running_loop().create_future() for _ in range(3)]
    for one in work:
        rush.follow(one)
    yield work
    for one in work:
        one.cancel()


async def done(work: list[asyncio.Future[None]]) -> None:
    work.pop().set_result(None)
    await asyncio.sleep(0)


async def test_as_many_as_can_be_are_served_and_the_next_is_put_off(
    rush: Rush, clocks: Clocks, busy: list[asyncio.Future[None]]
) -> None:
    assert rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF
    await done(busy)
    assert rush.turn(clocks.pressed(0.1)) is Turn.SERVED


@pytest.mark.parametrize(
    ("seconds", "turn"),
    [(1.4, Turn.SERVED), (1.7, Turn.PUT_OFF), (2.2, Turn.PUT_OFF), (2.4, Turn.LET_GO)],
)
async def test_in_a_rush_those_who_waited_long_are_put_off_or_let_go(
    rush: Rush, clocks: Clocks, busy: list[asyncio.Future[None]], seconds: float, turn: Turn
) -> None:
    rush.turn(clocks.pressed(0.1))
    await done(busy)
    assert rush.turn(clocks.pressed(seconds)) is turn


async def test_without_a_rush_everybody_is_served_however_late(
    rush: Rush, clocks: Clocks, busy: list[asyncio.Future[None]]
) -> None:
    await done(busy)
    assert rush.turn(clocks.pressed(9.0)) is Turn.SERVED
    rush.follow(asyncio.get_running_loop().create_future())
    assert rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF
    await done(busy)
    clocks.passed += 2.1
    assert rush.turn(clocks.pressed(9.0)) is Turn.SERVED


async def test_a_clock_that_is_wrong_from_the_start_makes_nobody_late(clocks: Clocks) -> None:
    clocks.ahead = 60.0
    rush = Rush(1, clocks.ours)
    assert rush.turn(clocks.pressed(0.1)) is Turn.SERVED
    work: list[asyncio.Future[None]] = [asyncio.get_running_loop().create_future()]
    rush.follow(work[0])
    assert rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF
    await done(work)
    assert rush.turn(clocks.pressed(0.2)) is Turn.SERVED


@pytest.mark.parametrize("minutes", [(5, 5), (60,)])
async def test_a_clock_that_runs_ahead_makes_nobody_late_in_a_rush_minutes_later(
    rush: Rush, clocks: Clocks, busy: list[asyncio.Future[None]], minutes: tuple[int, ...]
) -> None:
    clocks.ahead = 3.0
    for passed in minutes:
        clocks.passed += passed * 60.0
        assert rush.turn(clocks.pressed(0.1)) is not Turn.SERVED
    await done(busy)
    assert rush.turn(clocks.pressed(0.2)) is Turn.SERVED


async def test_the_usual_way_is_remembered_through_a_rush(
    rush: Rush, clocks: Clocks, busy: list[asyncio.Future[None]]
) -> None:
    """Else those who wait ever longer would seem to come in time."""
    clocks.passed += REMEMBERED_FOR.total_seconds() * 1.2
    assert rush.turn(clocks.pressed(2.4)) is Turn.LET_GO
    assert busy
