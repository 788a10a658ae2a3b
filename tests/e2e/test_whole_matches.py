"""Whole matches, from challenge to rematch: by buttons, by typing, by both; messages open or not.

Most are played with the same three rigged deals to a target of 50, worked out by hand:

1. Ada deals. Ben knocks with 5 (5♦). Ada lays 5♠ and 6♠ on his 2♠ 3♠ 4♠ and keeps
   7♣ 8♦ 8♥ Q♥ 4♣ = 7 + 8 + 8 + 10 + 4 = 37. Ben scores 37 − 5 = 32.
2. Ben deals. Ada takes the 5♣ and is gin. Ben has 2-2-2, 3-4-5 of hearts and
   9♠ 6♦ 4♠ A♣ = 9 + 6 + 4 + 1 = 20. Ada scores 20 + 25 = 45.
3. Ada deals, and knocks with 7 (7♦). Ben lays 7♥ and 8♥ on her 4♥ 5♥ 6♥ and 10♣ on J♣ Q♣ K♣,
   and keeps 3♦ = 3. He undercuts: 7 − 3 + 25 = 29, and reaches 32 + 29 = 61.

Ben: 61 + 100 (game bonus) + 2 boxes of 25 = 211. Ada: 45 + 1 box of 25 = 70.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

import bot.shown.hands
from gin import DECK, Card, Rules
from playground.acting.people import Answer, Person, buttons, text_of
from playground.state.model import Message
from tests.e2e.acting import ByButtons, ByTyping, Mixed, Player, resigns
from tests.e2e.room import Decks, Room

pytestmark = pytest.mark.usefixtures("unhurried")


def lay_the_first_deck(decks: Decks) -> None:
    decks.cut("KD", "7H")
    decks.deal(
        non_dealer="2S 3S 4S 9H 9D 9C JC QC KC 5D",
        dealer="5S 6S TD TH TS 7C 8D KH QH 4C",
        starter="2D",
        stock="8H KS",
    )


def lay_the_decks(decks: Decks) -> None:
    lay_the_first_deck(decks)
    decks.deal(
        non_dealer="AS AH AD 6C 7C 8C TD JD QD KH",
        dealer="2S 2H 2D 3H 4H 5H 9S 6D 4S AC",
        starter="5C",
    )
    decks.deal(
        non_dealer="7H 8H TC AS 2S 3S 5S 5C 5D 3D",
        dealer="4H 5H 6H 8S 8D 8C JC QC KC 7D",
        starter="KD",
        stock="KH 2D",
    )


async def first_hand(ada: Player, ben: Player) -> Answer:
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    await ben.discard("8H")
    await ada.draw("discard")
    await ada.discard("KH")
    await ben.draw("stock")
    await ben.knock("KS", "2s 3s 4s / 9h 9d 9c / jc qc kc")
    return await ada.lay_off("5s 6s", "td th ts")


async def second_hand(ada: Player, _ben: Player) -> Answer:
    await ada.draw("discard")
    return await ada.knock("KH")


async def third_hand(ada: Player, ben: Player) -> Answer:
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    await ben.discard("KH")
    await ada.draw("stock")
    await ada.knock("2D")
    return await ben.lay_off()


async def table_of(room: Room) -> Message:
    """The table message of the match that has ended, or of the one in play."""
    return next(
        message
        for message in reversed(room.cleo.messages(room.table))
        if "Score sheet" in buttons(message)
    )


async def challenge_by_button(room: Room) -> None:
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, target=50)
    assert not (await room.ben.press(challenge, "Accept")).failed
    await room.settled()


async def challenge_by_typing(room: Room) -> None:
    await room.ada.slash(room.table, "gin challenge", opponent=room.ben, target=50)
    assert not (await room.ben.slash(room.table, "gin respond", answer="accept")).failed
    await room.settled()


def the_first_hand_is_explained(said: str) -> None:
    assert "Hand 1: Ben knocks and scores 32" in said
    spread = "2♠ 3♠ 4♠ · 9♥ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦ · deadwood 5 (discard K♠)"
    assert spread in set_in_order(said)
    assert "laid off 5♠ 6♠" in said
    assert "deadwood 37" in said
    assert "37 − 5 = **32** for Ben" in said


def the_second_hand_is_explained(said: str) -> None:
    assert "Hand 2: Ada goes gin and scores 45" in said
    assert "20 + 25 = **45** for Ada" in said


def the_end_is_explained(said: str) -> None:
    assert "Ben wins the match!" in said
    assert "Hand 3: Ben undercuts Ada and scores 29" in said
    assert "7 − 3 + 25 = **29** for Ben" in said
    assert "Ben: 61 in hands + 100 game bonus + 50 for 2 boxes = **211**" in said
    assert "Ada: 45 in hands + 25 for 1 box = **70**" in said


async def leaderboard(room: Room, person: Person) -> list[list[str]]:
    """The rows of the leaderboard as a person reads them: rank, name, played, won, points."""
    said = (await person.slash(room.table, "gin leaderboard")).text
    return [line.strip(" ›").split() for line in said.split("```")[1].strip().splitlines()[1:]]


async def test_a_whole_match_by_buttons_selects_and_modals_only(room: Room) -> None:
    lay_the_decks(room.decks)
    await challenge_by_button(room)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await first_hand(ada, ben)
    the_first_hand_is_explained(text_of(await table_of(room)))
    the_first_hand_is_explained(text_of(await room.ada.panel("Refresh", room.ada.dm())))
    await second_hand(ada, ben)
    the_second_hand_is_explained(text_of(await table_of(room)))
    await third_hand(ada, ben)
    end = await room.cleo.panel("Rematch", room.table)
    the_end_is_explained(text_of(end))
    for player in (room.ada, room.ben):
        the_end_is_explained(text_of(await player.panel("Rematch", player.dm())))
    assert await leaderboard(room, room.cleo) == [
        ["1", "Ben", "1", "1", "211"],
        ["2", "Ada", "1", "0", "70"],
    ]
    asked = await room.ada.press(end, "Rematch")
    assert room.ben.pings(room.table)[-1] is asked.message
    await ben.done(await room.ben.press(asked, "Accept"))
    assert (await room.match(2)).rules == (await room.match(1)).rules
    assert "Score: Ada **0** – **0** Ben" in text_of(await table_of(room))


async def test_a_whole_match_by_typed_commands_only(room: Room) -> None:
    lay_the_decks(room.decks)
    await challenge_by_typing(room)
    ada, ben = ByTyping(room, room.ada, room.ada), ByTyping(room, room.ben)
    assert "K♥" in (await ada.type("hand")).text
    await first_hand(ada, ben)
    sheet = (await ben.type("sheet")).text
    assert "knock 37 − 5" in sheet
    assert "+32  32" in sheet
    status = (await ada.type("status")).text
    assert "Ada **0** – **32** Ben" in status
    assert "Your turn" in status
    the_second_hand_is_explained((await second_hand(ada, ben)).text)
    the_end_is_explained((await third_hand(ada, ben)).text)
    assert await leaderboard(room, room.ben) == [
        ["1", "Ben", "1", "1", "211"],
        ["2", "Ada", "1", "0", "70"],
    ]
    sheet = (await ada.type("sheet")).text
    assert "undercut 7−3+25" in sheet
    assert "= **211**" in sheet
    await ada.type("rematch")
    await ben.type("respond", answer="accept")
    assert (await room.match(2)).rules.target == 50


async def test_a_whole_match_now_pressed_now_typed_with_one_persons_messages_closed(
    room: Room,
) -> None:
    lay_the_decks(room.decks)
    room.playground.faults.close_dms(room.ben.user)
    await challenge_by_button(room)
    ada, ben = Mixed(room, room.ada, room.ada), Mixed(room, room.ben)
    called = room.ben.pings(room.table)[-1]
    assert "it's your turn. Your hand is behind the button." in text_of(called)
    await first_hand(ada, ben)
    assert called.deleted, "the call is taken away once he has acted"
    assert room.ben.messages(room.ben.dm()) == []
    await second_hand(ada, ben)
    await third_hand(ada, ben)
    the_end_is_explained(text_of(await room.cleo.panel("Rematch", room.table)))
    mine = await room.ben.slash(room.table, "gin hand")
    assert "Your match with Ada is over" in mine.text
    calls = [
        message
        for message in room.cleo.messages(room.table)
        if room.ben.id in message.pinged and "your turn" in text_of(message)
    ]
    assert calls == [], "no call is left behind"
    asked = await room.ben.slash(room.table, "gin rematch")
    await room.ada.press(asked, "Accept")
    await room.settled()
    assert len(await room.log(2)) == 2


async def test_messages_that_close_in_the_middle_of_a_match_stop_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        bot.shown.hands, "STILL_THERE", timedelta(0)
    )  # each turn comes with a message
    lay_the_decks(room.decks)
    await challenge_by_button(room)
    ada, ben = ByTyping(room, room.ada), ByButtons(room, room.ben)
    await first_hand(ada, ben)
    room.playground.faults.close_dms(room.ben.user)
    await second_hand(ada, ben)
    assert "it's your turn" in text_of(room.ben.pings(room.table)[-1])
    await third_hand(ada, ben)
    the_end_is_explained(text_of(await room.cleo.panel("Rematch", room.table)))


def shuffles(seed: int) -> Iterator[tuple[Card, ...]]:
    """Honest shuffles, the same in each run: those of seed 291 make a match of 28 acts."""
    chance = random.Random(seed)
    while True:
        yield tuple(chance.sample(DECK, len(DECK)))


@pytest.mark.parametrize("seed", [291, pytest.param(None, marks=pytest.mark.long)])
async def test_a_whole_match_with_real_shuffles(room: Room, seed: int | None) -> None:
    if seed is not None:
        room.decks.follow(shuffles(seed))
    await challenge_by_button(room)
    players: tuple[Player, Player] = (
        ByButtons(room, room.ada),
        Mixed(room, room.ben, room.ben),
    )
    for _act in range(2000):
        to_move = (await room.match()).to_move
        if to_move is None:
            break
        await players[to_move].turn()
    end = text_of(await room.cleo.panel("Rematch", room.table))
    sheet = text_of((await room.cleo.slash(room.table, "gin sheet", match="1")).message)
    won = re.findall(r"^ *\d+( *)\+(\d+)", sheet, re.MULTILINE)
    scored: dict[str, list[int]] = {"Ada": [], "Ben": []}
    for indent, points in won:
        scored["Ada" if len(indent) < 8 else "Ben"].append(int(points))
    assert max(map(sum, scored.values())) >= 50
    for name, points in scored.items():
        total = sum(points) + 25 * len(points) + (100 if sum(points) >= 50 else 0)
        said = rf"{sum(points)} in hands .*= \*\*{total}\*\*" if points else r"\*\*0\*\* in hands"
        assert re.search(rf"^{name}: {said}$", end, re.MULTILINE)


async def test_equal_people_share_a_rank_and_the_next_one_counts_them(room: Room) -> None:
    """Ranks are 1-2-2-4: by matches won, then points; who is level shares the rank."""
    dmitri = Person.of(room.playground, "dmitri")
    for winner in (room.cleo, room.ada, room.ben, room.ada):
        await room.begin(winner, dmitri)
        await resigns(dmitri, room.table)
        await room.settled()
    assert await leaderboard(room, room.ada) == [
        ["1", "Ada", "2", "2", "0"],
        ["2", "Ben", "1", "1", "0"],
        ["2", "Cleo", "1", "1", "0"],
        ["4", "Дмитрий", "4", "0", "0"],
    ]


async def test_fault_32_and_34_lay_offs_go_on_melds_as_they_grow_and_the_knocker_lies_open(
    room: Room,
) -> None:
    """Faults 32 and 34: a second card on the same run; who sees what during a lay-off."""
    lay_the_decks(room.decks)
    await challenge_by_button(room)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    await ben.draw("stock")
    await ben.discard("8H")
    await ada.draw("discard")
    await ada.discard("KH")
    await ben.draw("stock")
    await ben.knock("KS")
    page = await ada.panel("My own way")
    defenders = text_of(page)
    watchers = text_of(await table_of(room))
    knockers = text_of(await room.ben.panel("Refresh", room.ben.dm()))
    spread = "2♠ 3♠ 4♠ · 9♥ 9♦ 9♣ · J♣ Q♣ K♣ · loose 5♦ · deadwood 5"
    for seen in (defenders, watchers, knockers):
        assert spread in set_in_order(seen)
        assert "K♠" not in seen, "the discard of a knock lies face down"
        for card in ("5♠", "6♠", "Q♥", "4♣"):
            assert card in seen, "after a knock both hands lie open"
    assert "Best: lay off 5♠" in defenders
    assert "Lay off 5♠ 6♠ — leaves 37" in buttons(page)
    async with room.unchanged():
        form = await room.ada.press(page, "My own way")
        wrong = await room.ada.submit(form, {"cards": "6s", "melds": "td th ts"})
        assert "6♠ fits none of the knocker's melds" in wrong.text
    await ada.lay_off("5s 6s", "td th ts")
    assert "K♠" in text_of(await table_of(room))
    the_first_hand_is_explained(text_of(await table_of(room)))


async def test_fault_33_the_game_bonus_goes_to_the_undercutter_who_reached_the_target(
    room: Room,
) -> None:
    """Fault 33. Ada knocks with 7 and is on turn; Ben's undercut takes him to 61 of 50."""
    room.decks.cut("KD", "7H")
    for _hand in range(2):
        room.decks.deal(
            non_dealer="7H 8H TC AS 2S 3S 5S 5C 5D 3D",
            dealer="4H 5H 6H 8S 8D 8C JC QC KC 7D",
            starter="KD",
            stock="KH 2D",
        )
    await challenge_by_typing(room)
    ada, ben = ByTyping(room, room.ada), ByTyping(room, room.ben)
    await third_hand(ada, ben)  # Ben scores 29; then the seats are changed: Ada undercuts Ben
    end = await third_hand(ben, ada)
    assert "Ada **29** – **29** Ben" in end.text


async def test_fault_35_what_was_announced_is_played_and_the_limit_is_always_on_screen(
    room: Room,
) -> None:
    """Fault 35: challenge, table, hands and log speak of the same rules, at every moment."""
    lay_the_first_deck(room.decks)
    offer = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, target=250)
    assert "**Standard gin**: knock when your deadwood is 10 or less." in offer.text
    assert "**One game to 250 points.** Whoever gets there adds 100." in offer.text
    assert "Each hand won adds 25 at the end." in offer.text
    assert "Bonuses: gin 25, undercut 25." in offer.text
    await room.ben.press(offer, "Accept")
    await room.settled()
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    assert (await room.match()).rules == Rules(target=250)
    for act in (
        ben.refuse,
        ada.refuse,
        lambda: ben.draw("stock"),
        lambda: ben.discard("8H"),
        lambda: ada.draw("discard"),
    ):
        for shown in (await table_of(room), room.ada.last(room.ada), room.ben.last(room.ben)):
            assert "knock with 10 or less" in text_of(shown).lower()
            assert "Standard gin · to 250" in text_of(shown)
        await act()


async def test_fault_39_the_deadwood_of_eleven_cards_is_the_least_over_all_discards(
    room: Room,
) -> None:
    """Fault 39. Melding all eleven first (2-2-2, 3-4-5-6 of clubs) and dropping a five leaves 7.

    Without the 6♣ it is 2-3-4 of clubs and 5-5-5, and A♠ A♦ 2♥ 2♦ = 1 + 1 + 2 + 2 = 6 are loose.
    """
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="AS 5S 2H AD 2D 5D 2C 3C 4C 5C",
        dealer="9S 9H TD JD QS KH KS 7C 8D TH",
        starter="7S",
        stock="6C",
    )
    await challenge_by_button(room)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)
    await ben.refuse()
    await ada.refuse()
    drawn = await ben.draw("stock")
    assert "deadwood 6 without 6♣" in drawn.text
    assert "Knock with 6…" in drawn.text
    assert "leaves 5" not in drawn.text
    page = await ben.knock_page()
    assert "Knock with 6?" in text_of(page)
    assert "A♠ + 2♥ + A♦ + 2♦ = 6" in text_of(page)
    await ben.done(await room.ben.press(page, "Knock with 6"))
    assert "Ben knocked with 6" in text_of(await ada.panel("My own way"))


def set_in_order(text: str) -> str:
    """The text with melds in one order, whichever was laid first."""
    return "\n".join(
        " · ".join(sorted(line.split(": ", 1)[-1].split(" · "), key=_place))
        for line in text.splitlines()
    )


def _place(part: str) -> tuple[int, str]:
    return ("loose" in part) + 2 * ("deadwood" in part), part
