"""A match whose log was packed long after its end: nobody who looks at it can tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.care import audit, retention
from db.ids import MatchId, PersonId
from db.rows import MatchStatus
from playground.acting.people import Person
from tests.e2e.acting import resigns
from tests.e2e.fates import sit_down, table_of
from tests.e2e.room import Room
from tests.e2e.test_admin import admin, status_of
from tests.e2e.test_privacy import delete, panel

pytestmark = pytest.mark.usefixtures("unhurried")


async def pages(room: Room, person: Person) -> list[str]:
    """All that a person is told of the first match."""
    asked = [
        await person.slash(room.table, f"gin {command}", match="1")
        for command in ("sheet", "status", "verify")
    ]
    asked.append(await person.slash(room.table, "gin leaderboard"))
    await person.press(await panel(room, person), "Send me my data")
    files = {
        file.filename: file.content.decode()
        for request in room.playground.sent
        for file in request.files
        if file.filename.endswith(".json")
    }
    acts = files["ginhouse-data.json"].split('"acts"')[1]
    return [*(answer.text for answer in asked), files["ginhouse-1.json"], acts]


async def test_a_packed_match_is_read_checked_voided_and_forgotten_like_any_other(
    room: Room,
) -> None:
    await sit_down(room)
    await room.ben.slash(room.table, "gin pass")
    await resigns(room.ben, room.table)
    await room.settled()
    before = await pages(room, room.ben)
    assert "B resign" in before[-1]
    log = await room.log()
    assert room.store is not None
    assert await retention.pack(room.store, datetime.now(UTC) + timedelta(days=1)) == 1

    await room.restart()
    assert room.store is not None
    assert await room.log() == log
    assert await pages(room, room.ben) == before
    again = await room.ada.slash(room.table, "gin rematch", match="1")
    assert "Ben" in again.text
    await room.ada.slash(room.table, "gin respond", answer="withdraw")
    assert "counts no more" in (await admin(room, "match-void", match="1")).text
    assert await status_of(room) is MatchStatus.VOID
    await delete(room, room.ben)
    assert "Former player" in (await room.ada.slash(room.table, "gin sheet", match="1")).text
    assert "Ben" not in (await room.ada.slash(room.table, "gin sheet", match="1")).text
    async with room.store.reading() as tx:
        actors = {entry.actor for entry in await tx.matches.log(MatchId(1))} - {None}
    assert len(actors) == 1
    assert PersonId(room.ben.id) not in actors
    well, report = await audit.check(room.store)
    assert well, report
    assert await table_of(room)
