"""House rules: who keeps them and how, what a challenge makes of them, and how each plays."""

from __future__ import annotations

import asyncio

import pytest

from gin.rules import Rules, Tie
from playground.acting.people import CannotInvoke
from tests.e2e import laid
from tests.e2e.acting import resigns
from tests.e2e.keeper import Keeper
from tests.e2e.laid import (
    challenge,
    press,
)
from tests.e2e.room import Room

unhurried = laid.unhurried


@pytest.fixture
def keeper(room: Room) -> Keeper:
    return Keeper(room)


# ------------------------------------------------------------------------------- keeping them


async def test_a_manager_makes_changes_copies_chooses_and_forgets_sets(
    room: Room, keeper: Keeper
) -> None:
    assert "no house rules of its own" in await keeper.show()
    said = await keeper.set("Gin bonus", "20")
    assert "Set now" in said
    assert "Gin bonus" in said
    assert "**20 points**" in said
    await keeper.set("undercut_bonus", "10")
    await keeper.save("sunday")
    await keeper.set("knock_limit", "only gin", "sunday")
    assert await keeper.kept() == {
        "house": Rules(gin_bonus=20, undercut_bonus=10),
        "sunday": Rules(gin_bonus=20, undercut_bonus=10, knock_limit=0),
    }
    assert "Challenges here use them" in await keeper.default("Sunday")
    shown = await keeper.show()
    for name in ("house", "sunday"):
        assert f"**{name}**" in shown
    assert shown.count("the default") == 1
    await keeper.reset("undercut_bonus", "sunday")
    assert (await keeper.kept())["sunday"] == Rules(gin_bonus=20, knock_limit=0)
    await keeper.save("sunday", "house")
    assert (await keeper.kept())["sunday"] == Rules(gin_bonus=20, undercut_bonus=10)
    assert "Challenges here use them" in await keeper.show("sunday"), "it stays the default"
    assert "challenges here are for the plain game" in await keeper.default("plain")
    assert "the default" not in await keeper.show()
    await keeper.default("house")
    gone = await keeper.reset()
    assert "“house”, the default, are forgotten. From now on challenges here are for the" in gone
    assert list(await keeper.kept()) == ["sunday"]
    await room.restart()
    assert list(await keeper.kept()) == ["sunday"]
    listed = (await room.ada.slash(room.table, "gin-admin acts")).text
    for act in (
        "`house-set` “house: Gin bonus 20”",
        "`house-save` “sunday”",
        "`house-default` “Sunday”",
        "`house-reset` “sunday: undercut\\_bonus”",
        "`house-default` “plain”",
        "`house-default` “house”",
        "`house-reset` “house”",
    ):
        assert act in listed, listed


async def test_who_does_not_manage_the_server_is_not_offered_these_commands(room: Room) -> None:
    offered = room.world.interactions.commands_for(room.ben.user, room.ben.channel(room.table))
    assert {command["name"] for command in offered} == {"gin"}
    for place, person in ((room.table, room.ben), (room.ada, room.ada)):
        for command in ("house-show", "house-reset"):
            with pytest.raises(CannotInvoke):
                await person.slash(place, f"gin-admin {command}")
        for command in ("house-save", "house-default"):
            with pytest.raises(CannotInvoke):
                await person.slash(place, f"gin-admin {command}", name="plain")
        with pytest.raises(CannotInvoke):
            await person.slash(place, "gin-admin house-set", option="gin_bonus", value="500")


async def test_a_copy_is_said_to_be_one_and_nothing_to_be_set(keeper: Keeper) -> None:
    await keeper.set("shutout", "double", "Friday")
    said = await keeper.save("wild", "friday")
    assert "Saved as a copy of “Friday”." in said
    assert "**doubles the winner's total**" in said
    assert "Set now" not in said


async def test_what_cannot_be_is_refused_with_the_reason_and_changes_nothing(
    keeper: Keeper,
) -> None:
    assert "nothing to save under another name" in await keeper.save("wild")
    for option in (None, "gin_bonus", "clock"):
        assert "no house rules, so there is nothing to change back" in await keeper.reset(option)
    assert "This set is new." in await keeper.set("shutout", "double", "Friday")
    assert (
        "Say which of your house rules to copy, with the option `copy-of`: Friday."
        in await keeper.save("wild")
    )
    for option in (None, "gin_bonus"):
        assert "Say which of your house rules you mean: Friday." in await keeper.reset(option)
    again = await keeper.set("shutout", "double", "Friday")
    assert "Nothing has changed: it was so already." in again
    assert "Set now" not in again
    gone = await keeper.reset(None, "Friday")
    assert "The house rules “Friday” are forgotten." in gone
    await keeper.play(shutout="double")
    before = await keeper.kept()
    for option, value, reason in (
        (
            "finish_rotation",
            "yes",
            "This set has **Shutout** at “doubles the winner's total”, "
            "and three can't play a shutout, as there is no single loser. Set that to “brings "
            "nothing” first",
        ),
        ("gin_bonus", "501", "type a number from 0 to 500"),
        ("target", "49", "type a number from 50 to 1000"),
        ("draw_cap", "many", "type a number from 30 to 500"),
        ("tie", "coin toss", "Possible: is an undercut; makes the hand void"),
        ("strict_bridge", "perhaps", "Possible: may extend one of them"),
        ("scoring", "hollywood", "chosen with each challenge"),
        ("colour", "blue", "no house option “colour”"),
        ("@everyone", "`", "no house option"),
    ):
        assert reason in await keeper.set(option, value)
    for reason, act in (
        ("no house rules called “nowhere”", keeper.show("nowhere")),
        ("no house rules called “nowhere”", keeper.reset(None, "nowhere")),
        ("no house rules called “nowhere”", keeper.save("copy", "nowhere")),
        ("no house rules called “nowhere”", keeper.default("nowhere")),
        ("*plain* is the game without any", keeper.set("gin_bonus", "20", " PLAIN ")),
        ("1 to 32 characters", keeper.save("x" * 33)),
        ("characters that can be seen", keeper.save("\u200b \u2800")),
    ):
        assert reason in await act
    assert await keeper.kept() == before == {"house": Rules(shutout="double")}  # type: ignore[arg-type]


async def test_options_without_effect_are_kept_and_noted(keeper: Keeper) -> None:
    said = await keeper.set("oklahoma_ace", "gin")
    assert "has no effect" in said
    assert "first up-card sets the knock limit" in said
    assert "has no effect" not in await keeper.set("knock_limit", "upcard")
    await keeper.play("only gin", knock_limit="0")
    for option, value in (("tie", "draw"), ("undercut_bonus", "50"), ("strict_bridge", "on")):
        assert "only gin ends a hand" in await keeper.set(option, value, "only gin")


async def test_options_values_and_sets_are_suggested_while_one_types(
    room: Room, keeper: Keeper
) -> None:
    await keeper.play("Club Night", gin_bonus="30")

    async def suggested(command: str, focused: str, value: str = "", **filled: str) -> list[str]:
        found = await room.ada.autocomplete(
            room.table, command, focused=focused, value=value, **filled
        )
        assert len(found) <= 25
        return [choice.name for choice in found]

    options = await suggested("gin-admin house-set", "option")
    assert "Gin bonus" in options
    assert "Scoring" not in options, "it is chosen with each challenge"
    assert await suggested("gin-admin house-set", "option", "SHUT") == ["Shutout"]
    values = await suggested("gin-admin house-set", "value", option="tie")
    assert values[0] == "is an undercut (the plain game)"
    assert len(values) == 3
    assert await suggested("gin-admin house-set", "value", "33", option="gin_bonus") == [
        "33 points"
    ]
    sets = await suggested("gin challenge", "house", opponent=str(room.ben.id))
    assert sets == ["Club Night", "plain: the game as it is"]


async def test_odd_names_are_shown_harmlessly_and_found_again(room: Room, keeper: Keeper) -> None:
    odd = ["`@everyone`", "**bold** _x_", "\u05e9\u05d1\u05ea", "🎲", "x" * 32, "<@1>", "# big"]
    for place, name in enumerate(odd):
        await keeper.play(name, gin_bonus=str(place))
    shown = await keeper.show()
    assert "@everyone" not in shown
    assert "**bold**" not in shown
    assert "<@1>" not in shown
    for place, name in enumerate(odd):
        assert "Gin bonus" in await keeper.show(name)
        choices = await room.ada.autocomplete(
            room.table, "gin challenge", focused="house", value=name, opponent=room.ben
        )
        assert [choice.value for choice in choices] == [name]
        said, _asked = await challenge(room, room.ada, room.ben, house=name)
        assert f"gin {place}," in said
        await resigns(room.ada, room.table, match=str(place + 1))


async def test_names_that_look_the_same_are_the_same_set(keeper: Keeper) -> None:
    await keeper.play("Club Night", gin_bonus="30")
    await keeper.play("club  night", undercut_bonus="5")
    await keeper.play("CLUB NIGHT\u200b", box_bonus="10")
    assert await keeper.kept() == {
        "Club Night": Rules(gin_bonus=30, undercut_bonus=5, box_bonus=10)
    }


async def test_a_server_keeps_twenty_sets_and_is_told_so(keeper: Keeper) -> None:
    await keeper.play("set 0", gin_bonus="0")
    for number in range(1, 20):
        await keeper.save(f"set {number}", "set 0")
    assert "at most 20 house sets" in await keeper.save("one more", "set 0")
    assert "at most 20 house sets" in await keeper.set("gin_bonus", "5", "one more")
    await keeper.play("set 19", gin_bonus="7")
    await keeper.save("set 19", "set 0")
    assert len(await keeper.kept()) == 20
    shown = await keeper.show()
    assert all(f"**set {number}**" in shown for number in range(20))
    choices = await keeper.person.autocomplete(
        keeper.where, "gin challenge", focused="house", opponent=keeper.room.ben
    )
    assert len(choices) == 21


async def test_of_two_changes_at_the_same_moment_none_is_lost(keeper: Keeper) -> None:
    await keeper.play(gin_bonus="30")
    changes = {"undercut_bonus": "5", "box_bonus": "10", "game_bonus": "50", "target": "60"}
    await asyncio.gather(*(keeper.set(option, value) for option, value in changes.items()))
    assert (await keeper.kept())["house"] == Rules(
        gin_bonus=30, undercut_bonus=5, box_bonus=10, game_bonus=50, target=60
    )


# ----------------------------------------------------------------------- challenging by them


async def test_the_challenged_reads_every_term_that_differs_before_accepting(
    room: Room, keeper: Keeper
) -> None:
    await keeper.play(
        "strict",
        big_gin="75",
        strict_bridge="on",
        gin_bonus="20",
        undercut_bonus="15",
        tie="no_bonus",
        fiftieth_card="on",
        draw_cap="60",
        illegal_knock="expose",
        target="120",
        game_bonus="50",
        box_bonus="20",
        box_timing="at_once",
        winner="first_to_target",
        shutout="plus_100",
        next_dealer="loser",
    )
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, house="strict")
    said = asked.text
    for term in (
        "By the house rules “strict”.",
        "**One game to 120 points.**",
        "adds 50",
        "Each hand won adds 20 at once",
        "The first to reach the target wins",
        "gin 20, undercut 15",
        "Big gin (eleven cards melded) is played, for 75",
        "next to two of the knocker's runs may not be laid off",
        "With equal deadwood the defender wins the hand, with no points",
        "may be taken to knock with",
        "A hand is void after 60 draws",
        "A knock over the limit is announced",
        "If the loser won no hand, the winner adds 100",
        "The loser of a hand deals the next",
    ):
        assert term in said
    agreed = (await keeper.kept())["strict"]
    await keeper.play("strict", gin_bonus="500")
    await keeper.reset(None, "strict")
    await press(room, room.ben, asked, "Accept")
    assert (await room.match()).rules == agreed, "whatever became of the set"
    assert "house rules “strict”" in (await room.ada.slash(room.table, "gin status")).text


async def test_what_is_picked_is_played_plain_too_and_the_default_where_nothing_is(
    room: Room, keeper: Keeper
) -> None:
    await keeper.play("club night", gin_bonus="30")
    await keeper.play("sunday", gin_bonus="40", tie="draw")
    await keeper.default("sunday")
    for number, (house, expected) in enumerate(
        (
            (None, Rules(gin_bonus=40, tie=Tie.DRAW)),
            ("Club Night", Rules(gin_bonus=30)),
            ("plain", Rules()),
        ),
        start=1,
    ):
        await challenge(room, room.ada, room.ben, house=house)
        assert (await room.match(number)).rules == expected
        await resigns(room.ada, room.table, match=str(number))
    missing = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, house="nowhere")
    assert missing.ephemeral
    assert "no house rules called “nowhere” here" in missing.text


async def test_another_servers_sets_are_neither_seen_nor_played(room: Room, keeper: Keeper) -> None:
    other = room.world.add_guild("The Other Room", room.ben.user)
    for person in (room.ada, room.cleo):
        room.world.join(other, person.user)
    room.world.add_channel(other, "other-table")
    room.world.invite_bot(other)
    theirs = Keeper(room, room.ben, "other-table")
    await theirs.play("pub night", gin_bonus="30")
    await theirs.default("pub night")
    assert "pub night" in await theirs.show()
    assert "pub night" not in await keeper.show()
    assert "no house rules called “pub night”" in await keeper.show("pub night")
    choices = await room.ada.autocomplete(
        room.table, "gin challenge", focused="house", opponent=room.ben
    )
    assert [choice.value for choice in choices] == ["plain"]
    refused = await room.ada.slash(
        room.table, "gin challenge", opponent=room.ben, house="pub night"
    )
    assert "no house rules called “pub night” here" in refused.text
    await challenge(room, room.ada, room.ben)
    assert (await room.match(1)).rules == Rules()
    there = await room.ben.slash("other-table", "gin challenge", opponent=room.cleo)
    assert "gin 30" in there.text


async def test_the_rules_are_told_by_topic_for_the_server_a_match_and_in_direct_messages(
    room: Room, keeper: Keeper
) -> None:
    topics = await room.cleo.autocomplete(room.table, "gin rules", focused="topic")
    assert len(topics) >= 4
    plain = (await room.cleo.slash(room.table, "gin rules")).text
    await challenge(room, room.ada, room.ben, variant="straight", target=70)
    await keeper.play("sunday", target="150", knock_limit="upcard")
    await keeper.default("sunday")
    for topic in topics:
        told = await room.cleo.slash(room.table, "gin rules", topic=str(topic.value))
        assert told.ephemeral
        assert len(told.text) > 100
    ours = (await room.cleo.slash(room.table, "gin rules")).text
    assert ours != plain
    everything = [
        (await person.slash(where, "gin rules", topic=str(topic.value), match=match)).text
        for topic in topics
        for person, where, match in (
            (room.cleo, room.table, None),
            (room.ben, room.table, "1"),
            (room.ben, room.ben, "1"),
        )
    ]
    servers, matches, direct = ("\n".join(everything[start::3]) for start in range(3))
    assert "150" in servers
    assert "first up-card" in servers
    assert "70" in matches
    assert "only gin" in matches.casefold()
    assert direct == matches, "the same in direct messages"
    # Without a match named, whoever plays here or writes directly is told of his own match first.
    for where in (room.table, room.ben):
        own = await room.ben.slash(where, "gin rules")
        assert "The rules of your match with Ada." in own.text
        assert "**Straight gin**" in own.text
        usual = await room.ben.press(own, "This server's usual rules")
        assert usual.text == ours, "the only server where he plays"
        own = usual
    assert own.message is not None
    if len(topics) > 1:
        other = topics[1].value
        chosen = await room.ben.choose(own, str(other))
        await room.settled()
        fresh = await room.cleo.slash(room.table, "gin rules", topic=str(other))
        assert chosen.text == fresh.text
