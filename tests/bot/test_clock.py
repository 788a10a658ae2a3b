from __future__ import annotations

from datetime import timedelta

import pytest

from bot.clock import Clock, MalformedClock, Pace, TimeUp

SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)


@pytest.mark.parametrize(
    ("turn", "pace"),
    [
        (30 * SECOND, Pace.LIVE),
        (10 * MINUTE, Pace.LIVE),
        (HOUR, Pace.CORRESPONDENCE),
        (7 * DAY, Pace.CORRESPONDENCE),
    ],
)
def test_a_turn_of_a_few_minutes_is_live_and_one_of_hours_is_correspondence(
    turn: timedelta, pace: Pace
) -> None:
    assert Clock(turn).pace is pace


@pytest.mark.parametrize(
    "turn",
    [timedelta(0), 29 * SECOND, 10 * MINUTE + SECOND, 59 * MINUTE, 7 * DAY + SECOND, 90.5 * SECOND],
)
def test_turns_that_no_clock_allows_are_refused(turn: timedelta) -> None:
    with pytest.raises(MalformedClock):
        Clock(turn)


@pytest.mark.parametrize("then", TimeUp)
def test_a_clock_is_kept_as_a_line_that_reads_back(then: TimeUp) -> None:
    clock = Clock(2 * MINUTE, then)
    assert clock.dump() == f"live 120 {then}"
    assert Clock.parse(clock.dump()) == clock


@pytest.mark.parametrize(
    "text",
    ["", "live", "live 120", "live 120 never", "live 29 wait", "correspondence 120 wait",
     "live 12e1 wait", "live ١٢٠ wait", "live -120 wait", "live 99999999 wait", "live 120  wait"],
)  # fmt: skip
def test_any_other_line_is_no_clock(text: str) -> None:
    with pytest.raises(MalformedClock):
        Clock.parse(text)


def test_a_player_is_reminded_when_a_fifth_of_a_long_enough_turn_is_left() -> None:
    assert Clock(90 * SECOND).warning is None
    assert Clock(2 * MINUTE).warning == 24 * SECOND
    assert Clock(HOUR).warning == 12 * MINUTE
    assert Clock(7 * DAY).warning == DAY
