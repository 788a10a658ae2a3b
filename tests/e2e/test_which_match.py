"""Which match a command means: none, the only one, one of several, and where it is played."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.desk.finding import JUST_ENDED
from playground.acting.people import Answer, Person, select_options, text_of
from playground.state.model import Channel, Message
from playground.wire import Json
from tests.e2e.acting import ByTyping, message_of, resigns, says
from tests.e2e.room import Room
from tests.e2e.test_admin import another_server

pytestmark = pytest.mark.usefixtures("unhurried")


async def test_a_command_says_so_where_there_is_no_match_or_none_of_ones_own(room: Room) -> None:
    none_here = "You have no match here. Challenge somebody with `/gin challenge`"
    for command, options in (
        ("hand", {}),
        ("draw", {"pile": "stock"}),
        ("pass", {}),
        ("discard", {"card": "7h"}),
        ("knock", {"discard": "7h"}),
        ("layoff", {}),
        ("resign", {}),
        ("cancel", {}),
        ("sheet", {}),
        ("rematch", {}),
    ):
        assert none_here in await says(room, room.cleo, command, **options)
    assert "No match here" in await says(room, room.cleo, "status")
    board = await room.cleo.slash(room.table, "gin leaderboard")
    assert "Nobody has finished a match here yet. Be the first: `/gin challenge`." in board.text
    alone = await room.cleo.slash(room.cleo, "gin leaderboard")
    assert "Use `/gin leaderboard` in a server." in alone.text
    await room.begin()
    async with room.unchanged():
        assert none_here in await says(room, room.cleo, "draw", pile="stock")
        for command in ("hand", "pass", "resign", "cancel", "layoff"):
            said = await says(room, room.cleo, command, match="1")
            assert "You don't play in that match. `/gin status` lists yours." in said
        for unknown in ("2", "999999999999999999999", "-1", "ace", ""):
            said = await says(room, room.ben, "pass", match=unknown or "#")
            assert "There is no such match. `/gin status` lists yours." in said
        assert "Ada – Ben" in await says(room, room.cleo, "status")
        assert "Score sheet" in await says(room, room.cleo, "sheet")
        assert "Score sheet" in await says(room, room.cleo, "sheet", match="#1")


async def test_where_two_matches_fit_a_select_asks_and_choosing_completes_the_command(
    room: Room,
) -> None:
    for _match in range(2):
        room.decks.cut("2D", "KH")  # Ada cuts low, so she is the non-dealer in both
        room.decks.deal(
            non_dealer="5S 6S TD TH TS 7C 8D KH QH 4C",
            dealer="2S 3S 4S 9H 9D 9C JC QC KC 5D",
            starter="2D",
            stock="7H 8H",
        )
    await room.begin(room.ada, room.ben)
    await room.begin(room.ada, room.cleo)
    ada = ByTyping(room, room.ada)

    async def asked(command: str, /, **options: str) -> Answer:
        answer = await room.ada.slash(room.table, f"gin {command}", first=False, **options)
        assert answer.ephemeral
        assert "You have several matches here. Which one do you mean?" in answer.text
        assert list(select_options(message_of(answer))) == ["Ada – Ben", "Ada – Cleo"]
        return answer

    async def chosen(answer: Answer, label: str) -> str:
        completed = await room.ada.choose(answer, label)
        assert completed.ephemeral
        await room.settled()
        return completed.text

    first, second = await room.log(1), await room.log(2)
    assert "10♠" in await chosen(await asked("hand"), "Ada – Cleo")
    assert (await room.log(1), await room.log(2)) == (first, second)
    assert "Waiting for Cleo" in await chosen(await asked("pass"), "Ada – Cleo")
    assert await room.log(1) == first
    assert (await room.log(2))[2:] == ("A pass",)
    await ada.refuse()  # only one of the two waits for her now
    assert (await room.log(1))[2:] == ("A pass",)
    for opponent in (room.ben, room.cleo):
        await opponent.slash(room.table, "gin pass")
    await room.settled()
    await chosen(await asked("draw", pile="stock"), "Ada – Ben")
    assert (await room.log(1))[-1] == "A draw stock"
    await ada.type("draw", pile="stock", match="2")
    assert (await room.log(2))[-1] == "A draw stock"
    await chosen(await asked("discard", card="ten of diamonds"), "Ada – Ben")
    assert (await room.log(1))[-1] == "A discard TD"
    assert "Score sheet" in await chosen(await asked("sheet"), "Ada – Cleo")
    before = await room.log(1)
    sure = await room.ada.choose(await asked("resign"), "Ada – Ben")
    assert "Give the match up?" in sure.text
    assert await room.log(1) == before
    await room.ada.press(sure, "Resign")
    await room.settled()
    assert (await room.log(1))[-1] == "A resign"
    direct = await room.ada.slash(room.ada, "gin hand")
    assert "Your turn: discard a card" in direct.text, "only one is left, so none is asked for"


async def test_ones_own_match_that_has_just_ended_comes_before_other_peoples(room: Room) -> None:
    """But not before one's own that is running, nor when it ended long ago."""
    await room.begin(room.ada, room.ben)
    await resigns(room.ben, room.table)
    await room.settled()
    await room.begin(room.ada, room.cleo)
    for person, opponent in ((room.ben, "Ben"), (room.ada, "Cleo")):
        for command in ("sheet", "verify"):
            said = await says(room, person, command)
            assert [name for name in ("Ben", "Cleo") if name in said] == [opponent], command
    await room.passes(JUST_ENDED + timedelta(minutes=1))
    assert "Cleo" in await says(room, room.ben, "sheet")


async def test_who_watched_can_read_about_a_match_that_has_just_ended(room: Room) -> None:
    await room.begin(room.ada, room.ben)
    await resigns(room.ben, room.table)
    await room.settled()
    for command in ("sheet", "verify"):
        assert "Ada" in await says(room, room.cleo, command), command
    assert "You have no match here" in await says(room, room.cleo, "hand")
    await room.passes(JUST_ENDED + timedelta(minutes=1))
    assert "You have no match here" in await says(room, room.cleo, "sheet")


async def test_matches_of_the_same_two_are_told_apart_by_where_they_are_played(
    room: Room,
) -> None:
    guild, elsewhere = another_server(room, room.ada)
    room.world.join(guild, room.ben.user)
    second = room.ada.channel("second-table")
    await room.begin()
    for place in (second, elsewhere):
        challenge = await room.ada.slash(place, "gin challenge", opponent=room.ben)
        await room.ben.press(challenge, "Accept")
        await room.settled()
    tables = {
        channel.name: f"https://discord.com/channels/{channel.guild.id}/{channel.id}/"
        for channel in (room.ada.channel(room.table), second, elsewhere)
        if channel.guild is not None
    }

    def headings(text: str) -> set[str]:
        return {line for line in text.splitlines() if line.startswith("### ")}

    here = room.ada.channel(room.table)
    said = (await room.ada.slash(room.table, "gin status")).text
    assert headings(said) == {
        f"### Ada – Ben · <#{here.id}>",
        f"### Ada – Ben · <#{second.id}>",
        f"### Ada – Ben · [The Other House]({last_table(room, elsewhere, tables)})",
    }
    said = (await room.ada.slash(room.ada, "gin status")).text
    assert headings(said) == {
        f"### Ada – Ben · [The Card Room]({last_table(room, here, tables)})",
        f"### Ada – Ben · [The Card Room]({last_table(room, second, tables)})",
        f"### Ada – Ben · [The Other House]({last_table(room, elsewhere, tables)})",
    }
    one = (await room.ada.slash(room.table, "gin status", match="2")).text
    assert headings(one) == {"### Ada – Ben"}

    async def suggested(place: object, person: Person = room.ada) -> list[str]:
        found = await person.autocomplete(place, "gin hand", focused="match")  # type: ignore[arg-type]
        return [choice.name for choice in found]

    assert await suggested(room.table) == [
        "#1: Ada – Ben · #gin-rummy",
        "#2: Ada – Ben · #second-table",
        "#3: Ada – Ben · The Other House",
    ]
    assert await suggested(room.ada) == [
        "#1: Ada – Ben · The Card Room",
        "#2: Ada – Ben · The Card Room",
        "#3: Ada – Ben · The Other House",
    ]
    asked = await room.ada.slash(room.ada, "gin hand")
    assert [about.split(" · ")[0] for about in descriptions(message_of(asked))] == [
        "The Card Room",
        "The Card Room",
        "The Other House",
    ]
    assert (await suggested(room.table, room.ben))[1] == "#2: Ada – Ben · #second-table"
    room.playground.faults.permission(room.ben.user, second, "view_channel", False)
    assert (await suggested(room.table, room.ben))[1] == "#2: Ada – Ben"


def last_table(room: Room, channel: Channel, tables: dict[str, str]) -> str:
    """The link to the newest message in a channel that shows a table."""
    message = next(m for m in reversed(room.ben.messages(channel)) if "Up-card" in text_of(m))
    return tables[channel.name] + str(message.id)


def descriptions(message: Message) -> list[str]:
    """What stands under each option of the message's select."""
    return [
        str(option["description"])
        for row in message.components
        for node in every(row)
        for option in node.get("options", ())
    ]


def every(node: Json) -> list[Json]:
    """A component and all that lies in it."""
    return [node, *(one for inner in node.get("components", ()) for one in every(inner))]
