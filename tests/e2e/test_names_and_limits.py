"""Names that ping or break tables, and Discord's limits, through the real flow (rows 18 to 20)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from db.ids import ChannelId, MatchId, PersonId, ServerId
from db.rows import MatchStatus, NewEntry, NewMatch, SeatResult
from gin import DECK
from gin.rules import Rules
from playground.acting.people import Answer, Person, buttons, select_options, text_of
from playground.doors.recording import SentRequest
from playground.state.model import Message
from playground.wire import Json
from tests.e2e.acting import resigns
from tests.e2e.fates import lay_a_deal
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")

ZALGO = "Z" + "\u0301\u0316\u0489\u033e" * 12 + "algo"
EMOJI = "👩‍🚀🃏" * 8
NAMES = (
    "@everyone",
    "<@{cleo}>",
    "<@&{role}>",
    "``` `code` ```",
    "**b** ~~s~~ ||x|| [l](x) {name} %s",
    "\u202egnip\u202c @here",
    ZALGO,
    EMOJI,
    "\u200b\u2060\u200b",
    "漢" * 32,
    "مرحبا 10 بكم",
    "# W" + "W" * 29,
)


@pytest.fixture
def nasty(room: Room) -> list[Person]:
    """One person for each of the names; two of them would ping Cleo, and everybody's role."""
    ids = {"{cleo}": room.cleo.id, "{role}": next(iter(room.world.guilds))}
    made = []
    for name in NAMES:
        for sign, number in ids.items():
            name = name.replace(sign, str(number))
        made.append(Person.new(room.playground, name))
    return made


async def test_no_name_pings_anybody_or_breaks_a_page(room: Room, nasty: list[Person]) -> None:
    """Row 18: through challenge, table, hands, sheet, status and leaderboard."""
    called: set[int] = set()
    for one, two in zip(nasty[::2], nasty[1::2], strict=True):
        lay_a_deal(room)
        challenge = await one.slash(room.table, "gin challenge", opponent=two)
        assert challenge.message is not None
        assert challenge.message.pinged == {two.id}
        called.add(challenge.message.id)
        await two.press(challenge, "Accept")
        await room.settled()
        table = await room.cleo.panel("My hand", room.table)
        await two.slash(room.table, "gin discard", card=f"@everyone <@{room.cleo.id}> `7`")
        await two.slash(room.table, "gin pass")
        resigned = await resigns(one, room.table)
        await room.settled()
        assert not resigned.failed
        assert not table.deleted
    await room.cleo.slash(room.table, "gin sheet", match="1")
    await room.cleo.slash(room.table, "gin sheet", match="2")
    board = await room.cleo.slash(room.table, "gin leaderboard")

    assert room.cleo.pings(room.table) == []
    for message in everything_of_the_bots(room):
        assert not message.mention_everyone
        assert not message.mention_roles
        if not message.channel.is_dm and message.id not in called:
            assert message.pinged == frozenset()
        assert_readable(text_of(message))
    assert list(open_mentions(room.playground.sent)) == []
    assert_even(text_of(board.message), rows=len(NAMES))
    assert text_of(board.message).count("a player") == 1  # the one that shows nothing


def everything_of_the_bots(room: Room) -> Iterator[Message]:
    """Every message that the bot has standing anywhere."""
    for channel in room.world.channels.values():
        for message in (*channel.messages.values(), *channel.ephemerals.values()):
            if message.author is room.world.bot:
                yield message


def open_mentions(sent: object) -> Iterator[str]:
    """The messages that went out with mentions open to more than one named person."""
    for request in sent:  # type: ignore[attr-defined]  # a Recording
        assert isinstance(request, SentRequest)
        data = request.data
        if "components" not in data or "title" in data:  # no message, or a modal
            continue
        allowed = data.get("allowed_mentions") or {"parse": ["everyone"]}  # else all is open
        wide = [key for key in ("parse", "roles", "replied_user") if allowed.get(key)]
        if wide or len(allowed.get("users") or []) > 1:
            yield f"{request.method} {request.path}: {allowed}"


def assert_readable(text: str) -> None:
    """No letter that turns the line round, and no tower of marks."""
    assert not set("\u202a\u202b\u202d\u202e\u2066\u2067") & set(text)
    marks = "".join("m" if unicodedata.combining(letter) else "." for letter in text)
    assert "mmm" not in marks


def assert_even(text: str, *, rows: int) -> None:
    """A table in one code block, whose lines are equally wide."""
    assert text.count("```") == 2
    lines = text.split("```")[1].strip("\n").splitlines()
    assert len(lines) == rows + 1
    assert {width(line) for line in lines} == {width(lines[0])}


def width(line: str) -> int:
    """Cells of a monospaced line: two for wide letters, none for what is drawn onto another."""
    return sum(
        2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in line
        if unicodedata.category(letter) not in ("Mn", "Me", "Cf")  # also isolates around names
    )


# ------------------------------------------------------------------------------------ limits


async def test_commands_keep_within_discords_limits(room: Room) -> None:
    """Row 19: 8,000 characters a command with its longest localisation, 5,000 in English."""
    (registered,) = room.playground.sent.of("PUT /applications/*/commands")
    commands = registered.body
    assert isinstance(commands, list)
    names = {command["name"] for command in commands}
    assert "gin" in names
    for command in commands:
        assert characters(command, longest=False) < 5000
        assert characters(command, longest=True) <= 8000
        assert most_children(command) <= 25


async def test_help_names_every_command_that_players_have(room: Room) -> None:
    (registered,) = room.playground.sent.of("PUT /applications/*/commands")
    commands = registered.body
    assert isinstance(commands, list)
    (gin,) = (command for command in commands if command["name"] == "gin")
    said = (await room.cleo.slash(room.table, "gin help", topic="commands")).text
    assert set(re.findall(r"`/gin ([a-z]+)`", said)) == {one["name"] for one in gin["options"]}


async def test_commands_are_registered_again_only_when_they_have_changed(room: Room) -> None:
    """Row 20."""
    pattern = "PUT /applications/*/commands"
    await room.restart()
    assert len(room.playground.sent.of(pattern)) == 1
    assert room.store is not None
    async with room.store.transaction() as tx:
        await tx.facts.put(f"commands:{room.world.application.id}", "of another version")
    await room.restart()
    await room.restart()
    assert len(room.playground.sent.of(pattern)) == 2


def characters(part: Json, *, longest: bool) -> int:
    """What Discord counts of a command, its options and their choices."""
    total = 0
    for key in ("name", "description", "value"):
        if isinstance(part.get(key), str):
            said = [part[key]]
            if longest:
                said += (part.get(f"{key}_localizations") or {}).values()
            total += max(map(len, said))
    children = [*(part.get("options") or []), *(part.get("choices") or [])]
    return total + sum(characters(child, longest=longest) for child in children)


def most_children(part: Json) -> int:
    """The longest list of options or choices anywhere in a command."""
    lists = [part.get("options") or [], part.get("choices") or []]
    return (
        max(map(len, lists), default=0)
        if not any(lists)
        else max(*map(len, lists), *(most_children(child) for some in lists for child in some))
    )


async def test_a_person_with_very_many_matches_is_offered_what_fits(room: Room) -> None:
    """Row 19: 40 running matches with the widest names; selects and suggestions hold 25."""
    others = [Person.new(room.playground, f"{EMOJI[:28]}{n:02}") for n in range(40)]
    await seat(room, room.ada, others)
    asked = await room.ada.slash(room.ada, "gin draw", pile="stock")
    assert len(select_options(message_of(asked))) == 25
    suggested = await room.ada.autocomplete(room.table, "gin hand", focused="match")
    assert len(suggested) == 25
    assert all(len(choice.name) <= 100 for choice in suggested)
    named = await room.ada.autocomplete(room.table, "gin hand", focused="match", value="39")
    assert 1 <= len(named) <= 25
    for place in (room.table, room.ada):
        status = await room.ada.slash(place, "gin status")
        assert "40 matches" in status.text
    chosen = await room.ada.choose(asked, next(iter(select_options(message_of(asked)).values())))
    assert not chosen.failed


async def test_a_long_leaderboard_is_paged(room: Room) -> None:
    """Row 19: and every page is even, whatever the names."""
    others = [Person.new(room.playground, f"{n:02} 漢{EMOJI[:20]}`") for n in range(40)]
    await seat(room, room.ada, others, finished=True)
    board = message_of(await room.cleo.slash(room.table, "gin leaderboard"))
    seen = [text_of(board)]
    while "Next ›" in buttons(board, enabled=True):
        turned = await room.cleo.press(board, "Next ›")
        assert not turned.failed
        seen.append(text_of(board))
    assert len(seen) == 3  # 41 people, 15 a page
    rows = [re.findall(r"^[ ›] *(\d+) ", page, re.MULTILINE) for page in seen]
    assert [rank for page in rows for rank in page] == ["1"] + ["2"] * 40
    for page, ranks in zip(seen, rows, strict=True):
        assert_even(page, rows=len(ranks))


def message_of(answer: Answer) -> Message:
    assert answer.message is not None
    return answer.message


async def seat(room: Room, one: Person, others: list[Person], *, finished: bool = False) -> None:
    """Write a match of one person against each of the others; finished, he has won them all."""
    channel = room.cleo.channel(room.table)
    assert channel.guild is not None
    assert room.store is not None
    now = datetime.now(UTC)
    first_hand = ("cut KD 7H", "deal " + "".join(map(str, DECK)))
    async with room.store.transaction() as tx:
        for person in (one, *others):
            await tx.people.seen(PersonId(person.id), person.name, now)
        for other in others:
            match: MatchId = await tx.matches.create(
                NewMatch(
                    ServerId(channel.guild.id),
                    ChannelId(channel.id),
                    Rules().dump(),
                    (PersonId(one.id), PersonId(other.id)),
                    now,
                )
            )
            await tx.matches.append(match, 0, [NewEntry(line) for line in first_hand], now)
            if finished:
                results = [
                    SeatResult(0, PersonId(one.id), 1, 100, 225, 5, 5, won=True),
                    SeatResult(1, PersonId(other.id), 2, 0, 0, 0, 5, won=False),
                ]
                await tx.matches.finish(match, MatchStatus.FINISHED, now, results)
