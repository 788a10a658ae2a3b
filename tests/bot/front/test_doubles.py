"""Doubles: which press is the second click of one that has just acted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

from bot.front.doubles import COUNTS_FOR, Doubles
from bot.front.visit import Visit
from tests.bot.front.pressed import Pressed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PASS = "gin:pass:7:2"


def pressed(control: str = PASS, *, values: list[str] | None = None, **other: int) -> Visit:
    """A press; ``other`` gives another person's id, or another message's."""
    it: Any = Pressed().it  # Any: a mock
    it.type = discord.InteractionType.component
    it.data = {"custom_id": control, "values": values or []}
    it.user.id = other.get("person", 1)
    it.message.id = other.get("message", 8)
    return Visit.of(it)


def test_the_second_click_of_a_control_is_a_double_of_the_first() -> None:
    doubles = Doubles()
    first, second = pressed(), pressed()
    doubles.begins(first, NOON)
    assert not doubles.is_one(first)
    doubles.begins(second, NOON + timedelta(seconds=1))
    assert doubles.is_one(second)


@pytest.mark.parametrize(
    "other",
    [
        pressed("gin:pass:7:4"),
        pressed(values=["7H"]),
        pressed(person=2),
        pressed(message=9),
    ],
    ids=["control", "choice", "person", "message"],
)
def test_another_control_choice_person_or_message_makes_no_double(other: Visit) -> None:
    doubles = Doubles()
    doubles.begins(pressed(), NOON)
    doubles.begins(other, NOON)
    assert not doubles.is_one(other)


def test_a_press_that_changed_nothing_has_no_double() -> None:
    """An old button pressed twice says twice that it is old."""
    doubles = Doubles()
    first, second = pressed(), pressed()
    doubles.begins(first, NOON)
    doubles.did_nothing(first)
    doubles.begins(second, NOON)
    assert not doubles.is_one(second)


def test_a_press_long_after_is_no_double() -> None:
    doubles = Doubles()
    doubles.begins(pressed(), NOON)
    later = pressed()
    doubles.begins(later, NOON + COUNTS_FOR)
    assert not doubles.is_one(later)


def test_what_is_typed_has_no_double() -> None:
    doubles = Doubles()
    typed = [Visit.of(Pressed(on_message=False).it) for _time in range(2)]
    for visit in typed:
        doubles.begins(visit, NOON)
    assert not doubles.is_one(typed[1])
