"""A backup put in the database's place: people have seen what came after it (rows 1, 7 and 35)."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.care.housekeeping import look_after
from playground.acting.people import buttons, text_of
from playground.state.model import Message
from tests.e2e.acting import ByButtons, custom_ids
from tests.e2e.fates import all_is_shown, hand_of, row_of, sit_down, table_of
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")
EARLIER = "That was from an earlier moment."


async def backed_up(room: Room, tmp_path: Path) -> Path:
    await room.settled()
    copy = tmp_path / "copy.db"
    await asyncio.to_thread(look_after, room.url, "backup", copy)
    return copy


async def set_back(room: Room, copy: Path) -> None:
    """Restore a backup, start the bot, and wait until it has seen to everything."""
    await room.stop()
    await asyncio.to_thread(look_after, room.url, "restore", copy)
    await started(room)


async def started(room: Room) -> None:
    await room.start()
    await room.settled()  # it has begun what it does at its start
    for task in asyncio.all_tasks():
        if task.get_name() == "restore":
            await task
    await room.settled()


def words(room: Room) -> list[Message]:
    """What was said at the table of the card room being set back."""
    seen = room.cleo.messages(room.table)
    return [one for one in seen if text_of(one).startswith("The card room had to be set back to")]


async def test_tables_and_hands_show_what_the_backup_knows_and_the_channel_is_told_once(
    room: Room, tmp_path: Path
) -> None:
    await sit_down(room)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    copy = await backed_up(room, tmp_path)
    await ben.draw("stock")
    await ben.discard("KC")
    await room.settled()
    assert "Draw from stock" in buttons(await hand_of(room, 0))
    before = await room.log()
    room.world.clock.move(timedelta(minutes=20).total_seconds())  # they have looked away
    (called,) = room.ben.pings(room.ben.dm())

    await set_back(room, copy)
    assert await room.log() == before[:4]
    assert "Ben to draw" in await all_is_shown(room)
    assert "Draw from stock" in buttons(await hand_of(room, 1))
    assert "Draw from stock" not in buttons(await hand_of(room, 0))
    assert "Waiting for Ben" in text_of(await hand_of(room, 0))
    (again,) = room.ben.pings(room.ben.dm())  # it is his turn once more
    assert again.id > called.id
    for person in (room.ada, room.ben):
        hands = [one for one in person.messages(person.dm()) if "Refresh" in buttons(one)]
        assert len(hands) == 1
    (said,) = words(room)
    assert said.pinged == frozenset()
    assert "`/gin hand`" in text_of(said)
    assert "I was away" not in room.cleo.text(room.table)

    await room.stop()
    await started(room)
    assert len(words(room)) == 1


async def test_a_control_of_a_version_that_is_played_twice_counts_no_more(
    room: Room, tmp_path: Path
) -> None:
    await sit_down(room)
    copy = await backed_up(room, tmp_path)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    hand = await hand_of(room, 1)
    old = custom_ids(hand)["Draw from stock"]
    resigned = custom_ids(hand)["Resign…"].replace("resign-menu", "resign")
    assert old == "gin:draw:1:4:stock"

    await set_back(room, copy)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    hand = await hand_of(room, 1)
    assert len(await room.log()) == 4
    for control in (old, resigned):
        async with room.unchanged():
            answer = await room.ben.forge(hand, control)
            assert EARLIER in answer.text
    new = custom_ids(await hand_of(room, 1))["Draw from stock"]
    assert new != old
    assert not (await room.ben.forge(await hand_of(room, 1), new)).failed
    await room.settled()
    assert len(await room.log()) == 5
    assert "Waiting" not in text_of(await hand_of(room, 1))


async def test_the_number_of_a_match_that_is_lost_is_given_to_no_other(
    room: Room, tmp_path: Path
) -> None:
    copy = await backed_up(room, tmp_path)
    await room.begin(room.ada, room.cleo)
    lost = await table_of(room)
    old = custom_ids(lost)["Pass"]
    hand = await hand_of(room, 0)

    await set_back(room, copy)
    for message in (lost, hand):
        left = room.world.find_message(message.id)
        assert left is not None
        assert "What stood here came after that" in text_of(left)
        assert buttons(left) == []
    assert len(words(room)) == 3  # two in place of the challenge and the table
    await room.begin(room.ada, room.cleo)
    assert await room.log(1) == ()
    before = await room.log(2)
    assert before
    for person in (room.ada, room.cleo):
        answer = await person.forge(lost, old)
        assert "That match doesn't exist." in answer.text
    await room.settled()
    assert await room.log(2) == before
    assert (await row_of(room, number=2)).message_id != lost.id


async def test_a_challenge_that_is_lost_cannot_be_accepted_as_another_one(
    room: Room, tmp_path: Path
) -> None:
    open_one = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    copy = await backed_up(room, tmp_path)
    await room.ben.press(open_one, "Decline")
    lost = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo, target=1000)
    old = custom_ids(lost.messages[0])["Accept"]

    await set_back(room, copy)
    assert "What stood here came after that" in text_of(lost.messages[0])
    assert "Accept" in buttons(open_one.messages[0])  # it stands again, as it did
    await room.ada.slash(room.table, "gin challenge", opponent=room.cleo)
    answer = await room.cleo.forge(lost.messages[0], old)
    assert answer.ephemeral
    await room.settled()
    assert await room.log(1) == ()
    assert not (await room.ben.press(open_one.messages[0], "Accept")).failed
    await room.settled()
    assert await room.log(1) != ()


async def test_a_challenge_whose_time_has_passed_since_the_backup_is_not_open_again(
    room: Room, tmp_path: Path
) -> None:
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    copy = await backed_up(room, tmp_path)
    await room.ben.press(challenge, "Decline")
    room.world.clock.move(timedelta(days=3).total_seconds())
    await set_back(room, copy)
    assert "declined" not in text_of(challenge.messages[0])
    assert buttons(challenge.messages[0]) == []
    assert room.store is not None
    async with room.store.reading() as tx:
        assert await tx.set_back.chores() == ()
        assert await tx.challenges.next_expiry() is None


async def test_what_discord_does_not_take_at_once_is_said_later(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit_down(room)
    challenge = await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)
    copy = await backed_up(room, tmp_path)
    await room.cleo.press(challenge, "Decline")
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        assert words(room) == []
        room.playground.faults.clear()

    monkeypatch.setattr("bot.client._pause", pause)
    room.playground.faults.http_errors(503, "POST /channels/*/messages")
    room.playground.faults.http_errors(503, "PATCH /channels/*/messages/*")
    await set_back(room, copy)
    assert pauses == [20]
    assert len(words(room)) == 1
    assert "Accept" in buttons(challenge.messages[0])
