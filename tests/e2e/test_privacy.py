"""What is kept of a person, taking it along, deleting it; and how long anything is kept."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from bot.care import audit, retention
from db.ids import MatchId, PersonId
from db.rows import MatchStatus
from playground.acting.people import Answer, Person, buttons, text_of
from playground.state.model import Message
from tests.e2e.acting import resigns
from tests.e2e.fates import sit_down, table_of
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")


def message_of(answer: Answer) -> Message:
    assert not answer.failed
    assert answer.message is not None
    return answer.message


async def panel(room: Room, person: Person) -> Message:
    return message_of(await person.slash(room.table, "gin privacy"))


async def delete(room: Room, person: Person) -> Message:
    """Go the whole way through the panel."""
    shown = await panel(room, person)
    asked = await person.press(shown, "Delete my data…")
    assert not asked.failed
    await person.press(shown, "Delete everything")
    await room.settled()
    return shown


def whole_database(room: Room) -> str:
    """Every row of every table, as text, with what the write-ahead log holds."""
    with closing(sqlite3.connect(room.database)) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return "\n".join(
            f"{name}: {row}"
            for name in tables
            for row in connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - our own names
        )


async def played(room: Room) -> None:
    """Ada has won a match against Ben, who had typed a word into its shuffles."""
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()


async def test_privacy_says_what_is_kept_and_for_how_long(room: Room) -> None:
    shown = await panel(room, room.ben)
    assert shown.ephemeral
    assert "your Discord id" in text_of(shown)
    assert "after 30 days" in text_of(shown)
    assert "after 365 days" in text_of(shown)
    assert "730 days" in text_of(shown)
    assert buttons(shown) == ["Send me my data", "Delete my data…"]


async def test_the_export_holds_ones_own_acts_and_nobody_elses_cards(room: Room) -> None:
    await played(room)
    await sit_down(room)
    await room.ben.slash(room.table, "gin pass")
    sent = message_of(await room.ben.press(await panel(room, room.ben), "Send me my data"))
    assert sent.ephemeral
    (file,) = [
        file
        for request in room.playground.sent
        for file in request.files
        if file.filename == "ginhouse-data.json"
    ]
    record = json.loads(file.content)
    assert record["person"] == str(room.ben.id)
    assert record["profile"][0]["name"] == "Ben"
    assert record["profile"][0]["goes_by_it_since"] is not None
    assert {row["server_name"] for row in record["matches"]} == {"The Card Room"}
    assert [row["id"] for row in record["matches"]] == [1, 2]
    assert record["results"][0]["won"] is False
    assert [row["text"] for row in record["acts"]] == ["B resign", "B pass"]
    assert [row["status"] for row in record["challenges"]] == ["accepted", "accepted"]
    assert '"deal ' not in file.content.decode()
    assert "AS" not in {row["text"] for row in record["acts"]}


async def test_who_deletes_his_data_leaves_nothing_that_names_him(room: Room) -> None:
    await played(room)
    await room.begin(room.cleo, room.ben)
    await room.ben.slash(room.table, "gin settings")
    assert room.store is not None
    board = (await room.cleo.slash(room.table, "gin leaderboard")).text
    sheet = (await room.ada.slash(room.table, "gin sheet", match="1")).text
    assert "Ben" in whole_database(room)

    shown = await delete(room, room.ben)
    assert "Your data is deleted" in text_of(shown)
    left = [one for one in room.ben.messages(room.ben.dm()) if "Pass" in buttons(one)]
    assert left == [], "no panel of the match that he left"
    kept = whole_database(room)
    assert "Ben" not in kept
    assert str(room.ben.id) not in kept
    assert str(room.ben.dm().id) not in kept

    async with room.store.reading() as tx:
        row = await tx.matches.get(MatchId(2))
        first = await tx.matches.get(MatchId(1))
        assert row is not None
        assert first is not None
        assert row.status is MatchStatus.FINISHED  # resigned, so Cleo has her result
        (number,) = {*row.people, *first.people} - {room.ada.id, room.cleo.id}
        assert number < 0
        standings = {one.person_id: one for one in (await tx.league.page(row.server_id, 9)).lines}
    assert (standings[PersonId(room.ada.id)].won, standings[PersonId(room.cleo.id)].won) == (1, 1)
    assert (standings[number].played, standings[number].won) == (2, 0)
    assert standings[number].name == "Former player"

    after = (await room.cleo.slash(room.table, "gin leaderboard")).text
    assert "Former player" in after
    assert "Ben" in board
    assert "Ben" not in after
    again = (await room.ada.slash(room.table, "gin sheet", match="1")).text
    assert "Ben" not in again
    assert re.findall(r"\d+", again) == re.findall(r"\d+", sheet)
    ended = text_of(await table_of(room, 2))
    assert "Former player" in ended
    assert "the shuffles can't be checked any more" in ended
    assert "Rematch" not in buttons(await table_of(room, 2)), "nobody is there to play it"
    assert (await audit.check(room.store))[0]
    refused = await room.ada.slash(room.table, "gin verify", match="1")
    assert "had their data deleted" in refused.text
    await room.restart()
    assert room.store is not None
    assert (await audit.check(room.store))[0]


async def test_nobody_asks_a_former_player_for_a_rematch(room: Room) -> None:
    await played(room)
    table = await table_of(room)
    hand = next(one for one in room.ada.messages(room.ada.dm()) if "Rematch" in buttons(one))
    await delete(room, room.ben)
    for asked in (
        await room.ada.press(table, "Rematch"),
        await room.ada.press(hand, "Rematch"),
        await room.ada.slash(room.table, "gin rematch"),
        await room.ada.slash(room.ada.dm(), "gin rematch", match="1"),
    ):
        assert "had their data deleted" in asked.text
        assert "`/gin challenge` asks somebody else" in asked.text
    with closing(sqlite3.connect(room.database)) as connection:
        assert connection.execute("SELECT count(*) FROM challenges").fetchone() == (1,)


async def test_who_saw_a_match_end_as_the_other_went_is_offered_no_rematch(room: Room) -> None:
    await sit_down(room)
    assert room.bot is not None
    act = room.bot.house.tables.act

    async def shown_at_once(match: MatchId, *args: object, **named: object) -> object:
        ended = await act(match, *args, **named)  # type: ignore[arg-type]
        room.bot.house.showing.changed(match)  # type: ignore[union-attr]
        await room.bot.house.showing.settle()  # type: ignore[union-attr]
        return ended

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(room.bot.house.tables, "act", shown_at_once)
        await delete(room, room.ben)
    hand = room.ada.messages(room.ada.dm())[-1]
    for ended in (await table_of(room), hand):
        assert "Former player" in text_of(ended)
        assert "Rematch" not in buttons(ended)


async def test_open_challenges_of_who_goes_are_settled(room: Room) -> None:
    made = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    await delete(room, room.ben)
    assert "withdrawn" in text_of(message_of(made))
    assert "declined" in text_of(message_of(asked))
    assert str(room.ben.id) not in whole_database(room)


async def test_who_keeps_his_data_after_all_keeps_all_of_it(room: Room) -> None:
    await sit_down(room)
    before = whole_database(room)
    shown = await panel(room, room.ben)
    await room.ben.press(shown, "Delete my data…")
    assert "1 running match: it is **resigned**" in text_of(shown)
    await room.ben.press(shown, "Keep it")
    assert "Send me my data" in buttons(shown)
    assert whole_database(room) == before


async def test_who_comes_back_begins_anew(room: Room) -> None:
    await played(room)
    await delete(room, room.ben)
    assert "You have no match here" in (await room.ben.slash(room.table, "gin hand")).text
    await room.begin()
    assert room.store is not None
    async with room.store.reading() as tx:
        assert [row.id for row in await tx.matches.running_of(PersonId(room.ben.id))] == [2]
        assert len(await tx.privacy.matches_of(PersonId(room.ben.id))) == 1
    await delete(room, room.ben)
    async with room.store.reading() as tx:
        people = {*(await _people(room, 1)), *(await _people(room, 2))}
    assert sum(person < 0 for person in people) == 2  # nothing joins the two


async def test_who_only_looks_is_not_written_down_neither_before_nor_after_deleting(
    room: Room,
) -> None:
    await played(room)
    await delete(room, room.ben)
    for person in (room.ben, room.cleo):
        shown = message_of(await person.slash(room.table, "gin help"))
        await person.choose(shown, "Scoring")
        await person.slash(room.table, "gin leaderboard")
        await person.slash(room.table, "gin sheet", match="1")
        await person.press(await table_of(room), "Score sheet")
        refused = await person.slash(room.table, "gin challenge", opponent=person)
        assert "can't play against yourself" in refused.text
        assert str(person.id) not in whole_database(room)
    await room.cleo.slash(room.table, "gin challenge", opponent=room.ada)
    assert f"people: ({room.cleo.id}, 'Cleo'" in whole_database(room)


async def _people(room: Room, number: int) -> tuple[PersonId, ...]:
    assert room.store is not None
    async with room.store.reading() as tx:
        row = await tx.matches.get(MatchId(number))
    assert row is not None
    return row.people


async def test_a_server_block_is_not_escaped_by_deleting(room: Room) -> None:
    await room.ada.slash(room.table, "gin-admin block", person=room.ben)
    await delete(room, room.ben)
    refused = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    assert "can't play on this server" in refused.text


async def test_what_was_kept_long_enough_is_forgotten(room: Room) -> None:
    assert room.bot is not None
    assert room.store is not None
    await played(room)
    await room.cleo.slash(room.table, "gin challenge", opponent=room.ada)
    await room.cleo.slash(room.table, "gin respond", answer="withdraw")
    await room.ada.slash(room.table, "gin-admin limits", matches=3)
    now = datetime.now(UTC)

    async def left() -> tuple[int, int, bool]:
        with closing(sqlite3.connect(room.database)) as connection:
            (challenges,) = connection.execute("SELECT count(*) FROM challenges").fetchone()
            (acts,) = connection.execute("SELECT count(*) FROM admin_acts").fetchone()
        return challenges, acts, "Ben" in whole_database(room)

    assert await left() == (2, 1, True)
    await retention.tidy(room.bot.house, now + timedelta(days=29))
    assert await left() == (2, 1, True)
    await retention.tidy(room.bot.house, now + timedelta(days=31))
    assert await left() == (1, 1, True)  # the one that led to a match stays with it
    await retention.tidy(room.bot.house, now + timedelta(days=366))
    assert await left() == (1, 0, True)
    await retention.tidy(room.bot.house, now + timedelta(days=731))
    assert await left() == (1, 0, False)
    async with room.store.reading() as tx:
        assert len(await tx.matches.results(MatchId(1))) == 2
    assert (await audit.check(room.store))[0]


async def test_who_still_plays_is_never_forgotten_by_itself(room: Room) -> None:
    assert room.bot is not None
    await sit_down(room)
    await retention.tidy(room.bot.house, datetime.now(UTC) + timedelta(days=5000))
    assert {room.ada.id, room.ben.id} == set(await _people(room, 1))
