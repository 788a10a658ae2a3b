"""A disk that is full while people play: each is told, nothing changes, and it goes on later.

What was written before it was full counts, is shown, and isn't denied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from db.errors import DatabaseUnusable
from db.onetrip import OneTripConnection
from playground.acting.people import text_of
from tests.e2e.fates import hand_of, lay_a_deal, row_of, sit_down, table_of
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")


async def full(_connection: OneTripConnection) -> None:
    """What SQLite says at the commit when the disk takes no more."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


async def test_on_a_full_disk_an_act_gets_a_sentence_and_counts_when_there_is_room_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit_down(room)
    hand = await hand_of(room, 1)
    commit = OneTripConnection.commit
    monkeypatch.setattr(OneTripConnection, "commit", full)
    with capture_logs() as logs:
        async with room.unchanged():
            pressed = await room.ben.press(hand, "Pass")
            typed = await room.ben.slash(room.table, "gin pass")
            asked = await room.cleo.slash(room.table, "gin challenge", opponent=room.ada)
            status = await room.ben.slash(room.table, "gin status")
    for answer in (pressed, typed, asked):
        assert "I can't write anything down just now" in answer.text
        assert answer.ephemeral or answer.message is not None
    assert "Ada" in status.text  # what only reads goes on
    said = {str(line["why"]) for line in logs if line["event"] == "database unusable"}
    assert len(said) == 1
    assert "no room left on the disk" in said.pop()
    monkeypatch.setattr(OneTripConnection, "commit", commit)
    assert not (await room.ben.press(hand, "Pass")).failed
    await room.settled()
    assert (await room.log())[-1] == "B pass"


def fails_once_after(
    monkeypatch: pytest.MonkeyPatch, act: tuple[object, str], then: tuple[object, str]
) -> None:
    """Let the database fail at the first call of ``then`` that comes after ``act``."""
    acts: Callable[..., Awaitable[Any]] = getattr(*act)  # Any: whatever that gives
    goes_on: Callable[..., Awaitable[Any]] = getattr(*then)
    done: list[object] = []
    failed: list[object] = []

    async def acting(*args: Any, **named: Any) -> Any:  # noqa: ANN401
        result = await acts(*args, **named)
        done.append(result)
        return result

    async def failing(*args: Any, **named: Any) -> Any:  # noqa: ANN401
        if done and not failed:
            failed.append(args)
            raise DatabaseUnusable("There is no room left on the disk.")
        return await goes_on(*args, **named)

    monkeypatch.setattr(*act, acting)
    monkeypatch.setattr(*then, failing)


async def test_an_act_that_was_written_before_the_disk_was_full_is_shown_to_everybody(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit_down(room)
    assert room.bot is not None
    house = room.bot.house
    fails_once_after(monkeypatch, (house.tables, "act"), (house.showing, "shown"))
    pressed = await room.ben.press(await hand_of(room, 1), "Pass")
    assert "That counts" in pressed.text
    await room.settled()
    log = await room.log()
    assert log[-1] == "B pass"
    assert [(await row_of(room, seat)).version for seat in (None, 0)] == [len(log)] * 2
    assert "Ada" in text_of(await table_of(room))


async def test_a_challenge_that_was_accepted_before_the_disk_was_full_is_played(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_a_deal(room)
    assert room.bot is not None
    house = room.bot.house
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    fails_once_after(monkeypatch, (house.challenges, "accept"), (house.people, "may_be_open"))
    pressed = await room.ben.press(challenge, "Accept")
    assert "That counts" in pressed.text
    await room.settled()
    assert await room.ada.sees(room.table, "This challenge was accepted")
    assert "Ben" in text_of(await table_of(room))
    assert "Pass" in text_of(await hand_of(room, 1))


async def test_a_challenge_that_was_written_before_the_disk_was_full_is_posted(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room.bot is not None
    house = room.bot.house
    fails_once_after(monkeypatch, (house.challenges, "propose"), (house.challenges, "shown"))
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    assert "That counts" in asked.text
    posted = await room.ben.sees(room.table, "challenge")
    assert not (await room.ben.press(posted, "Accept")).failed
    await room.settled()
    assert "Ben" in text_of(await table_of(room))


async def test_who_was_not_asked_whether_to_call_a_match_off_is_asked_at_the_next_try(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit_down(room)
    assert room.bot is not None
    house = room.bot.house
    fails_once_after(monkeypatch, (house.idle, "may_be_closed"), (house.showing, "ask_others"))
    assert "some of it counts" in (await room.ben.slash(room.table, "gin cancel")).text
    assert "I've asked" in (await room.ben.slash(room.table, "gin cancel")).text
    assert "You have asked already" in (await room.ben.slash(room.table, "gin cancel")).text


async def test_what_a_block_took_back_says_so_though_the_disk_was_full_right_after_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room.bot is not None
    house = room.bot.house
    await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    fails_once_after(monkeypatch, (house.people, "named"), (house.invitations, "show_settled"))
    blocked = await room.ada.slash(room.table, "gin-admin block", person=room.ben)
    assert "That counts" in blocked.text
    assert await room.cleo.sees(room.table, "This challenge was withdrawn")
