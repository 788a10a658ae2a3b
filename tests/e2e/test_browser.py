"""A whole game at the web page, as two people play it who have just opened the door.

Ada sits at a desktop and presses, chooses and fills in forms; Ben has a narrow window, 400 pixels
wide, and types his commands. The bot is killed twice and started again while they play.

Three hands to a target of 50, worked out by hand:

1. Ben deals. He takes the 9♣ and discards 8♣, later knocks with 1 (A♦). Ada lays 3♠ and 7♠ on his
   4♠ 5♠ 6♠ and Q♠ on his queens, and keeps 2♥ 5♦ 6♦ K♣ = 2 + 5 + 6 + 10 = 23.
   Ben scores 23 − 1 = 22.
2. Ada deals. She takes the 9♥ and is gin. Ben has 3-4-5 of hearts, three kings and
   9♠ A♣ 4♣ 8♣ = 9 + 1 + 4 + 8 = 22. Ada scores 22 + 25 = 47.
3. Ben deals. Ada knocks with 6 (6♠), although she could with 1. Ben lays 5♥ on her 2♥ 3♥ 4♥ and
   K♣ on 10♣ J♣ Q♣, and keeps A♠ 8♦ = 9. Ada scores 9 − 6 = 3, and reaches 47 + 3 = 50.

Ada: 50 + 100 (game bonus) + 2 boxes of 25 = 200. Ben: 22 + 1 box of 25 = 47.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.accepted import refused_by_discord
from tests.e2e.room import Decks
from tests.e2e.seats import BOT, PATIENCE, TABLE, CardRoom, Seat, no_decks

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture
def patient() -> Iterator[None]:
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=5_000)


def lay_the_decks() -> Decks:
    decks = no_decks()
    decks.cut("7H", "KD")
    decks.deal(
        non_dealer="3S 7S QS TS TH TD 5D 6D 2H KC",
        dealer="4S 5S 6S QH QD QC 9H 9D AD 8C",
        starter="9C",
        stock="KH 2C",
    )
    decks.deal(
        non_dealer="3H 4H 5H KH KD KC 9S AC 4C 8C",
        dealer="6H 7H 8H JS JD JC 2S 2D 2C KS",
        starter="9H",
    )
    decks.deal(
        non_dealer="2H 3H 4H 9S 9D 9C TC JC QC 6S",
        dealer="5H KC 7S 7H 7D 4S 4D 4C AS 8D",
        starter="KD",
        stock="AD",
    )
    return decks


@pytest.mark.usefixtures("patient")
def test_two_people_play_a_whole_game_at_the_page_while_the_bot_is_killed_and_started_again(
    browser: Browser, tmp_path: Path, output_path: str
) -> None:
    pictures = Path(output_path)
    pictures.mkdir(parents=True, exist_ok=True)
    with CardRoom(tmp_path, lay_the_decks()) as room:
        ada = Seat(room, browser, "ada", width=1280, scheme="dark", pictures=pictures)
        ben = Seat(room, browser, "ben", width=400, scheme="light", pictures=pictures)
        sit_down(ada, ben)
        first_hand(room, ada, ben)
        second_hand(room, ada, ben)
        third_hand(ada, ben)
        the_end(ada, ben)
        once_more(ada, ben)
        assert ada.complaints == ben.complaints == []
        for seat in (ada, ben):
            seat.page.close()
    assert refused_by_discord(room.playground.sent) == []


def sit_down(ada: Seat, ben: Seat) -> None:
    for seat in (ada, ben):
        seat.open(TABLE)
    ada.composer.click()
    ada.page.keyboard.type("/gin challenge")
    ada.page.keyboard.press("Enter")
    people = ada.page.locator("#suggestions")
    people.get_by_role("option", name="@Ben").click()
    ada.page.keyboard.type("target:50")
    ada.keeps("1-challenge")
    ada.page.keyboard.press("Enter")
    ben.reads("Ada challenges @Ben to gin", "One game to 50 points.")
    ben.keeps("2-challenged")
    ben.button("Accept").click()
    for seat in (ada, ben):
        expect(seat.button("My hand")).to_be_enabled()
        expect(seat.button("Accept")).to_have_count(0)
        seat.open(BOT)
    ada.reads("Your turn: take the 9♣ or pass", "loose 3♠ 7♠ Q♠ 2♥ 5♦ 6♦ K♣")
    ben.reads("Waiting for Ada", "4♠ 5♠ 6♠", "Ben deals first")
    ada.keeps("3-hand")
    ben.keeps("3-hand")


def first_hand(room: CardRoom, ada: Seat, ben: Seat) -> None:
    ada.button("Pass").click()
    ben.reads("Your turn")
    ben.command("/gin draw discard")
    ben.reads("9♥ 9♦ 9♣")
    ben.command("/gin discard 8c")
    ada.reads("Your turn: draw a card")
    ada.button("Draw from stock").click()
    ada.reads("You drew K♥ from the stock")
    restart(room, ada, ben, picture="4-the-bot-is-gone")
    ada.choose("Discard", "K♥")  # from a select of before
    ben.reads("Your turn: draw a card")
    ben.command("/gin draw stock")
    ben.reads("2♣")
    ben.command("/gin knock 2c")
    ada.reads("Ben knocked with 1: lay off")
    ada.reads("deadwood 23", "23 against 1: Ben scores the difference, 22.")
    ada.keeps("5-lay-off")
    expect(ada.button("Lay off nothing — leaves 43")).to_be_visible()
    ada.page.locator("#rows .button").filter(has_text="leaves 23").click()
    for seat in (ada, ben):
        seat.reads("Hand 1: Ben knocks and scores 22")
        seat.reads("loose 2♥ 5♦ 6♦ K♣ · deadwood 23", "23 − 1 = 22 for Ben")
        seat.keeps("6-scored")


def second_hand(room: CardRoom, ada: Seat, ben: Seat) -> None:
    ben.reads("Your turn: take the 9♥ or pass")
    ben.command("/gin pass")
    ada.reads("Your turn: take the 9♥ or pass")
    ada.button("Take 9♥").click()
    ada.button("Go gin…").click()
    ada.reads("Go gin?", "You score Ben's deadwood plus 25")
    ada.keeps("7-gin")
    ada.button("Arrange it myself").click()
    expect(ada.modal.get_by_label("Melds")).to_have_value(re.compile("js jd jc"))
    room.kill_bot()
    room.start_bot()
    ada.modal.get_by_role("button", name="Submit").click()  # a form of before
    ada.reads("Arrange it anew")
    ada.button("Go gin").click()
    ada.reads("Hand 2: Ada goes gin and scores 47", "22 + 25 = 47 for Ada")
    for seat in (ada, ben):
        seat.open(TABLE)
        seat.reads("Hand 2: Ada goes gin and scores 47", "Score: Ada 47 – 22 Ben")
        seat.keeps("8-table")


def third_hand(ada: Seat, ben: Seat) -> None:
    ada.button("Pass").click()
    ben.reads("Ben may take the K♦ or pass")
    ben.command("/gin pass")
    ada.open(BOT)
    ada.reads("Your turn: draw a card")
    ada.button("Draw from stock").click()
    ada.button("Knock with 1…").click()
    ada.reads("Knock with 1?", "Face-down discard: 6♠")
    ada.choose("Another way", "Knock with 6, discard A♦")
    ada.reads("Knock with 6?", "Face-down discard: A♦", "These would fit:")
    ada.keeps("9-knock")
    ada.button("Knock with 6").click()
    ada.reads("Waiting for Ben")
    ben.command("/gin layoff cards:5h kc")


def the_end(ada: Seat, ben: Seat) -> None:
    ada.reads("Ada wins the match!")
    ben.open(BOT)
    for seat in (ada, ben):
        seat.reads(
            "Hand 3: Ada knocks and scores 3", "loose A♠ 8♦ · deadwood 9", "9 − 6 = 3 for Ada"
        )
        seat.reads("Ada: 50 in hands + 100 game bonus + 50 for 2 boxes = 200")
        seat.reads("Ben: 22 in hands + 25 for 1 box = 47")
        seat.keeps("10-end")


def once_more(ada: Seat, ben: Seat) -> None:
    for seat in (ada, ben):
        seat.open(TABLE)
    ada.button("Rematch").click()
    ben.button("Accept").click()
    for seat in (ada, ben):
        expect(seat.button("My hand")).to_be_enabled()
        seat.reads("Score: Ada 0 – 0 Ben")
        seat.keeps("11-rematch")


def restart(room: CardRoom, ada: Seat, ben: Seat, picture: str) -> None:
    """Kill the bot; a button fails; start the bot: the same button works."""
    room.kill_bot()
    expect(ada.page.locator("#top")).to_contain_text("Ginhouse is offline")
    ada.button("Refresh").click()
    expect(ada.last.locator(".failure")).to_have_text("This interaction failed")
    ada.keeps(picture)
    room.start_bot()
    expect(ada.page.locator("#top")).not_to_contain_text("offline")
    ada.button("Refresh").click()
    expect(ada.last.locator(".failure")).to_have_count(0)
    expect(ada.last.locator("[aria-busy=true]")).to_have_count(0)
