"""A disk that is full while people play: each is told, nothing changes, and it goes on later."""

from __future__ import annotations

import sqlite3

import pytest
from structlog.testing import capture_logs

from db.onetrip import OneTripConnection
from tests.e2e.fates import hand_of, sit_down
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
