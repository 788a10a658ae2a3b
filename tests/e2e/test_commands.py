"""Every command: what it does, which match it means, and what it says when it can't be done."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from itertools import count

import pytest

import bot.play.challenges
from playground.acting.people import Answer, CannotInvoke, Person, buttons, select_options, text_of
from playground.acting.reading import all_buttons, label_of
from playground.state.model import Message
from tests.e2e.acting import ByButtons, ByTyping, message_of
from tests.e2e.room import Room
from tests.e2e.test_whole_matches import lay_the_decks, lay_the_first_deck, leaderboard

pytestmark = pytest.mark.usefixtures("unhurried")


def custom_ids(message: Message) -> dict[str, str]:
    """The custom id of each button of a message, by its label."""
    live = (button for button in all_buttons(message) if "custom_id" in button)
    return {label_of(button): str(button["custom_id"]) for button in live}


def challenges(room: Room) -> int:
    """How many challenges were ever written."""
    with closing(sqlite3.connect(room.database)) as database:
        (written,) = database.execute("SELECT count(*) FROM challenges").fetchone()
    return int(written)


async def says(room: Room, person: Person, command: str, /, **options: object) -> str:
    """What a command is answered with at the table, privately and in one message."""
    answer = await person.slash(room.table, f"gin {command}", first=False, **options)
    assert answer.ephemeral, answer
    assert len(answer.messages) == 1
    await room.settled()
    return answer.text


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
    await refused(room.ada, "fits none of the knocker's melds", "layoff", cards="7c")
    await refused(room.ada, "I don't know the card “zz”", "layoff", cards="zz")
    await refused(room.ada, "is no meld", "layoff", cards="5s", melds="td th")
    await ada.lay_off()
    await refused(room.ben, "This match isn't over yet. Finish it first", "rematch", match="1")


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


async def test_calling_off_needs_everybody_and_an_offer_lapses_when_its_maker_plays_on(
    room: Room,
) -> None:
    lay_the_first_deck(room.decks)
    await room.begin()
    ben = ByTyping(room, room.ben)
    async with room.unchanged():
        assert "I've asked whether to call the match off." in await says(room, room.ben, "cancel")
        question = await room.ada.sees(room.ada.dm(), "Ben asks to call the match off")
        assert "The question stands until Ben plays on." in text_of(question)
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
        assert "Ben would rather play on, so the match goes on." in text_of(question)
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
    await room.settled()
    assert question.deleted


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
