"""Spam, blocks, forged controls, odd texts, and one server seen from another."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.front.pace import Pace
from bot.front.router import SUBMITTED
from bot.front.rush import Rush
from bot.ui.controls import Control, Verb
from playground.acting.people import Answer, Person, buttons, text_of
from playground.state.model import Message, MessageFlag
from tests.e2e.acting import as_long_as_may_be, resigns
from tests.e2e.fates import hand_of, sit_down, table_of
from tests.e2e.room import Room
from tests.e2e.test_admin import another_server

pytestmark = pytest.mark.usefixtures("unhurried")

SUPPRESSED = 1 << 12
"""Discord's flag of a message that notifies nobody."""


def message_of(answer: Answer) -> Message:
    assert not answer.failed
    assert answer.message is not None
    return answer.message


async def panel(room: Room, person: Person) -> Message:
    return message_of(await person.slash(room.table, "gin settings"))


async def test_a_person_who_presses_too_fast_is_told_kindly_and_nothing_happens(
    room: Room,
) -> None:
    assert room.bot is not None
    await sit_down(room)
    object.__setattr__(room.bot.house, "pace", Pace(3))
    for _ in range(3):
        await room.cleo.slash(room.table, "gin status")
    async with room.unchanged():
        for _ in range(4):
            answer = await room.cleo.slash(room.table, "gin challenge", opponent=room.ada)
            assert answer.ephemeral
            assert "Take a breath" in answer.text
    passed = await room.ben.press(await table_of(room), "Pass")
    assert "Take a breath" not in passed.text
    assert (await room.log())[-1] == "B pass"


async def test_who_goes_on_pressing_too_fast_is_told_once(room: Room) -> None:
    """One note below another would be all that he sees."""
    assert room.bot is not None
    await sit_down(room)
    object.__setattr__(room.bot.house, "pace", Pace(2))
    table = await table_of(room)
    async with room.unchanged():
        for _ in range(2):
            await room.cleo.press(table, "Pass")
        told = await room.cleo.press(table, "Pass")
        assert "Take a breath" in told.text
        for _ in range(5):
            more = await room.cleo.press(table, "Pass")
            assert not more.failed
            assert more.message is None or "Take a breath" not in more.text


async def test_in_a_rush_whoever_cannot_be_served_in_time_is_told_so_and_nothing_happens(
    room: Room,
) -> None:
    assert room.bot is not None
    await sit_down(room)
    usual = room.bot.house.rush
    object.__setattr__(room.bot.house, "rush", Rush(0, timedelta(0)))
    async with room.unchanged():
        typed = await room.ben.slash(room.table, "gin pass")
        pressed = await room.ben.press(await table_of(room), "Pass")
        for answer in (typed, pressed):
            assert answer.ephemeral
            assert "try again shortly" in answer.text
    object.__setattr__(room.bot.house, "rush", usual)
    await room.ben.press(await table_of(room), "Pass")
    assert (await room.log())[-1] == "B pass"


async def test_settings_open_privately_and_change_in_place(room: Room) -> None:
    shown = await panel(room, room.ben)
    assert shown.ephemeral
    assert "Calls when it is your turn: **on**" in text_of(shown)
    await room.ben.press(shown, "Turn calls off")
    assert "Calls when it is your turn: **off**" in text_of(shown)
    await room.ben.press(shown, "Four colours")
    assert "A colour for each suit: **on**" in text_of(shown)
    await room.restart()
    again = await panel(room, room.ben)
    assert "Turn calls on" in buttons(again)
    assert "Two colours" in buttons(again)
    await room.ben.press(shown, "Turn calls on")  # the old panel, after a restart
    assert "Calls when it is your turn: **on**" in text_of(shown)


async def test_without_calls_the_hand_still_comes_but_silently(room: Room) -> None:
    await room.ben.press(await panel(room, room.ben), "Turn calls off")
    await sit_down(room)
    assert (await hand_of(room, 1)).flags & SUPPRESSED
    assert not (await hand_of(room, 0)).flags & SUPPRESSED


async def test_without_calls_nobody_is_called_in_the_channel_either(room: Room) -> None:
    room.ben.user.dms_closed = True
    await room.ben.press(await panel(room, room.ben), "Turn calls off")
    before = room.ben.pings(room.table)
    await sit_down(room)
    called = [one for one in room.ben.pings(room.table) if one not in before]
    assert len(called) == 1  # by the challenge itself
    assert "sit down to gin" in text_of(called[0])


async def test_a_blocked_person_is_not_told_by_whom(room: Room) -> None:
    shown = await panel(room, room.ada)
    await room.ada.choose(shown, room.ben, custom_id=_of(shown, Verb.BLOCK_PICK))
    assert "Ben can't challenge you any more" in text_of(shown)
    refused = await room.ben.slash(room.table, "gin challenge", opponent=room.ada)
    assert refused.ephemeral
    by_ada = refused.text
    await room.ada.slash(room.table, "gin-admin block", person=room.cleo)
    by_server = (await room.ben.slash(room.table, "gin challenge", opponent=room.cleo)).text
    assert by_ada.replace("Ada", "Cleo") == by_server
    assert "block" not in by_ada
    await room.ada.slash(room.table, "gin-admin unblock", person=room.cleo)
    third = await room.cleo.slash(room.table, "gin challenge", opponent=room.ada, third=room.ben)
    assert third.ephemeral
    assert "Pick others" in third.text
    mine = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    assert "on your list" in mine.text
    assert await room.log() == ()
    await room.ada.choose(shown, str(room.ben.id), custom_id=_of(shown, Verb.UNBLOCK_PICK))
    assert "Ben may challenge you again" in text_of(shown)
    accepted = await room.ben.slash(room.table, "gin challenge", opponent=room.ada)
    assert not accepted.ephemeral


def _of(message: Message, verb: Verb) -> str:
    """The custom id of this verb on a message."""

    def found(parts: object) -> list[str]:
        if isinstance(parts, dict):
            own = [str(parts["custom_id"])] if "custom_id" in parts else []
            return own + [one for part in parts.values() for one in found(part)]
        if isinstance(parts, list):
            return [one for part in parts for one in found(part)]
        return []

    (custom_id,) = [one for one in found(message.components) if f":{verb}:" in one]
    return custom_id


async def test_a_block_stops_rematches_and_open_challenges_too(room: Room) -> None:
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()
    challenge = await room.ben.slash(room.table, "gin challenge", opponent=room.ada)
    shown = await panel(room, room.ada)
    await room.ada.choose(shown, room.ben, custom_id=_of(shown, Verb.BLOCK_PICK))
    assert "What was asked between you is declined" in text_of(shown)
    await room.settled()
    assert "This challenge was declined." in text_of(message_of(challenge))
    assert not buttons(message_of(challenge), enabled=True)
    refused = await room.ben.slash(room.table, "gin rematch", match="1")
    assert "Ada can't be challenged here just now" in refused.text
    assert await room.log(2) == ()


async def test_nobody_puts_himself_on_his_list_or_too_many_others(room: Room) -> None:
    shown = await panel(room, room.ada)
    own = Control(Verb.BLOCK_PICK, room.ada.id).encode()
    answer = await room.ada.forge(shown, own, [str(room.ada.id)], component_type=5)
    assert "can't leave yourself out" in answer.text
    assert "press the button" not in answer.text  # there is none: it is a list
    for number in range(1, 26):
        await room.ada.forge(shown, own, [str(number)], component_type=5)
    answer = await room.ada.forge(shown, own, ["26"], component_type=5)
    assert "holds 25 people" in answer.text
    assert text_of(shown).count("somebody,") == 24


async def test_settings_and_data_of_another_person_are_out_of_reach(room: Room) -> None:
    shown = await panel(room, room.ada)
    await sit_down(room)
    async with room.unchanged():
        for verb in ("wish", "block-pick", "unblock-pick", "privacy", "export", "delete-menu"):
            for values in (None, [str(room.cleo.id)]):
                custom_id = f"gin:{verb}:{room.ada.id}:0:calls:off"
                answer = await room.ben.forge(shown, custom_id, values)
                assert answer.ephemeral, verb
                assert "belongs to somebody else" in answer.text, verb
        answer = await room.ben.forge(shown, f"gin:delete:{room.ada.id}:0")
        assert "belongs to somebody else" in answer.text
    for args in ("calls", "calls:maybe", "moon:on", ""):
        answer = await room.ada.forge(shown, f"gin:wish:{room.ada.id}:0:{args}".rstrip(":"))
        assert "doesn't exist any more" in answer.text
    assert "**on**" in text_of(await panel(room, room.ada))


async def test_nothing_of_one_server_is_seen_from_another(room: Room) -> None:
    """Cleo sits in another server only; every control and command, on the match of the first."""
    room.playground.rates.enabled = False
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()
    await sit_down(room)
    await room.ada.slash(room.table, "gin-admin house-set", option="knock_limit", value="oklahoma")
    first = next(iter(room.world.guilds.values()))
    stranger = Person.new(room.playground, "Zoe", joins=False)
    _guild, elsewhere = another_server(room, stranger)
    names = ("Ada", "Ben", "The Card Room", "gin-rummy")
    async with room.unchanged(2):
        for place in (elsewhere, stranger.dm()):
            said = []
            for verb in Verb:
                for subject in (1, 2, first.id):
                    for args in ((), ("0",), ("status",), ("verify",), ("stock",)):
                        for values in (None, ["1"], ["2"]):
                            control = Control(verb, subject, 0, args).encode()
                            answer = await stranger.forge(None, control, values, where=place)
                            assert not answer.failed, control
                            said.append((control, answer.text))
                    control = Control(verb, subject).encode()
                    form = {"word": "x", "discard": "2S", "cards": "2S", "melds": ""}
                    answer = await stranger.forge_submit(place, control, form)
                    assert not answer.failed, control
                    said.append((control, answer.text))
            for command in ("status", "sheet", "verify", "hand", "resign", "cancel", "rematch"):
                answer = await stranger.slash(place, f"gin {command}", match="1")
                assert "There is no such match" in answer.text, command
                said.append((command, answer.text))
            said.append(("rules", (await stranger.slash(place, "gin rules")).text))
            said.append(("status", (await stranger.slash(place, "gin status")).text))
            said.append(("leaderboard", (await stranger.slash(place, "gin leaderboard")).text))
            for what, text in said:
                assert not any(name in text for name in names), (what, text)
        suggested = await stranger.autocomplete(elsewhere, "gin status", focused="match")
        assert suggested == []


async def test_a_form_opens_no_form_and_does_nothing_that_a_button_does(room: Room) -> None:
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    for verb in (Verb.WORD, Verb.ACCEPT_WORD, Verb.ACCEPT, Verb.DECLINE):
        answer = await room.ben.forge_submit(room.table, Control(verb, 1).encode(), {"word": "x"})
        assert "does nothing now" in answer.text, verb
    await room.ben.press(challenge, "Accept")
    await room.settled()
    async with room.unchanged():
        mover = room.ada if (await room.match()).to_move == 0 else room.ben
        for verb in set(Verb) - SUBMITTED:
            control = Control(verb, 1, 0, ("stock",)).encode()
            answer = await mover.forge_submit(mover, control, {"word": "x"})
            assert "does nothing now" in answer.text, verb


async def test_a_nickname_of_one_server_is_not_heard_in_another(room: Room) -> None:
    home = next(iter(room.world.guilds.values()))
    home.members[room.ben.id].nick = "Secret Ben"
    guild, elsewhere = another_server(room, room.cleo)
    room.world.join(guild, room.ben.user)
    await sit_down(room)
    assert "Secret" not in text_of(await table_of(room))
    challenge = await room.cleo.slash(elsewhere, "gin challenge", opponent=room.ben)
    assert "Ben" in challenge.text
    assert "Secret" not in challenge.text


@pytest.mark.parametrize("verb", ["leaderboard-page", "sheet", "status", "which", "verify"])
async def test_a_players_own_pages_work_from_anywhere_and_others_do_not(
    room: Room, verb: str
) -> None:
    await sit_down(room)
    await resigns(room.ben, room.table)
    await room.settled()
    guild = next(iter(room.world.guilds.values()))
    subject = guild.id if verb == "leaderboard-page" else 1
    if verb == "verify":
        own = await room.ben.slash(room.ben, "gin verify", match="1")
        assert "Ada" in own.text
        return
    control = f"gin:{verb}:{subject}:0:0" if verb != "which" else "gin:which:0:0:status"
    values = ["1"] if verb == "which" else None
    own = await room.ben.forge(None, control, values, where=room.ben)
    assert "Ada" in own.text
    foreign = await room.cleo.forge(None, control, values, where=room.cleo)
    assert "Ada" not in foreign.text


@pytest.mark.parametrize(
    "text",
    [
        "x" * 6000,
        "@everyone <@1> <@&2>",
        "\u202egnip \u2066x",
        "e" + "\u0301" * 500,
        "مرحبا " * 100,
        "👩‍🚀" * 400,
        "\x00\x01\n\r\t",
        "`" * 100,
        "{name} %s {0} {",
        "'; DROP TABLE matches; --",
    ],
)
async def test_words_of_any_length_and_script_are_answered(room: Room, text: str) -> None:
    await sit_down(room)
    async with room.unchanged():
        for command, option in (
            ("gin discard", "card"),
            ("gin knock", "discard"),
            ("gin layoff", "cards"),
            ("gin status", "match"),
            ("gin help", "topic"),
            ("gin rules", "topic"),
        ):
            options = as_long_as_may_be(room, command, **{option: text})
            answer = await room.ben.slash(room.table, command, first=False, **options)
            assert not answer.failed, command
            assert "Something went wrong" not in answer.text, command
            assert not set("\u202a\u202b\u202d\u202e\u2066\u2067") & set(answer.text)
        void = "gin-admin match-void"
        options = as_long_as_may_be(room, void, match=text, reason=text)
        ended = await room.ada.slash(room.table, void, **options)
        assert "no such match" in ended.text
    options = as_long_as_may_be(room, "gin-admin match-end", match="1", reason=text)
    ended = await room.ada.slash(room.table, "gin-admin match-end", **options)
    assert "has ended" in ended.text
    acts = await room.ada.slash(room.table, "gin-admin acts")
    assert not acts.failed
    assert not acts.message or not acts.message.flags & MessageFlag.LOADING
    for message in room.cleo.messages(room.table):
        assert room.cleo.id not in message.pinged
        assert not message.mention_everyone
