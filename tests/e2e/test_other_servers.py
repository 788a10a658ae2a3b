"""One server seen from another, and odd texts wherever one can type: nothing gets across."""

from __future__ import annotations

import pytest

from bot.ui.controls import Control, Verb
from db.ids import ChallengeId
from db.rows import ChallengeStatus
from playground.acting.people import Person
from tests.e2e.acting import as_long_as_may_be
from tests.e2e.fates import sit_down
from tests.e2e.keeper import Keeper
from tests.e2e.room import Room
from tests.e2e.test_admin import admin, another_server

pytestmark = pytest.mark.usefixtures("unhurried")

NAMES = ("Ada", "Ben", "The Card Room", "gin-rummy")
ON_A_CHALLENGE = (Verb.ACCEPT, Verb.ACCEPT_WORD, Verb.WORD, Verb.DECLINE, Verb.WITHDRAW)


async def test_an_open_challenge_is_out_of_reach_from_another_server(room: Room) -> None:
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    stranger = Person.new(room.playground, "Zoe", joins=False)
    _guild, elsewhere = another_server(room, stranger)
    said: list[tuple[object, str]] = []
    async with room.unchanged():
        for place in (elsewhere, stranger.dm()):
            for verb in ON_A_CHALLENGE:
                answer = await stranger.forge(None, Control(verb, 1).encode(), where=place)
                assert not answer.failed, verb
                said.append((verb, answer.text))
            for verb in (Verb.ACCEPT_TYPED, Verb.WORD_TYPED):
                typed = {"word": "mine"}
                answer = await stranger.forge_submit(place, Control(verb, 1).encode(), typed)
                assert not answer.failed, verb
                said.append((verb, answer.text))
            for respond in ("accept", "decline", "withdraw"):
                answer = await stranger.slash(place, "gin respond", answer=respond, match="1")
                said.append((respond, answer.text))
    for what, text in said:
        assert not any(name in text for name in NAMES), (what, text)
    assert room.store is not None
    async with room.store.reading() as tx:
        row = await tx.challenges.get(ChallengeId(1))
        words = await tx.promises.words(ChallengeId(1))
    assert row is not None
    assert row.status is ChallengeStatus.OPEN
    assert not any(word.is_own for word in words.values())
    assert not (await room.ben.press(challenge, "Accept")).failed
    assert (await room.log())[0].startswith("cut ")


async def test_the_rules_of_two_servers_are_one_in_direct_messages_whatever_they_are_called(
    room: Room,
) -> None:
    guild, elsewhere = another_server(room, room.ada)
    room.world.join(guild, room.ben.user)
    for place, name in ((room.table, "Friday"), ("elsewhere", "Sunday")):
        keeper = Keeper(room, where=place)
        await keeper.set("gin_bonus", "30", name)
        await keeper.default(name)
        challenge = await room.ada.slash(place, "gin challenge", opponent=room.ben, house=name)
        await room.ben.press(challenge, "Accept")
        await room.settled()
    said = (await room.ben.slash(room.ben, "gin rules")).text
    assert "gin 30" in said
    assert "Your matches have rules of their own" in said
    assert not any(name in said for name in ("Friday", "Sunday"))
    for where, name in ((room.table, "Friday"), (elsewhere, "Sunday")):
        here = (await room.ben.slash(where, "gin rules")).text
        assert f"house rules “{name}”" in here
        assert "The rules of your match with Ada." in here
    await room.ada.slash(elsewhere, "gin-admin house-default", name="plain")
    assert "by different rules" in (await room.ben.slash(room.ben, "gin rules")).text


async def test_what_one_server_has_set_is_neither_seen_nor_felt_in_another(room: Room) -> None:
    await admin(room, "house-set", option="knock_limit", value="0", name="Secret Friday")
    await admin(room, "house-default", name="Secret Friday")
    await admin(room, "limits", challenges=1, matches=1, allow=room.ada.channel(room.table))
    await admin(room, "block", person=room.ben, reason="secret reason")
    guild, elsewhere = another_server(room, room.cleo)
    room.world.join(guild, room.ben.user)

    offered = await room.cleo.autocomplete(elsewhere, "gin challenge", focused="house")
    assert "Secret Friday" not in {choice.name for choice in offered}
    offered = await room.cleo.autocomplete(elsewhere, "gin-admin house-show", focused="name")
    assert "Secret Friday" not in {choice.name for choice in offered}
    pages = [
        await room.cleo.slash(elsewhere, "gin rules"),
        await room.cleo.slash(elsewhere, "gin-admin house-show"),
        await room.cleo.slash(elsewhere, "gin-admin limits"),
        await room.cleo.slash(elsewhere, "gin-admin acts"),
        await room.cleo.slash(elsewhere, "gin-admin diagnose"),
        await room.cleo.slash(elsewhere, "gin leaderboard"),
    ]
    for page in pages:
        assert not any(word in page.text for word in ("Secret", "secret", "Ben", "Card Room"))
    named = await room.cleo.slash(
        elsewhere, "gin challenge", opponent=room.ben, house="Secret Friday"
    )
    assert "no house rules called" in named.text
    free = await room.cleo.slash(elsewhere, "gin challenge", opponent=room.ben)
    assert not free.ephemeral


NASTY = (
    "x" * 6000,
    "\u202e@everyone <@1> **`{0}` %s\u2066",
    "👩‍🚀e" + "\u0301" * 300,
    "\x00\n\r\t'; DROP TABLE entries; --",
)
TYPED = (
    ("gin challenge", "house"),
    ("gin draw", "match"),
    ("gin pass", "match"),
    ("gin hand", "match"),
    ("gin sheet", "match"),
    ("gin verify", "match"),
    ("gin resign", "match"),
    ("gin cancel", "match"),
    ("gin rematch", "match"),
    ("gin respond", "match"),
    ("gin knock", "melds"),
    ("gin layoff", "melds"),
    ("gin rules", "match"),
)
NEEDED = {
    "gin challenge": "opponent",
    "gin draw": "pile",
    "gin respond": "answer",
    "gin knock": "discard",
}


@pytest.mark.parametrize("text", NASTY)
async def test_every_option_takes_words_of_any_length_and_script(room: Room, text: str) -> None:
    await sit_down(room)
    values = {"opponent": room.cleo, "pile": "stock", "answer": "look", "discard": "5d"}
    answers = []
    async with room.unchanged():
        for command, option in TYPED:
            given = {NEEDED[command]: values[NEEDED[command]]} if command in NEEDED else {}
            options = as_long_as_may_be(room, command, **given, **{option: text})
            answers.append(await room.ben.slash(room.table, command, first=False, **options))
        for verb in (Verb.KNOCK_TYPED, Verb.LAYOFF_TYPED, Verb.WORD_TYPED, Verb.ACCEPT_TYPED):
            custom_id = Control(verb, 1, 3).encode()
            fields = dict.fromkeys(("discard", "melds", "cards", "word"), text)
            answers.append(await room.ben.forge_submit(room.table, custom_id, fields))
        for command, typed in (
            ("house-show", {"name": text}),
            ("house-reset", {"name": text, "option": text}),
            ("house-default", {"name": text}),
            ("house-save", {"name": text}),
            ("house-set", {"option": text, "value": text, "name": text}),
            ("block", {"person": room.cleo, "reason": text}),
        ):
            options = as_long_as_may_be(room, f"gin-admin {command}", **typed)
            answers.append(await admin(room, command, **options))
        answers.append(await admin(room, "acts"))
    for answer in answers:
        assert not answer.failed
        assert "Something went wrong" not in answer.text
        assert not set("\u202a\u202b\u202d\u202e\u2066\u2067") & set(answer.text)
