"""Leaving a match: calling it off together, and giving it up."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest

from bot.front.sure import STANDS
from playground.acting.people import buttons, text_of
from tests.e2e.acting import ByButtons, ByTyping, custom_ids, says
from tests.e2e.room import Room
from tests.e2e.test_whole_matches import lay_the_first_deck, leaderboard

pytestmark = pytest.mark.usefixtures("unhurried")


async def test_calling_off_needs_everybody_and_an_offer_lapses_when_its_maker_plays_on(
    room: Room,
) -> None:
    lay_the_first_deck(room.decks)
    await room.begin()
    ben = ByTyping(room, room.ben)
    async with room.unchanged():
        assert "I've asked whether to call the match off." in await says(room, room.ben, "cancel")
        question = await room.ada.sees(room.ada.dm(), "Ben asks to call the match off")
        assert "The question stands until Ben's next move." in text_of(question)
    pressed = custom_ids(question)["Agree"]
    await ben.refuse()
    await room.settled()
    assert question.deleted
    async with room.unchanged():
        left = await room.ada.forge(await room.ada.panel("Refresh"), pressed)
        assert "The match went on, which ended that offer." in left.text
        assert "I've asked" in await says(room, room.ada, "cancel")
        back = await room.ben.sees(room.ben.dm(), "Ada asks to call the match off")
        again = await says(room, room.ada, "cancel")
        assert "You have asked already" in again
        assert "Until then it is your turn" in again
        asked = [m for m in room.ben.messages(room.ben.dm()) if "call the match off" in text_of(m)]
        assert asked == [back], "one question is enough"
    await room.ben.press(back, "Agree")
    await room.settled()
    assert (await room.log())[-1] == "cancel"
    for person, place in ((room.ada, room.ada), (room.ben, room.ben), (room.cleo, room.table)):
        await person.sees(place, "It counts for nobody.")
    assert back.deleted
    board = await room.cleo.slash(room.table, "gin leaderboard")
    assert "Nobody has finished a match here yet" in board.text


async def test_the_question_of_calling_off_reaches_somebody_whose_messages_are_closed(
    room: Room,
) -> None:
    lay_the_first_deck(room.decks)
    room.playground.faults.close_dms(room.ben.user)
    await room.begin()
    await says(room, room.ada, "cancel")
    question = room.ben.pings(room.table)[-1]
    assert "Ada asks to call the match off" in text_of(question)
    async with room.unchanged():
        stranger = await room.cleo.press(question, "Agree")
        assert stranger.ephemeral
        assert "You don't sit at this table." in stranger.text
        own = await room.ada.press(question, "Agree")
        assert own.ephemeral
        assert "You have asked already" in own.text
        assert "Until then it goes on." in own.text  # it is Ben's turn
    await room.ben.press(question, "Agree")
    await room.settled()
    assert (await room.log())[-1] == "cancel"


async def test_who_would_rather_play_on_says_so_and_the_question_is_closed(room: Room) -> None:
    await room.begin()
    await says(room, room.ada, "cancel")
    question = await room.ben.sees(room.ben.dm(), "Ada asks to call the match off")
    async with room.unchanged():
        answer = await room.ben.press(question, "Play on")
        assert answer.message is question
        assert "You'd rather play on, so the match goes on. Ada has been told." in answer.text
        assert buttons(question) == []
        await room.ada.sees(room.ada.dm(), "Ben would rather play on, so the match goes on.")
        assert "I've asked whether" in await says(room, room.ben, "cancel"), "Ada's offer is gone"
    await room.settled()
    assert not question.deleted


async def test_the_question_in_the_channel_goes_with_the_match(room: Room) -> None:
    room.playground.faults.close_dms(room.ben.user)
    await room.begin()
    await says(room, room.ada, "cancel")
    question = room.ben.pings(room.table)[-1]
    assert "Agree" in buttons(question)
    await says(room, room.ada, "resign")
    await says(room, room.ada, "resign")
    await room.settled()
    assert question.deleted


async def test_resigning_by_typing_asks_first_as_the_button_does(room: Room) -> None:
    """Picked by mistake among the suggestions, it would lose the match."""
    await room.begin()
    async with room.unchanged():
        said = await says(room, room.ada, "resign")
        assert "Give the match up?" in said
        assert "Ben would win it." in said
        assert "The hand in play would be broken off." in said
        await room.passes(STANDS + timedelta(seconds=1))
        assert "Type `/gin resign` again" in await says(room, room.ada, "resign"), "long ago"
        assert "Give the match up?" in await says(room, room.ben, "resign"), "he wasn't asked"
    assert "Ben wins the match!" in await says(room, room.ada, "resign")


async def test_resigning_works_at_every_moment_by_typing_and_by_button(room: Room) -> None:
    numbers = count(1)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)

    async def begun(acts: int) -> int:
        """Begin a match and go on to its first turn, draw, discard or lay-off."""
        lay_the_first_deck(room.decks)
        await room.begin()
        steps = (ben.refuse, ada.refuse, lambda: ben.draw("stock"), lambda: ben.knock("8H"))
        for step in steps[:acts]:
            await step()
        return next(numbers)

    number = await begun(0)
    sure = await room.ben.press(await ben.panel("Resign…"), "Resign…")
    assert "Ada would win it." in sure.text
    async with room.unchanged(number):
        assert "Your turn: take the 2♦ or pass" in (await room.ben.press(sure, "Play on")).text
    sure = await room.ben.press(await ben.panel("Resign…"), "Resign…")
    assert "Ada wins the match!" in (await room.ben.press(sure, "Resign")).text
    await room.settled()
    assert (await room.log(number))[-1] == "B resign"

    number = await begun(2)
    sure = await room.ada.press(await ada.panel("Resign…"), "Resign…")  # though Ben is to move
    await ada.done(await room.ada.press(sure, "Resign"))
    assert (await room.log(number))[-1] == "A resign"

    number = await begun(3)
    sure = await room.ben.press(await ben.panel("Resign…"), "Resign…")  # with eleven cards
    resigned = await ben.done(await room.ben.press(sure, "Resign"))
    assert "Hand 1 was broken off" in resigned.text

    for acts, loser, winner in ((0, "Ada", "Ben"), (4, "Ada", "Ben"), (4, "Ben", "Ada")):
        await begun(acts)
        person = room.ada if loser == "Ada" else room.ben
        asked = await says(room, person, "resign")
        assert ("Ben has knocked, so that hand would be scored first" in asked) is (acts == 4)
        said = await says(room, person, "resign")
        assert f"{winner} wins the match!" in said
        assert f"{loser} resigned." in said
        assert ("Hand 1 was broken off" in said) is (acts == 0)
        # 5♦ against 7♣ 8♦ K♥ Q♥ 4♣ = 39, once the house has laid off 5♠ and 6♠ for Ada
        assert ("39 − 5 = **34** for Ben" in said) is (acts == 4)
    # Three matches each; Ben scored 34 and a box of 25 twice, also where he gave up after it.
    assert await leaderboard(room, room.cleo) == [
        ["1", "Ben", "6", "3", "118"],
        ["2", "Ada", "6", "3", "0"],
    ]


async def test_who_plays_on_after_the_question_is_asked_again_when_he_types_it_again(
    room: Room,
) -> None:
    lay_the_first_deck(room.decks)
    await room.begin()
    asked = await room.ben.slash(room.table, "gin resign", first=False)
    assert "Give the match up?" in asked.text
    await room.ben.press(asked, "Play on")
    assert "Give the match up?" in await says(room, room.ben, "resign")
    await ByTyping(room, room.ben).refuse()
    assert "Give the match up?" in await says(room, room.ben, "resign")
    await ByTyping(room, room.ada).refuse()  # what others do is no answer of his
    assert "Ada wins the match!" in await says(room, room.ben, "resign")
