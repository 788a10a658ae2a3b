"""Playing by typed commands: what is refused with what to do instead, suggestions, help."""

from __future__ import annotations

import pytest

from playground.acting.people import Person, text_of
from tests.e2e.acting import ByTyping, says
from tests.e2e.room import Room
from tests.e2e.test_whole_matches import lay_the_decks

pytestmark = pytest.mark.usefixtures("unhurried")


async def test_what_the_rules_forbid_is_refused_with_what_to_do_instead(room: Room) -> None:
    lay_the_decks(room.decks)
    await room.begin()
    ada, ben = ByTyping(room, room.ada), ByTyping(room, room.ben)

    async def refused(person: Person, sentence: str, command: str, /, **options: str) -> None:
        async with room.unchanged():
            said = await says(room, person, command, **options)
        assert sentence in said, said

    not_yet = "It isn't your turn yet"
    await refused(room.ada, not_yet, "draw", pile="stock")
    await refused(room.ben, "First the up-card: take it or pass.", "draw", pile="stock")
    await refused(room.ben, "First the up-card", "discard", card="5d")
    await ben.refuse()
    await refused(room.ben, not_yet, "pass")
    await ada.refuse()
    await refused(room.ben, "Draw a card first", "pass")
    await refused(room.ben, "Draw a card first", "discard", card="5d")
    await refused(room.ben, "Both of you have passed that card", "draw", pile="discard")
    await ben.draw("stock")
    await refused(room.ben, "You have drawn already", "draw", pile="stock")
    await refused(room.ben, "I don't know the card “zz”", "discard", card="zz")
    await refused(room.ben, "needs a suit", "discard", card="7")
    await refused(room.ben, "Name one card only", "discard", card="7h 8h")
    await refused(room.ben, "You don't hold ", "discard", card="ace of spades")
    over = "That would be a knock with 62, and the limit is 10."
    await refused(room.ben, over, "knock", discard="8h", melds="2s 3s 4s")
    await refused(room.ben, "is no meld", "knock", discard="8h", melds="2s 3s 9h / jc qc kc")
    await refused(room.ben, "You don't hold ", "knock", discard="8h", melds="as 2s 3s 4s")
    await refused(room.ben, "can be in one meld only", "knock", discard="8h", melds="2s3s4s/2s3s4s")
    await refused(room.ben, "You have drawn already", "layoff")
    await ben.discard("8H")
    await ada.draw("discard")
    await refused(room.ada, "You took that card from the discard pile", "discard", card="8h")
    await ada.discard("KH")
    await ben.draw("stock")
    await ben.knock("KS")
    await refused(room.ben, not_yet, "layoff")
    await refused(room.ada, "The knock comes first", "draw", pile="stock")
    await refused(room.ada, "You don't hold ", "layoff", cards="kh")
    await refused(room.ada, "7♣ fits none of the knocker's melds", "layoff", cards="7c")
    await refused(room.ada, "I don't know the card “zz”", "layoff", cards="zz")
    await refused(room.ada, "is no meld", "layoff", cards="5s", melds="td th")
    await ada.lay_off()
    await refused(room.ben, "This match isn't over yet. Finish it first", "rematch", match="1")


async def test_suggestions_show_ones_own_cards_to_oneself_alone(room: Room) -> None:
    lay_the_decks(room.decks)
    await room.begin()
    ada, ben = ByTyping(room, room.ada), ByTyping(room, room.ben)

    async def suggested(
        person: Person, command: str, option: str, typed: str = "", /, **given: object
    ) -> list[str]:
        found = await person.autocomplete(
            room.table, f"gin {command}", focused=option, value=typed, **given
        )
        return [str(choice.value) for choice in found]

    cards = (("discard", "card"), ("knock", "discard"), ("knock", "melds"), ("layoff", "cards"))
    for command, option in cards:
        for person in (room.ada, room.ben, room.cleo):
            assert await suggested(person, command, option) == []
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    held = {"2S", "3S", "4S", "9H", "9D", "9C", "JC", "QC", "KC", "5D", "8H"}
    assert set(await suggested(room.ben, "discard", "card")) == held
    assert await suggested(room.ben, "discard", "card", "8♥") == ["8H"]
    assert await suggested(room.ben, "discard", "card", "queen") == ["QC"]
    assert await suggested(room.ben, "discard", "card", "ace") == []
    # without the 8♥ the 5♦ is left, without the 5♦ the 8♥; any other leaves more than ten
    assert set(await suggested(room.ben, "knock", "discard")) == {"8H", "5D"}
    melds = await suggested(room.ben, "knock", "melds", discard="8h")
    assert len(melds) == 1
    assert set(melds[0].split()) == {*["2s", "3s", "4s", "9h", "9d", "9c", "jc", "qc", "kc"], "/"}
    assert await suggested(room.ben, "knock", "melds") == []
    for person in (room.ada, room.cleo):
        for command, option in cards:
            assert await suggested(person, command, option) == []
        assert await suggested(person, "discard", "card", match="1") == []
    assert await suggested(room.ada, "draw", "match", pile="stock") == ["1"]
    assert await suggested(room.cleo, "draw", "match", pile="stock") == []
    assert await suggested(room.cleo, "status", "match") == ["1"]
    assert await suggested(room.cleo, "rematch", "match") == []
    await ben.knock("8H")
    plans = await suggested(room.ada, "layoff", "cards")
    assert plans[0] == "5s 6s"
    assert "none" in plans
    for person in (room.ben, room.cleo):
        assert await suggested(person, "layoff", "cards") == []
    await ada.lay_off("none")
    assert "laid off" not in text_of(await room.cleo.panel("My hand", room.table))


async def test_help_answers_every_topic_and_anything_else(room: Room) -> None:
    found = await room.ada.autocomplete(room.table, "gin help", focused="topic")
    assert len(found) >= 6
    for choice in found:
        assert choice.name in await says(room, room.ada, "help", topic=choice.value)
    assert "Starting a match" in await says(room, room.ada, "help", topic="no such topic")
    shown = await room.ada.slash(room.ada, "gin help")
    other = await room.ada.choose(shown, "Scoring")
    assert "## Scoring" in other.text
