"""Whatever is pressed, typed or forged: no fault, nothing that the rules forbid, no hidden card.

The full number is `python -m bench fuzz 100000`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gin import DECK, Pile
from gin.actions import Draw
from gin.events import Play
from gin.notation import dump_event
from playground.acting.people import Answer, Person, text_of
from playground.state import invoking
from playground.state.interactions import InteractionType
from playground.wire import Json
from tests.e2e.acting import resigns
from tests.e2e.fates import hand_of, sit_down
from tests.e2e.fuzzing import fuzz, rounds
from tests.e2e.room import Room
from tests.e2e.watchman import Books, Ears


async def test_chance_presses_and_types_and_nothing_comes_of_it(tmp_path: Path) -> None:
    outcome = await fuzz(tmp_path, seed=2026, count=200, to_the_end=False)
    assert outcome.problems == []
    assert outcome.acts > 10
    assert outcome.matches > 1
    assert outcome.with_cards > 40
    assert outcome.sent["delivered twice"] > 5


@pytest.mark.long
@pytest.mark.timeout(2400)
async def test_chance_presses_and_types_for_minutes_and_nothing_comes_of_it(
    tmp_path: Path,
) -> None:
    for seed, count in rounds(6_000):
        folder = tmp_path / str(seed)
        folder.mkdir()
        outcome = await fuzz(folder, seed, count, to_the_end=True)
        assert outcome.problems == []
        assert outcome.ended == outcome.matches > 2


@pytest.mark.usefixtures("unhurried")
async def test_the_watchman_notices_an_act_that_nobody_sent_and_one_out_of_turn(
    room: Room,
) -> None:
    await sit_down(room)
    books = Books(room.database, {})
    books.read([])
    assert books.problems == []
    mover = (await room.match()).to_move
    assert mover is not None
    other = next(seat for seat in (0, 1) if seat != mover)
    text = dump_event(Play(mover, Draw(Pile.STOCK))).replace(str(mover), "AB"[other], 1)
    with closing(sqlite3.connect(room.database)) as file, file:
        file.execute(
            "INSERT INTO entries (match_id, seq, text, seat, actor, interaction_id, at) "
            "VALUES (1, 3, ?, ?, ?, 77, 0)",
            (text, other, room.cleo.id),
        )
        file.execute("UPDATE matches SET head = 3")
    books.read([])
    books.close()
    said = "\n".join(books.problems)
    assert "by nothing that was sent" in said
    assert "entry 3: " in said  # the rules refuse it


@pytest.mark.usefixtures("unhurried")
async def test_the_ears_notice_a_hand_that_is_shown_to_another(room: Room) -> None:
    books = Books(room.database, {})
    ears = Ears(room, books)
    await sit_down(room)
    assert ears.told > 2
    assert ears.found == []
    assert room.bot is not None
    adas = await hand_of(room, 0)
    bens = text_of(await hand_of(room, 1))
    channel = room.bot.get_partial_messageable(adas.channel.id)
    await channel.send(bens)
    books.close()
    assert len(ears.found) == 1


@pytest.mark.usefixtures("unhurried")
async def test_the_ears_know_whose_shuffles_a_page_explains(room: Room) -> None:
    books = Books(room.database, {})
    ears = Ears(room, books)
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()
    books.read([])
    onlooker = Person.new(room.playground, "Eve")
    verified = await onlooker.slash(room.table, "gin verify", match="1")
    assert "The cut" in verified.text
    assert ears.told > 5
    assert ears.found == []
    books.close()


@pytest.mark.usefixtures("unhurried")
async def test_the_ears_know_a_card_that_somebody_typed_where_it_is_quoted_with_more(
    room: Room,
) -> None:
    books = Books(room.database, {})
    ears = Ears(room, books)
    await sit_down(room)
    many = " ".join(map(str, DECK[10:20]))  # the table knows the cut and the up-card alone
    await room.ada.slash(room.table, "gin-admin house-set", name="6S", option="clock", value="1h")
    listed = await room.ada.slash(room.table, "gin-admin acts")
    assert "“6S: clock 1h”" in listed.text
    assert ears.found == []
    assert room.bot is not None
    await room.bot.get_partial_messageable(room.ada.channel(room.table).id).send(f"“{many}: 6S”")
    books.close()
    assert len(ears.found) == 1


async def test_a_command_in_another_form_than_ours_is_answered_with_a_sentence(room: Room) -> None:
    """Discord sees to choices, kinds and bounds; a fault there must still be no fault of ours."""
    await sit_down(room)
    odd: tuple[tuple[str, int, object], ...] = (
        ("draw pile", 3, "the cellar"),
        ("challenge target", 4, 10**19),
        ("challenge target", 3, "many"),
        ("hand match", 4, 1),
        ("hand nothing", 3, "x"),
    )
    async with room.unchanged():
        for path, kind, value in odd:
            command, option = path.split()
            given: list[Json] = [{"name": option, "type": kind, "value": value}]
            answer = await forged(room, command, given)
            assert "I couldn't read that command." in answer.text, path


async def forged(room: Room, command: str, options: list[Json]) -> Answer:
    """Ben types a command that his client would never send."""
    interactions, where = room.world.interactions, room.ben.channel(room.table)
    (gin,) = [
        one for one in interactions.commands_for(room.ben.user, where) if one["name"] == "gin"
    ]
    data: Json = {"id": gin["id"], "name": "gin", "type": 1}
    if command == "challenge":
        resolved = invoking.Resolved(room.world, where)
        given: Json = {"name": "opponent", "type": 6}
        given["value"] = resolved.add(invoking.USER, room.cleo.user)
        options = [given, *options]
        data["resolved"] = resolved.data
    data["options"] = [{"name": command, "type": 1, "options": options}]
    made = interactions._create(InteractionType.COMMAND, room.ben.user, where, data)
    return await room.ben._answer(made, first=False)
