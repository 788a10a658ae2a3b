"""Challenging and answering: what is refused before it is written, and who may say what."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

import bot.play.challenges
from bot.play.challenges import Challenges, Invitation
from db.rows import ChallengeRow
from playground.acting.people import CannotInvoke, buttons, text_of
from tests.e2e.acting import custom_ids, message_of, resigns, says
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")


def challenges(room: Room) -> int:
    """How many challenges were ever written."""
    with closing(sqlite3.connect(room.database)) as database:
        (written,) = database.execute("SELECT count(*) FROM challenges").fetchone()
    return int(written)


async def test_fault_25_a_challenge_that_can_come_to_nothing_is_refused_before_it_is_written(
    room: Room,
) -> None:
    """Fault 25: oneself, bots, who can't see the channel; also where the bot can't keep a table."""
    faults, world = room.playground.faults, room.world
    channel = room.ada.channel(room.table)
    jukebox = next(user for user in world.users.values() if user.username == "jukebox")

    async def refused(opponent: object) -> str:
        said = await says(room, room.ada, "challenge", opponent=opponent)
        assert challenges(room) == 0
        return said

    assert "You can't play against yourself. Pick a friend." in await refused(room.ada)
    assert "Bots don't sit at our tables. Pick a person." in await refused(jukebox)
    assert "Bots don't sit at our tables. Pick a person." in await refused(world.bot)
    faults.permission(room.cleo.user, channel, "view_channel", False)
    assert "Cleo can't see this channel. Challenge where" in await refused(room.cleo)
    faults.permission(world.bot, channel, "attach_files", False)
    said = await refused(room.ben)
    assert "I lack the permission **Attach Files** in this channel. Ask a moderator" in said
    faults.permission(world.bot, channel, "attach_files", None)
    faults.permission(world.bot, channel, "send_messages", False)
    assert "**Send Messages**" in await refused(room.ben)
    faults.permission(world.bot, channel, "send_messages", None)
    with pytest.raises(CannotInvoke):
        await room.ada.slash(room.table, "gin challenge", opponent=room.ben, target=49)
    alone = await room.ada.slash(room.ada, "gin challenge", opponent=room.ben)
    assert "A match needs a table in a server's channel. Use `/gin challenge` there." in alone.text
    assert challenges(room) == 0


async def test_fault_25_one_open_challenge_between_two_people_whoever_made_it(room: Room) -> None:
    """Fault 25: a repeated challenge is refused until the first is answered."""
    await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    again = await says(room, room.ada, "challenge", opponent=room.ben)
    assert "Your challenge is still open." in again
    assert "`/gin respond withdraw`" in again
    back = await says(room, room.ben, "challenge", opponent=room.ada)
    assert "You are challenged already." in back
    assert "`/gin respond accept`" in back
    assert challenges(room) == 1
    other = await room.ada.slash(room.table, "gin challenge", opponent=room.cleo)
    assert not other.ephemeral, "somebody else may be challenged meanwhile"
    assert "This challenge was declined." in await says(room, room.ben, "respond", answer="decline")
    assert not (await room.ben.slash(room.table, "gin challenge", opponent=room.ada)).ephemeral


async def test_a_challenge_is_answered_once_and_only_by_whom_it_is_for(room: Room) -> None:
    nobody = await says(room, room.ben, "respond", answer="accept")
    assert "Nobody has an open challenge for you. Make one with `/gin challenge`." in nobody
    nothing = await says(room, room.ada, "respond", answer="withdraw")
    assert "You have no open challenge to withdraw." in nothing
    first = message_of(await room.ada.slash(room.table, "gin challenge", opponent=room.ben))
    ids = custom_ids(first)
    for person, label, said in (
        (room.cleo, "Accept", "This challenge is for somebody else."),
        (room.cleo, "Decline", "This challenge is for somebody else."),
        (room.cleo, "Withdraw", "This challenge is for somebody else."),
        (room.ada, "Accept", "It's your own challenge: the other one accepts."),
        (room.ada, "Decline", "It's your own challenge: use *Withdraw* to take it back."),
        (room.ben, "Withdraw", "use *Decline* if you'd rather not play"),
    ):
        async with room.unchanged():
            answer = await person.press(first, label)
            assert answer.ephemeral
            assert said in answer.text
    declined = await room.ben.press(first, "Decline")
    assert declined.message is first
    assert "This challenge was declined." in text_of(first)
    assert buttons(first) == []
    late = await room.ben.forge(first, ids["Accept"])
    assert "This challenge was declined." in late.text
    assert buttons(first) == []
    second = message_of(await room.ada.slash(room.table, "gin challenge", opponent=room.ben))
    ids = custom_ids(second)
    assert "This challenge was withdrawn." in await says(
        room, room.ada, "respond", answer="withdraw"
    )
    await room.ben.until(lambda: buttons(second) == [], "the withdrawn challenge without buttons")
    assert "This challenge was withdrawn." in (await room.ben.forge(second, ids["Accept"])).text
    assert await room.log() == ()
    third = message_of(await room.ada.slash(room.table, "gin challenge", opponent=room.ben))
    ids = custom_ids(third)
    await room.ben.press(third, "Accept")
    await room.settled()
    for person, label in ((room.ben, "Accept"), (room.ada, "Withdraw"), (room.ben, "Decline")):
        again = await person.forge(third, ids[label])
        assert "Ada and Ben sit down to gin" in again.text
        assert buttons(third) == []
    assert len(await room.log(1)) == 2
    assert await room.log(2) == ()


async def test_where_two_challenges_fit_an_answer_its_maker_is_asked_for(room: Room) -> None:
    first = message_of(await room.ada.slash(room.table, "gin challenge", opponent=room.ben))
    second = message_of(await room.cleo.slash(room.table, "gin challenge", opponent=room.ben))
    async with room.unchanged():
        asked = await room.ben.slash(room.table, "gin respond", answer="accept")
        assert asked.ephemeral
        assert "Several people have challenged you. Whose challenge do you accept?" in asked.text
        assert set(buttons(message_of(asked))) == {"Ada", "Cleo"}
    accepted = await room.ben.press(asked, "Ada")
    await room.settled()
    assert accepted.ephemeral
    assert "Standard gin · to 100 · hand 1" in accepted.text, "his hand takes the question's place"
    assert "Ada and Ben sit down to gin" in text_of(first)
    assert buttons(first) == []
    assert "Accept" in buttons(second)
    assert "This challenge was declined." in await says(room, room.ben, "respond", answer="decline")
    await room.ben.until(lambda: buttons(second) == [], "the declined challenge without buttons")
    await room.cleo.slash(room.table, "gin challenge", opponent=room.ben)
    third = message_of(await room.cleo.slash(room.table, "gin challenge", opponent=room.ada))
    asked = await room.cleo.slash(room.table, "gin respond", answer="withdraw")
    assert "Which one do you take back?" in asked.text
    taken = await room.cleo.press(asked, "Ada")
    assert taken.ephemeral
    assert "This challenge was withdrawn." in taken.text
    await room.settled()
    assert "This challenge was withdrawn." in text_of(third)
    assert buttons(third) == []


async def test_who_asks_for_a_rematch_in_the_same_moment_accepts_the_others(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.begin()
    await resigns(room.ben, room.table)
    table = await room.cleo.panel("Rematch", room.table)
    both = asyncio.Barrier(2)
    propose = Challenges.propose

    async def together(self: Challenges, invitation: Invitation) -> ChallengeRow:
        await both.wait()
        return await propose(self, invitation)

    monkeypatch.setattr(Challenges, "propose", together)
    answers = await asyncio.gather(
        room.ada.press(table, "Rematch"), room.ben.press(table, "Rematch")
    )
    await room.settled()
    assert len(await room.log(2)) == 2
    assert all("challenged already" not in answer.text for answer in answers)
    assert not any("Accept" in buttons(one) for one in room.cleo.messages(room.table))


async def test_fault_25_who_asks_one_person_again_and_again_in_vain_has_to_rest(
    room: Room,
) -> None:
    """Fault 25: typed or pressed, with a third player or not, also after a restart."""
    await room.begin()
    await resigns(room.ben, room.table)
    over = await room.ada.panel("Rematch", room.table)
    again = await room.ada.press(over, "Rematch")
    await room.ben.press(again, "Decline")
    for end, person in (("Withdraw", room.ada), ("Decline", room.ben)):
        asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
        await person.press(asked, end)
    await room.restart()
    called, written = len(room.ben.pings(room.table)), challenges(room)
    for answer in (
        await room.ada.slash(room.table, "gin challenge", opponent=room.ben),
        await room.ada.slash(room.table, "gin challenge", opponent=room.cleo, third=room.ben),
        await room.ada.slash(room.table, "gin rematch", match="1"),
        await room.ada.press(over, "Rematch"),
    ):
        assert answer.ephemeral
        assert "You have asked Ben a few times lately, and no match came of it." in answer.text
        assert "You can ask again <t:" in answer.text
    await room.settled()
    assert (len(room.ben.pings(room.table)), challenges(room)) == (called, written)
    back = await room.ben.slash(room.table, "gin challenge", opponent=room.ada)
    await room.ada.press(back, "Accept")
    assert challenges(room) == written + 1


async def test_a_challenge_expires_and_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.play.challenges, "OPEN_FOR", timedelta(seconds=1))
    challenge = message_of(await room.ada.slash(room.table, "gin challenge", opponent=room.ben))
    ids = custom_ids(challenge)
    await room.ben.sees(room.table, "This challenge has expired. Make a new one")
    assert buttons(challenge) == []
    for label, person in (("Accept", room.ben), ("Decline", room.ben), ("Withdraw", room.ada)):
        late = await person.forge(challenge, ids[label])
        assert "This challenge has expired. Make a new one with `/gin challenge`." in late.text
    nobody = await says(room, room.ben, "respond", answer="accept")
    assert "Nobody has an open challenge for you." in nobody
    assert await room.log() == ()
    monkeypatch.setattr(bot.play.challenges, "OPEN_FOR", timedelta(hours=1))
    assert not (await room.ada.slash(room.table, "gin challenge", opponent=room.ben)).ephemeral
