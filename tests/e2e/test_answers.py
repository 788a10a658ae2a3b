"""Every press, choice and form is answered, whoever sends it; wrong ones change nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

import bot.front.serving
from bot.ui.controls import Control, Verb
from db.errors import DatabaseUnusable
from playground.acting.people import Answer, Person, buttons, select_options, text_of
from playground.state.model import Message
from tests.e2e.acting import ByButtons, ByTyping, custom_ids, message_of, resigns
from tests.e2e.room import Room
from tests.e2e.test_whole_matches import lay_the_decks, lay_the_first_deck

ALREADY = "That was from an earlier moment. Here is how things stand now."
ANOTHER_TIME = "This button is from another time and does nothing now."

WITH_EXAMPLES = {Verb.HELP, Verb.HELP_PICK, Verb.RULES_PICK}
"""Pages whose text is the same for everybody, with melds as examples."""


pytestmark = pytest.mark.usefixtures("unhurried")


async def table_of(room: Room) -> Message:
    return await room.cleo.panel("My hand", room.table)


async def drawn(room: Room) -> tuple[ByButtons, ByButtons]:
    """Ben has drawn the 8♥ and may knock with 5."""
    lay_the_decks(room.decks)
    await room.begin()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    return ada, ben


async def head(room: Room) -> int:
    return len(await room.log())


async def test_fault_8_a_strangers_press_gets_a_private_answer_and_changes_nothing(
    room: Room,
) -> None:
    """Fault 8: every control of the table and of a player's own panel, pressed by Cleo."""
    lay_the_first_deck(room.decks)
    await room.begin()
    async with room.unchanged():
        for label in ("My hand", "Take 2♦", "Pass"):
            answer = await room.cleo.press(await table_of(room), label)
            assert answer.ephemeral
            assert "You're welcome to watch" in answer.text
        assert "Score sheet" in (await room.cleo.press(await table_of(room), "Score sheet")).text
        assert (await room.cleo.press(await table_of(room), "Help")).ephemeral
        for label in ("Take 2♦", "Pass"):
            answer = await room.ada.press(await table_of(room), label)
            assert "It isn't your turn yet" in answer.text
    ben = ByButtons(room, room.ben)
    await ben.refuse()
    await ByButtons(room, room.ada).refuse()
    drew = await ben.draw("stock")
    version = await head(room)
    mine = {"2♠", "3♠", "4♠", "9♥", "9♦", "9♣", "J♣", "Q♣", "K♣", "5♦", "8♥", "8H"}
    async with room.unchanged():
        for custom_id in custom_ids(message_of(drew)).values():
            answer = await room.cleo.forge(await table_of(room), custom_id)
            assert not answer.failed, custom_id
            assert not any(card in answer.text for card in mine), custom_id
        for verb in Verb:
            for args in (("0",), ("stock",)):
                control = Control(verb, 1, version, args).encode()
                for values in (None, ["8H"]):
                    answer = await room.cleo.forge(None, control, values, where=room.table)
                    assert not answer.failed, control
                    assert answer.modal is None or "word" in control, control
                    said = text_of(answer.message) if answer.message else ""
                    assert verb in WITH_EXAMPLES or not any(card in said for card in mine), control
        for name in ("knock-typed", "layoff-typed", "accept-typed", "word-typed"):
            fields = {"discard": "8h", "cards": "8h", "word": "hello"}
            answer = await room.cleo.forge_submit(room.table, f"gin:{name}:1:{version}", fields)
            assert answer.ephemeral, name
            assert not any(card in answer.text for card in mine), name


async def test_fault_9_an_id_that_nobody_knows_is_answered_too(room: Room) -> None:
    """Faults 7 and 9: unknown ids, unknown matches, foreign ids, values that were never offered."""
    await drawn(room)
    version = await head(room)
    panel = await room.ben.panel("Refresh", room.ben.dm())
    async with room.unchanged():
        for custom_id in (
            "x",
            "gin",
            "gin:",
            "gin:fly:1:5",
            "gin:draw",
            "gin:draw:1",
            "gin:draw:one:5:stock",
            f"gin:draw:1:{version}:moon",
            f"gin:draw:1:{version}",
            "gin:discard:1:5:7H:" + "x" * 80,
            "hearts:draw:1:5:stock",
        ):
            answer = await room.ben.forge(panel, custom_id)
            assert answer.ephemeral, custom_id
            assert ANOTHER_TIME in answer.text, custom_id
        for custom_id in (f"gin:draw:99:{version}:stock", "gin:hand:99:5", "gin:sheet:99:5"):
            answer = await room.ben.forge(panel, custom_id)
            assert answer.ephemeral, custom_id
            assert "match" in answer.text, custom_id
        forged: tuple[tuple[list[str], str], ...] = (
            (["AS"], "You don't hold "),
            (["ZZ"], "I don't know the card “ZZ”"),
            (["7H", "8H"], "You don't hold "),
            ([], "Name one card"),
        )
        for chosen, said in forged:
            answer = await room.ben.forge(panel, f"gin:discard:1:{version}", chosen)
            assert said in answer.text
        for custom_id in (f"gin:knock:1:{version}:99", f"gin:layoff:1:{version}:0"):
            answer = await room.ben.forge(panel, custom_id)
            assert not answer.failed
            assert answer.text
        for value in ("99", "x", ""):
            for verb in ("knock-pick", "layoff-pick", "help-pick", "which"):
                answer = await room.ben.forge(panel, f"gin:{verb}:1:{version}", [value])
                assert not answer.failed, verb
        huge = "9" * 20  # more than a database's number holds
        for custom_id, values in (
            (f"gin:hand:{huge}:1", None),
            (f"gin:sheet:{huge}:1", None),
            (f"gin:accept:{huge}:0", None),
            (f"gin:draw:1:{huge}:stock", None),
            (f"gin:knock:1:{version}:{huge}", None),
            (f"gin:sheet:1:{version}:{huge}", None),
            (f"gin:leaderboard-page:{huge}:0:1", None),
            ("gin:leaderboard-page:1:0:99", None),
            ("gin:which:0:0:draw:moon", ["1"]),
            ("gin:which:0:0:discard:ZZ", ["1"]),
            ("gin:which:0:0:knock", ["1"]),
            ("gin:which:0:0:draw:stock", ["99999999999999999999"]),
            ("gin:help-pick:0:0", ["no such topic"]),
        ):
            answer = await room.ben.forge(panel, custom_id, values)
            assert not answer.failed, custom_id
            assert answer.modal is None
            assert "went wrong on our side" not in answer.text, custom_id
    async with room.unchanged():
        for custom_id, fields in (
            (f"gin:knock-typed:1:{version}", {}),
            (f"gin:knock-typed:1:{version}", {"discard": "zz", "melds": ""}),
            (f"gin:knock-typed:1:{version}", {"discard": "8h", "melds": "2s 3s"}),
            (f"gin:layoff-typed:1:{version}", {"cards": "8h"}),
            ("gin:knock-typed:99:1", {"discard": "8h"}),
            ("some other form", {"word": "hello"}),
        ):
            answer = await room.ben.forge_submit(room.ben, custom_id, fields)
            assert not answer.failed, custom_id
            assert answer.text


async def test_fault_7_a_button_of_another_moment_says_so_and_offers_the_present_hand(
    room: Room,
) -> None:
    """Fault 7: a button of the first hand, pressed in the second, and once more after the match."""
    ada, ben = await drawn(room)
    stale = custom_ids(await room.ben.panel("Refresh", room.ben.dm()))
    knock = stale["Knock with 5…"]
    discard = f"gin:discard:1:{await head(room)}"
    form = await room.ben.press(await ben.knock_page(), "Arrange it myself")
    asked = await ben.done(await room.ben.submit(form, {"discard": "8h"}))
    await ben.confirm(message_of(asked))
    old_lay_off = await ada.panel("My own way")
    lay_off = custom_ids(old_lay_off)["My own way"]
    await ada.lay_off()
    assert "Hand 1: Ben knocks" in text_of(await table_of(room))

    async def says_so(person: Person, answer: Answer) -> None:
        assert answer.kind is not None
        assert ALREADY in answer.text
        where = person.panel("Refresh", person.dm())
        assert set(buttons(message_of(answer))) >= set(buttons(await where))

    async with room.unchanged():
        panel = await room.ben.panel("Refresh", room.ben.dm())
        await says_so(room.ben, await room.ben.forge(panel, knock))
        await says_so(room.ben, await room.ben.forge(panel, discard, ["5D"]))
        await says_so(room.ben, await room.ben.submit(form, {"discard": "5d"}))
        panel = await room.ada.panel("Refresh", room.ada.dm())
        await says_so(room.ada, await room.ada.forge(panel, lay_off))
    await resigns(room.ada, room.table)
    await room.settled()
    async with room.unchanged():
        answer = await room.ben.forge(await room.ben.panel("Rematch", room.ben.dm()), knock)
        assert ALREADY in answer.text
        assert "Ben wins the match!" in answer.text
        typed = await room.ben.slash(room.table, "gin draw", pile="stock", match="1")
        assert "This match is over. Use `/gin rematch` to play again." in typed.text
        for command in ("hand", "pass", "resign", "cancel"):
            typed = await room.ben.slash(room.table, f"gin {command}")
            assert "Your match with Ada is over. `/gin rematch`" in typed.text


async def test_fault_6_a_double_click_and_two_devices_act_once(room: Room) -> None:
    """Fault 6: the same button twice, two buttons at once, a press and a command, a redelivery."""
    lay_the_first_deck(room.decks)
    await room.begin()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    panel = await ben.panel("Pass")
    twice = await asyncio.gather(*(room.ben.press(panel, "Pass") for _click in range(2)))
    await room.settled()
    assert (await room.log())[2:] == ("B pass",)
    assert not any(ALREADY in answer.text for answer in twice), "it is what he did himself"
    assert all("Waiting for Ada" in answer.text for answer in twice)
    assert not any(answer.failed for answer in twice)
    await ada.refuse()
    await ben.draw("stock")
    await ben.discard("8H")
    at_home = await ada.panel("Draw from stock")
    on_the_way = message_of(await room.ada.press(await table_of(room), "My hand"))
    await asyncio.gather(
        room.ada.press(at_home, "Draw from stock"), room.ada.press(on_the_way, "Take 8♥")
    )
    await room.settled()
    assert len(await room.log()) == 7
    assert (await room.log())[6] in ("A draw stock", "A draw discard")
    pressed, typed = await asyncio.gather(
        room.ada.choose(await ada.panel("Refresh"), "KH"),
        room.ada.slash(room.table, "gin discard", card="qh"),
    )
    await room.settled()
    assert len(await room.log()) == 8
    assert not pressed.failed
    assert not typed.failed
    async with room.unchanged():
        room.playground.faults.redeliver(typed.interaction)
        room.playground.faults.redeliver(pressed.interaction)
        await room.cleo.slash(room.table, "gin help")  # it comes after them


async def test_fault_6_a_press_that_failed_has_no_double(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was pressed came to nothing; who presses it once more, too late, is told so."""
    lay_the_first_deck(room.decks)
    await room.begin()
    panel = await ByButtons(room, room.ben).panel("Pass")
    as_it_was = list(panel.components)
    assert room.bot is not None

    async def fails(*_: object, **__: object) -> None:
        raise DatabaseUnusable("the disk is full")

    with monkeypatch.context() as full:
        full.setattr(room.bot.house.tables, "act", fails)
        assert "Please try again" in (await room.ben.press(panel, "Pass")).text
    await ByTyping(room, room.ben).refuse()
    await room.settled()
    panel.components = as_it_was  # his client hasn't heard of it yet
    assert ALREADY in (await room.ben.press(panel, "Pass")).text


async def test_fault_6_a_command_that_comes_again_after_a_restart_does_not_act_again(
    room: Room,
) -> None:
    """Fault 6: it would be legal once more by then; the log knows the interaction."""
    lay_the_first_deck(room.decks)
    await room.begin()
    ada, ben = ByTyping(room, room.ada), ByTyping(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    drew = await ben.draw("stock")
    await ben.discard("8H")
    await ada.draw("stock")
    await ada.discard("KH")
    await room.restart()
    async with room.unchanged():
        room.playground.faults.redeliver(drew.interaction)
        await room.ben.until(
            lambda: any(
                request.path.startswith(f"/interactions/{drew.interaction.id}/")
                for request in list(room.playground.sent)[-3:]
            ),
            "an answer to the second delivery",
        )
    await ben.draw("stock")
    assert (await room.log())[-1] == "B draw stock"


async def test_faults_36_and_38_a_knock_is_confirmed_and_going_back_loses_nothing(
    room: Room,
) -> None:
    """Faults 36 and 38: the page counts the deadwood and names what may be laid off."""
    _ada, ben = await drawn(room)
    before = await room.ben.panel("Refresh", room.ben.dm())
    hand = text_of(before)
    assert "Your turn: discard, or knock" in hand
    async with room.unchanged():
        page = await ben.knock_page()
        said = text_of(page)
        assert "## Knock with 5?" in said
        assert "Face-down discard: **8♥**" in said
        assert "Your deadwood: 5♦ = 5 · limit 10" in said
        # A♠ and 5♠ on 2♠ 3♠ 4♠, the 9♠ on the nines, the 10♣ on J♣ Q♣ K♣
        assert "These would fit: A♠ 5♠ 9♠ 10♣." in said
        assert "If that leaves Ada with 5 or less, you are undercut" in said
        other = next(label for label in select_options(page) if label.endswith("discard 5♦"))
        said = text_of(message_of(await room.ben.choose(page, other)))
        assert "## Knock with 8?" in said
        back = await room.ben.press(page, "Back")
        assert text_of(back.message) == hand
        form = await room.ben.press(await ben.knock_page(), "Arrange it myself")
        for discard, melds, sentence in (
            ("8h", "2s 3s 4s / jc qc kc", "That would be a knock with 32, and the limit is 10."),
            ("8h", "2s 3s 5d", "is no meld"),
            ("ace of spades", "", "You don't hold "),
            ("what", "", "I don't know the card “what”"),
        ):
            answer = await room.ben.submit(form, {"discard": discard, "melds": melds})
            assert answer.ephemeral
            assert sentence in answer.text, answer.text
            await room.settled()
            standing = [one for one in room.ben.everything() if one.ephemeral]
            assert standing == [answer.message], "the newest took the place of the one before"
    assert text_of(await room.ben.panel("Back", room.ben.dm()))
    async with room.unchanged():
        again = await room.ben.slash(room.ben, "gin hand")
        assert "Your turn: discard, or knock" in again.text
    await ben.discard("8H")
    assert (await room.log())[-1] == "B discard 8H"


async def test_fault_37_gin_is_asked_for_never_taken_and_offered_again(room: Room) -> None:
    """Fault 37: Ada holds gin, plays on, and goes gin a turn later."""
    room.decks.cut("7H", "KD")
    room.decks.deal(
        non_dealer="AS AH AD 6C 7C 8C TD JD QD KH",
        dealer="2S 2H 2D 3H 4H 5H 9S 6D 4S AC",
        starter="5C",
        stock="KS QS",
    )
    await room.begin()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    taken = await ada.draw("discard")
    assert "Your turn: you can go gin!" in taken.text
    assert "Go gin…" in buttons(message_of(taken))
    async with room.unchanged():
        page = await ada.knock_page()
        assert "## Go gin?" in text_of(page)
        assert "You don't have to: you may also discard and play on." in text_of(page)
        await room.ada.press(page, "Back")
    await ada.discard("KH")
    assert (await room.match()).results == ()
    await ben.draw("stock")
    await ben.discard("KS")
    assert "you can go gin!" in (await ada.draw("stock")).text
    ended = await ada.knock("QS")
    assert "Hand 1: Ada goes gin and scores 45" in ended.text


async def test_a_hand_that_is_open_twice_stays_usable_in_both_places(room: Room) -> None:
    """An ephemeral hand that has gone stale says so, and offers the present one in its place."""
    lay_the_first_deck(room.decks)
    await room.begin()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    second = message_of(await room.ben.press(await table_of(room), "My hand"))
    room.playground.faults.expire_tokens()  # else it would be kept up to date
    await ben.refuse()
    await ada.refuse()
    async with room.unchanged():
        answer = await room.ben.press(second, "Pass")
        assert answer.message is second
        assert ALREADY in text_of(second)
    await ben.done(await room.ben.press(second, "Draw from stock"))
    assert "8♥" in text_of(await room.ben.panel("Knock with 5…", room.ben.dm()))


async def test_a_house_that_is_slow_with_every_answer_is_played_in_all_the_same(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 2: each answer is put off first; buttons, selects, commands and the challenge work."""
    monkeypatch.setattr(bot.front.serving, "ANSWER_WITHIN", timedelta(0))
    monkeypatch.setattr(bot.front.serving, "OPEN_FORM_WITHIN", timedelta(0))
    lay_the_decks(room.decks)
    offer = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, target=50)
    assert offer.deferred
    challenge = await room.ben.panel("Accept", room.table)
    assert room.ben.pings(room.table) == [challenge], "a message that comes late notifies, too"
    accepted = await room.ben.press(challenge, "Accept")
    assert accepted.deferred
    await room.settled()
    assert buttons(challenge) == []
    ada, ben = ByButtons(room, room.ada), ByTyping(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    await ben.discard("8H")
    assert "8♥" in (await ada.draw("discard")).text
    await ada.discard("KH")
    stranger = await room.cleo.press(await table_of(room), "My hand")
    await room.settled()
    assert stranger.deferred
    assert [message.ephemeral for message in stranger.messages] == [True]
    assert "You're welcome to watch" in text_of(stranger.messages[0])
    await ben.draw("stock")
    await ben.knock("KS")
    form = await room.ada.press(await ada.panel("My own way"), "My own way")
    await room.settled()
    assert "That took too long. Please press it once more." in text_of(form.messages[0])
    await ada.lay_off()
    assert "37 − 5 = **32** for Ben" in text_of(await table_of(room))
    board = await room.cleo.slash(room.table, "gin leaderboard")
    await room.settled()
    assert board.deferred
    assert "Nobody has finished a match here yet" in room.ben.text(room.table)


async def test_messages_that_were_opened_again_are_used_again(room: Room) -> None:
    """Fault 4: closed messages are noted; whoever asks for his hand is tried once more."""
    lay_the_first_deck(room.decks)
    room.playground.faults.close_dms(room.ben.user)
    await room.begin()
    assert room.ben.messages(room.ben.dm()) == []
    assert "it's your turn" in text_of(room.ben.pings(room.table)[-1])
    room.playground.faults.close_dms(room.ben.user, closed=False)
    asked = await room.ben.slash(room.table, "gin hand")
    assert "Your turn: take the 2♦ or pass" in asked.text
    await room.ben.press(asked, "Pass")
    await room.settled()
    await ByButtons(room, room.ada).refuse()
    assert "Your turn: draw a card" in text_of(await room.ben.panel("Refresh", room.ben.dm()))
    assert not any("your turn" in text_of(call) for call in room.ben.pings(room.table))
