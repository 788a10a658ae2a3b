"""How much one person may ask in ten seconds."""

from __future__ import annotations

from bot.front import pace
from bot.front.pace import Pace
from db.ids import PersonId

ANN, BOB = PersonId(1), PersonId(2)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_thirty_first_act_in_ten_seconds_is_refused_and_nobody_else_is() -> None:
    kept = Pace(30, Clock())
    assert all(kept.allows(ANN) for _ in range(30))
    assert not kept.allows(ANN)
    assert kept.allows(BOB)


def test_who_waits_is_served_again_whatever_he_pressed_meanwhile() -> None:
    clock = Clock()
    kept = Pace(3, clock)
    for second in (0, 4, 8):
        clock.now = 100 + second
        assert kept.allows(ANN)
    clock.now = 109.9
    assert not kept.allows(ANN)
    clock.now = 110.0  # the first one is ten seconds old
    assert kept.allows(ANN)
    assert not kept.allows(ANN)


def test_who_is_not_served_is_told_so_once_in_ten_seconds() -> None:
    clock = Clock()
    kept = Pace(1, clock)
    assert kept.tells(ANN)
    assert kept.tells(BOB)
    clock.now = 109.9
    assert not kept.tells(ANN)
    clock.now = 110.0
    assert kept.tells(ANN)
    assert not kept.tells(ANN)


def test_nobody_is_counted_where_that_is_turned_off() -> None:
    kept = Pace(0)
    assert all(kept.allows(ANN) for _ in range(1000))


def test_no_more_people_are_remembered_than_fit() -> None:
    kept = Pace(1, Clock())
    for number in range(pace.PEOPLE_REMEMBERED + 5):
        assert kept.allows(PersonId(number))
    assert len(kept._times) == pace.PEOPLE_REMEMBERED
