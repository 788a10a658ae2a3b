"""A rush: who is served, who waits for a place, who is put off, who is let go."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from discord.utils import time_snowflake

from bot.front.rush import REMEMBERED_FOR, Rush, Turn
from db.ids import InteractionId

START = datetime(2026, 1, 1, tzinfo=UTC)
AT_ONCE = timedelta(0)
IN_TWO_HOURS = timedelta(hours=2)


class Clocks:
    """Discord's clock and ours, which nobody sets, but which may run ahead."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.ahead = 0.0

    def ours(self) -> float:
        return 1000.0 + self.passed + self.ahead

    def pressed(self, seconds_ago: float) -> InteractionId:
        return InteractionId(time_snowflake(START + timedelta(seconds=self.passed - seconds_ago)))


class Work:
    """All that a house is doing: each piece the work of somebody who is served."""

    def __init__(self, rush: Rush, clocks: Clocks) -> None:
        self.rush = rush
        self.clocks = clocks
        self._left: list[asyncio.Future[None]] = []

    async def begin(self, pieces: int) -> None:
        """Serve so many people, whose way took the usual 0.1 s."""
        for _ in range(pieces):
            assert await self.rush.turn(self.clocks.pressed(0.1)) is Turn.SERVED
            self.follow()

    def follow(self) -> None:
        """Work for somebody who was let in."""
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.rush.follow(work)
        self._left.append(work)

    async def end(self, pieces: int = 1) -> None:
        """Be done with those that were begun first."""
        for _ in range(pieces):
            self.end_unnoticed()
        await everybody_noticed()

    def end_unnoticed(self) -> None:
        """Be done with one, of which nobody has heard yet."""
        self._left.pop(0).set_result(None)


async def everybody_noticed() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
async def busy(clocks: Clocks) -> Work:
    """Three at work, which is all that this house can do; nobody waits there for a place."""
    work = Work(Rush(3, AT_ONCE, clocks.ours), clocks)
    await work.begin(3)
    return work


@pytest.fixture
async def patient(clocks: Clocks) -> Work:
    """The same, but there everybody waits who finds no place."""
    work = Work(Rush(3, IN_TWO_HOURS, clocks.ours), clocks)
    await work.begin(3)
    return work


# ------------------------------------------------------------------------- a place at work


async def test_as_many_as_can_be_are_served_and_the_next_is_put_off(
    busy: Work, clocks: Clocks
) -> None:
    assert await busy.rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF
    await busy.end()
    clocks.passed += 2.1
    assert await busy.rush.turn(clocks.pressed(0.1)) is Turn.SERVED


async def test_who_finds_no_place_waits_for_one_and_the_first_who_came_is_the_first_served(
    patient: Work, clocks: Clocks
) -> None:
    first, second = (
        asyncio.create_task(patient.rush.turn(clocks.pressed(seconds))) for seconds in (0.1, 0.5)
    )
    await everybody_noticed()
    assert not first.done()
    await patient.end()
    assert first.done()
    assert await first is Turn.SERVED
    assert not second.done()
    patient.follow()
    await patient.end()
    assert await second is Turn.SERVED


async def test_nobody_overtakes_those_who_wait(patient: Work, clocks: Clocks) -> None:
    waits = asyncio.create_task(patient.rush.turn(clocks.pressed(0.1)))
    await everybody_noticed()
    late = asyncio.create_task(patient.rush.turn(clocks.pressed(0.1)))
    await patient.end()
    assert waits.done()
    assert not late.done()
    late.cancel()


async def test_who_waits_in_vain_is_put_off_when_his_time_comes(clocks: Clocks) -> None:
    work = Work(Rush(1, timedelta(seconds=0.02), clocks.ours), clocks)
    await work.begin(1)
    assert await work.rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF
    await work.end()
    clocks.passed += 2.1
    await work.begin(1)


async def test_the_place_of_somebody_who_waits_no_more_goes_to_the_next(
    patient: Work, clocks: Clocks
) -> None:
    gone, here, last = (
        asyncio.create_task(patient.rush.turn(clocks.pressed(0.1))) for _ in range(3)
    )
    await everybody_noticed()
    gone.cancel()
    await patient.end()
    assert await here is Turn.SERVED
    patient.follow()
    # One who goes in the very moment in which he is let in holds no place either.
    fourth = asyncio.create_task(patient.rush.turn(clocks.pressed(0.1)))
    await asyncio.sleep(0)
    patient.end_unnoticed()
    await asyncio.sleep(0)
    last.cancel()
    await everybody_noticed()
    assert await fourth is Turn.SERVED


async def test_work_that_waits_for_something_leaves_its_place_to_others(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.front.rush.WAITS_AT_MOST", timedelta(seconds=0.01))
    work = Work(Rush(1, IN_TWO_HOURS, clocks.ours), clocks)
    await work.begin(1)
    clocks.passed += 1.0
    assert await work.rush.turn(clocks.pressed(0.1)) is Turn.SERVED
    work.follow()
    await work.end()  # the first is done by now: that gives back no second place
    await work.end()
    await work.begin(1)


# ------------------------------------------------------------------ telling those put off


async def test_where_it_takes_long_to_tell_people_they_are_told_sooner(
    clocks: Clocks,
) -> None:
    """Of the three seconds nothing is left for waiting where to tell them takes 2.5."""
    work = Work(Rush(1, IN_TWO_HOURS, clocks.ours), clocks)
    await work.begin(1)
    for _ in range(40):  # 0.1 s is expected at first, and a tenth more after each of these
        async with work.rush.telling():
            clocks.passed += 2.5
    assert await work.rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF


async def test_one_of_five_who_is_told_slowly_is_no_reason_to_tell_everybody_sooner(
    clocks: Clocks,
) -> None:
    work = Work(Rush(1, IN_TWO_HOURS, clocks.ours), clocks)
    await work.begin(1)
    for _ in range(40):
        for seconds in (2.5, 0.05, 0.05, 0.05, 0.05):
            async with work.rush.telling():
                clocks.passed += seconds
    waits = asyncio.create_task(work.rush.turn(clocks.pressed(0.1)))
    await everybody_noticed()
    assert not waits.done()
    waits.cancel()


# ------------------------------------------------------------------------------- lateness


@pytest.mark.parametrize(
    ("seconds", "turn"),
    [(1.2, Turn.SERVED), (1.4, Turn.PUT_OFF), (2.5, Turn.PUT_OFF), (2.8, Turn.LET_GO)],
)
async def test_in_a_rush_those_who_waited_long_are_put_off_or_let_go(
    clocks: Clocks, seconds: float, turn: Turn
) -> None:
    """The usual way takes 0.1 s, so that 1.7 s are 1.6 s late."""
    work = Work(Rush(3, clock=clocks.ours), clocks)
    await work.begin(3)
    assert await work.rush.turn(clocks.pressed(2.0)) is Turn.PUT_OFF  # a rush begins
    await work.end()
    assert await work.rush.turn(clocks.pressed(seconds)) is turn


async def test_without_a_rush_everybody_is_served_however_late(busy: Work, clocks: Clocks) -> None:
    await busy.end()
    assert await busy.rush.turn(clocks.pressed(9.0)) is Turn.SERVED
    busy.follow()
    assert await busy.rush.turn(clocks.pressed(0.1)) is Turn.PUT_OFF
    await busy.end()
    clocks.passed += 2.1
    assert await busy.rush.turn(clocks.pressed(9.0)) is Turn.SERVED


async def test_a_clock_that_is_wrong_from_the_start_makes_nobody_late(clocks: Clocks) -> None:
    clocks.ahead = 60.0
    work = Work(Rush(1, clock=clocks.ours), clocks)
    await work.begin(1)
    waits = asyncio.create_task(work.rush.turn(clocks.pressed(0.2)))
    await everybody_noticed()
    assert not waits.done()
    await work.end()
    assert await waits is Turn.SERVED


@pytest.mark.parametrize("minutes", [(5, 5), (60,)])
async def test_a_clock_that_runs_ahead_makes_nobody_late_in_a_rush_minutes_later(
    clocks: Clocks, minutes: tuple[int, ...]
) -> None:
    work = Work(Rush(3, clock=clocks.ours), clocks)
    await work.begin(3)
    clocks.ahead = 3.0
    for passed in minutes:
        clocks.passed += passed * 60.0
        comes = asyncio.create_task(work.rush.turn(clocks.pressed(0.1)))
        await everybody_noticed()
        comes.cancel()
        await everybody_noticed()
    await work.end()
    assert await work.rush.turn(clocks.pressed(0.2)) is Turn.SERVED


async def test_the_usual_way_is_remembered_through_a_rush(busy: Work, clocks: Clocks) -> None:
    """Else those who wait ever longer would seem to come in time."""
    clocks.passed += REMEMBERED_FOR.total_seconds() * 1.2
    assert await busy.rush.turn(clocks.pressed(2.8)) is Turn.LET_GO
