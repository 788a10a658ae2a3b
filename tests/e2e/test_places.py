"""Channels, threads, servers and permissions that come and go (faults.md, rows 13 to 17).

The match goes on in direct messages all the while, and can be ended from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from db.ids import PersonId
from playground.acting.people import Person, buttons, text_of
from playground.state.interactions import Interaction
from playground.state.model import Channel, Message
from tests.e2e.acting import resigns
from tests.e2e.fates import all_is_shown, hand_of, lay_a_deal, sit_down, table_of
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")


async def sit_down_in(room: Room, place: Channel) -> None:
    lay_a_deal(room)
    challenge = await room.ada.slash(place, "gin challenge", opponent=room.ben)
    await room.ben.press(challenge, "Accept")
    await room.settled()


def thread_in(room: Room, channel: str, name: str) -> Channel:
    """A thread (in a forum a post) that Ada starts."""
    return room.world.create_thread(room.ada.user, room.ada.channel(channel), name)


async def table_in(room: Room, place: Channel | str) -> Message:
    """Wait until a table stands in a channel."""
    return await room.cleo.panel("My hand", place)


def told(person: Person, words: str) -> list[Message]:
    """What somebody was told in direct messages."""
    return [one for one in person.messages(person.dm()) if words in text_of(one)]


# ------------------------------------------------------------------------------ row 13: threads


async def test_a_table_in_a_thread_is_brought_back_then_moved_then_parked(room: Room) -> None:
    """Rows 13 and 17: archived, locked, and the channel deleted; then ended from anywhere."""
    thread = thread_in(room, room.table, "a quiet corner")
    await sit_down_in(room, thread)
    assert (await table_of(room)).channel is thread

    room.playground.faults.archive(thread)
    await room.ada.until(lambda: not thread.archived or None, "the thread")
    await room.ben.press(await hand_of(room, 1), "Pass")
    assert "Ben passed" in await all_is_shown(room)
    assert (await table_of(room)).channel is thread

    room.playground.faults.lock(thread)
    await table_in(room, room.table)
    for person in (room.ada, room.ben):
        await person.sees(person.dm(), "The table of your match")
    await room.settled()
    assert (await table_of(room)).channel.name == room.table

    gone = str(room.ada.channel(room.table).id)
    room.playground.faults.delete_channel(room.ada.channel(room.table))
    for person in (room.ada, room.ben):
        await person.sees(person.dm(), "is gone, and the table with it")
    await room.settled()
    await room.restart()
    for asked in (
        await room.ada.slash("second-table", "gin-admin match-list"),
        await room.ada.slash("second-table", "gin-admin match-show", match="1"),
    ):
        told_so = asked.text
        assert "the table's channel is gone" in told_so
        assert "`/gin-admin match-move` in another channel" in told_so
        assert gone not in told_so
    status = (await room.ben.slash(room.ben, "gin status")).text
    assert "it has no table at present" in status
    passed = await room.ada.press(await hand_of(room, 0), "Pass")
    assert "The table can't be shown on the server at present" in passed.text
    await room.settled()
    for person in (room.ada, room.ben):
        assert len(told(person, "is gone, and the table with it")) == 1
        assert len(told(person, "The table of your match")) == 1

    await room.ada.slash("second-table", "gin-admin limits", matches=1)
    challenge = await room.ada.slash("second-table", "gin challenge", opponent=room.ben)
    await room.ben.press(challenge, "Accept")  # both are free for another one
    await room.settled()
    assert len(await room.log(2)) == 2
    resigned = await resigns(room.ben, room.ben, match="1")
    assert not resigned.failed
    await room.settled()
    assert (await room.log())[-1] == "B resign"


async def test_a_post_of_a_forum_that_is_deleted_parks_its_match_which_is_called_off_elsewhere(
    room: Room,
) -> None:
    """Row 13: a forum itself holds no messages. Ended by `/gin cancel`, here and there."""
    post = thread_in(room, "strategy", "an evening of gin")
    await sit_down_in(room, post)
    assert (await table_of(room)).channel is post
    room.playground.faults.delete_channel(post)
    await room.ben.sees(room.ben.dm(), "is gone, and the table with it")
    await room.settled()
    await room.ben.slash(room.ben, "gin cancel")
    await room.ada.slash("second-table", "gin cancel")
    await room.settled()
    assert (await room.log())[-1] == "cancel"


async def test_a_challenge_in_a_thread_outlives_it(room: Room) -> None:
    """Row 13: it is posted in the channel, and accepted there."""
    lay_a_deal(room)
    thread = thread_in(room, room.table, "a quiet corner")
    await room.ada.slash(thread, "gin challenge", opponent=room.ben)
    await room.settled()
    room.playground.faults.delete_channel(thread)
    (challenge,) = await room.ben.until(lambda: room.ben.pings(room.table))
    await room.settled()
    await room.ben.press(challenge, "Accept")
    await room.settled()
    assert (await table_of(room)).channel.name == room.table

    await room.ada.slash("second-table", "gin challenge", opponent=room.cleo)
    await room.settled()
    room.playground.faults.delete_channel(room.ada.channel("second-table"))
    await room.ada.sees(room.ada.dm(), "Your challenge to Cleo is withdrawn")
    again = await room.ada.slash(room.table, "gin challenge", opponent=room.cleo)
    assert again.message is not None
    assert "Accept" in buttons(again.message)


# -------------------------------------------------------------------------- row 14: the server


async def test_a_server_that_removes_the_bot_finds_everything_again_with_it(room: Room) -> None:
    """Row 14: thrown out, restarted meanwhile, invited again; and an outage is no removal."""
    await sit_down(room)
    assert room.bot is not None
    (guild,) = room.world.guilds.values()
    presence = room.bot.house.presence
    room.playground.faults.outage(guild)
    await room.ada.until(lambda: presence.is_suspended(guild.id) or None)  # type: ignore[arg-type]
    assert not presence.is_absent(guild.id)  # type: ignore[arg-type]
    room.playground.faults.outage(guild, on=False)
    await room.ada.until(lambda: not presence.is_suspended(guild.id) or None)  # type: ignore[arg-type]

    room.playground.faults.kick_bot(guild)
    await room.ada.until(lambda: presence.is_absent(guild.id) or None)  # type: ignore[arg-type]
    await room.ben.slash(room.ben, "gin pass")
    await room.settled()
    await room.restart()
    presence = room.bot.house.presence
    await room.ada.until(lambda: presence.is_absent(guild.id) or None)  # type: ignore[arg-type]
    await room.settled()
    assert "Ben passed" not in text_of(await table_of(room))
    assert told(room.ben, "I can't show the table") == []

    room.playground.faults.invite_bot(guild)
    await room.cleo.sees(room.table, "Ben passed")
    await all_is_shown(room)
    await room.ada.slash(room.table, "gin pass")
    await all_is_shown(room)
    assert (await room.log())[2:] == ("B pass", "A pass")


# ------------------------------------------------------------------------- row 15: permissions

KINDS: tuple[tuple[str, Callable[[Room], Channel]], ...] = (
    ("send_messages", lambda room: room.ada.channel("second-table")),
    ("send_messages", lambda room: room.ada.channel("parlour")),
    ("send_messages_in_threads", lambda room: thread_in(room, "second-table", "aside")),
    ("send_messages_in_threads", lambda room: thread_in(room, "strategy", "a post")),
)
NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
}


async def test_what_a_table_needs_is_checked_in_every_kind_of_channel_before_a_match(
    room: Room,
) -> None:
    """Row 15: at the challenge and when it is accepted, in channel, voice, thread and forum."""
    faults, bot = room.playground.faults, room.world.bot
    for speaking, place_in in KINDS:
        place = place_in(room)
        for right in ("view_channel", speaking, "attach_files"):
            faults.permission(bot, place, right, False)
            said = (await room.ada.slash(place, "gin challenge", opponent=room.ben)).text
            assert f"**{NAMES[right]}**" in said, place.name
            faults.permission(bot, place, right, None)
        challenge = await room.ada.slash(place, "gin challenge", opponent=room.ben)
        faults.permission(bot, place, speaking, False)
        assert f"**{NAMES[speaking]}**" in (await room.ben.press(challenge, "Accept")).text
        faults.permission(bot, place, speaking, None)
        await room.ada.press(challenge, "Withdraw")
        await room.settled()
    assert await room.log() == ()


async def test_a_right_lost_later_is_told_once_and_the_table_comes_back_with_it(
    room: Room,
) -> None:
    """Row 15: not again on each act, nor after a restart; and again for another loss."""
    await sit_down(room)
    faults, bot, place = room.playground.faults, room.world.bot, room.ada.channel(room.table)
    faults.permission(bot, place, "view_channel", False)
    await room.ben.press(await hand_of(room, 1), "Pass")
    await room.ben.sees(room.ben.dm(), "I lack the permission **View Channel**")
    await room.settled()
    await room.restart()
    await room.ada.press(await hand_of(room, 0), "Pass")
    await room.settled()
    for person in (room.ada, room.ben):
        assert len(told(person, "I can't show the table of your match")) == 1

    faults.permission(bot, place, "view_channel", True)
    await room.cleo.sees(place, "Both passed")
    await all_is_shown(room)
    for person in (room.ada, room.ben):
        assert told(person, "I can't show the table") == []  # that is over
    faults.permission(bot, place, "view_channel", False)
    await room.ben.slash(room.ben, "gin draw", pile="stock")
    await room.ben.until(lambda: len(told(room.ben, "I can't show the table")) == 1 or None)
    await room.settled()


# ------------------------------------------------------------------------------ row 16: leavers


async def test_who_left_the_server_can_still_resign(room: Room) -> None:
    """Rows 16 and 24: and is called by the name that was last known."""
    await sit_down(room)
    (guild,) = room.world.guilds.values()
    room.playground.faults.leave(guild, room.ben.user)
    await room.ada.slash(room.table, "gin status")
    resigned: Interaction = (await resigns(room.ben, room.ben)).interaction
    assert resigned.user is room.ben.user
    assert "Ben resigned" in await all_is_shown(room)
    assert (await room.log())[-1] == "B resign"


async def test_whose_opponent_has_left_can_end_the_match_alone(room: Room) -> None:
    """Row 16: learnt when it is asked for (10007, 10013), without privileged intents."""
    await sit_down(room)
    (guild,) = room.world.guilds.values()
    asked = await room.ada.slash(room.table, "gin cancel")
    assert "I've asked" in asked.text
    room.playground.faults.leave(guild, room.ben.user)
    ended = await room.ada.slash(room.table, "gin cancel")
    assert "Ben has left the server, so nobody else had to be asked." in ended.text
    why = "Ada called the match off, since Ben had left the server."
    assert why in await all_is_shown(room)
    await room.restart()
    assert why in (await room.ada.slash(room.table, "gin sheet", match="1")).text
    assert (await room.log())[-1] == "cancel"


async def test_nobody_is_challenged_who_is_not_on_the_server(room: Room) -> None:
    """Row 25: nor asked for a rematch, wherever that is pressed."""
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()
    table, panel = await table_of(room), await room.ada.panel("Rematch", room.ada.dm())
    (guild,) = room.world.guilds.values()
    room.playground.faults.leave(guild, room.ben.user)
    for asked in (
        await room.ada.press(table, "Rematch"),
        await room.ada.press(panel, "Rematch"),
        await room.ada.slash(room.table, "gin challenge", opponent=room.ben),
    ):
        assert "Ben: not on this server" in asked.text
    assert room.store is not None
    async with room.store.reading() as tx:
        assert await tx.challenges.open_of(PersonId(room.ada.id)) == ()


async def test_a_rematch_is_asked_for_once_and_only_where_it_can_be_played(room: Room) -> None:
    """Rows 8, 15 and 25: by button at the table and in direct messages, and by command."""
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()
    faults, bot, place = room.playground.faults, room.world.bot, room.ada.channel(room.table)
    table, panel = await table_of(room), await room.ada.panel("Rematch", room.ada.dm())
    faults.permission(bot, place, "send_messages", False)
    assert "**Send Messages**" in (await room.ada.press(table, "Rematch")).text
    for asked in (
        await room.ada.press(panel, "Rematch"),
        await room.ada.slash(room.ada, "gin rematch"),
    ):
        assert "I can't write in the channel of that match" in asked.text
    faults.permission(bot, place, "send_messages", None)
    assert "Only the players of a match" in (await room.cleo.press(table, "Rematch")).text
    before = len(room.ben.pings(place))

    await room.ada.press(panel, "Rematch")
    for again in (
        await room.ada.press(panel, "Rematch"),
        await room.ada.press(table, "Rematch"),
        await room.ada.slash(room.table, "gin rematch"),
        await room.ada.slash(room.table, "gin challenge", opponent=room.ben),
    ):
        assert "Your challenge is still open" in again.text
    await room.settled()
    assert len(room.ben.pings(place)) == before + 1
    await room.ben.press(table, "Rematch")  # his is the answer to hers
    await room.settled()
    assert len(await room.log(2)) == 2
