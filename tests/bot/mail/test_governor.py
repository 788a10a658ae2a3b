"""The governor: at most so many requests a second, the most urgent first."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from bot.mail.governor import MOST_PER_WINDOW, Governor, Urgency


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0.001)


async def test_requests_start_at_once_while_there_is_room() -> None:
    governor = Governor(most=3, clock=Clock())
    for _ in range(3):
        await governor.slot(Urgency.TIDY)
    assert governor.granted == 3


async def test_one_request_more_than_the_window_holds_has_to_wait() -> None:
    clock = Clock()
    governor = Governor(most=2, window=timedelta(milliseconds=5), clock=clock)
    await governor.slot(Urgency.TURN)
    await governor.slot(Urgency.TURN)
    late = asyncio.create_task(governor.slot(Urgency.TURN))
    await settle()
    assert not late.done()
    clock.now += 0.005
    await late
    assert governor.granted == 3


async def test_a_turn_notice_overtakes_edits_that_only_tidy_up() -> None:
    clock = Clock()
    governor = Governor(most=1, window=timedelta(milliseconds=5), clock=clock)
    await governor.slot(Urgency.TURN)
    served: list[str] = []

    async def ask(name: str, urgency: Urgency) -> None:
        await governor.slot(urgency)
        served.append(name)

    waiting = [
        asyncio.create_task(ask("tidy", Urgency.TIDY)),
        asyncio.create_task(ask("table", Urgency.TABLE)),
        asyncio.create_task(ask("turn", Urgency.TURN)),
        asyncio.create_task(ask("second turn", Urgency.TURN)),
    ]
    for _ in waiting:
        await settle()
        clock.now += 0.005
    await asyncio.gather(*waiting)
    assert served == ["turn", "second turn", "table", "tidy"]


async def test_somebody_who_gives_up_waiting_takes_no_turn_away() -> None:
    clock = Clock()
    governor = Governor(most=1, window=timedelta(milliseconds=5), clock=clock)
    await governor.slot(Urgency.TURN)
    gone = asyncio.create_task(governor.slot(Urgency.TURN))
    stays = asyncio.create_task(governor.slot(Urgency.TIDY))
    await settle()
    gone.cancel()
    clock.now += 0.005
    await stays
    assert governor.granted == 2


async def test_no_second_ever_holds_more_than_the_limit() -> None:
    clock = Clock()
    starts: list[float] = []
    governor = Governor(window=timedelta(milliseconds=5), clock=clock)

    async def ask() -> None:
        await governor.slot(Urgency.TABLE)
        starts.append(clock.now)

    waiting = [asyncio.create_task(ask()) for _ in range(200)]
    while not all(task.done() for task in waiting):
        await settle()
        clock.now += 0.001
    for first in starts:
        assert sum(first <= start < first + 0.005 - 1e-9 for start in starts) <= MOST_PER_WINDOW
