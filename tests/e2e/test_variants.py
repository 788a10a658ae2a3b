"""A hand of each variant at the table: what was accepted is what is played and what stands there.

Fault 35: the announced variant differs from the one played; the Oklahoma limit isn't on screen.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gin import OKLAHOMA, STANDARD, STRAIGHT, Rules
from gin.rules import Limit, SpadesDouble
from playground.acting.people import buttons, text_of
from tests.e2e import laid
from tests.e2e.acting import ByButtons
from tests.e2e.laid import challenge, defending, knocking, table_of, table_text, typing
from tests.e2e.room import Room

unhurried = laid.unhurried


def about_the_hand(page: str) -> str:
    """The line of a page that tells the knock limit of the hand in play.

    On the page of who waits it stands alone: up-card and stock change meanwhile.
    """
    alone = ("Knock with ", "Only gin")
    return next(line for line in page.splitlines() if "stock **" in line or line.startswith(alone))


def limit(page: str) -> str:
    """The knock limit of the hand in play, as a page tells it."""
    line = about_the_hand(page).casefold()
    if "only gin" in line:
        return "only gin"
    found = re.search(r"knock with (\d+) or less", line)
    assert found is not None, line
    return found[1]


async def test_standard_gin_is_knocked_with_ten_or_less(room: Room) -> None:
    """Ben takes 6♥ beside 2♠ 3♠ 4♠, 9-9-9, J♣ Q♣ K♣ and 5♦, and knocks with six (5♦ goes).

    Ada has 10-10-10; she lays 5♠ and 6♠ on the spades and keeps 7 + 8 + 10 + 10 + 4 = 39. Ben
    scores 39 − 6 = 33.
    """
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="2S 3S 4S 9H 9D 9C JC QC KC 5D",
        dealer="5S 6S TD TH TS 7C 8D KH QH 4C",
        starter="6H",
    )
    ada, ben = typing(room, room.ada, room.ben)
    said, accepted = await challenge(room, room.ada, room.ben, variant="standard")
    assert "knock when your deadwood is 10 or less" in said
    assert "Standard gin" in accepted.text
    assert (await room.match()).rules == STANDARD
    await ben.draw("discard")
    assert limit(table_text(room)) == "10"
    async with room.unchanged():
        # J♣ and Q♣ without K♣, with 5♦ and 6♥: 10 + 10 + 5 + 6 = 31.
        refused = await ben.knock("KC")
        assert "a knock with 31, and the limit is 10" in refused.text
        assert "Choose another discard or other melds" in refused.text
        # With the spades left out of the melds: 2 + 3 + 4 + 6 = 15.
        refused = await ben.knock("5D", "9h 9d 9c / jc qc kc")
        assert "a knock with 15, and the limit is 10" in refused.text
        refused = await ben.knock("6H")
        assert "took that card from the discard pile just now" in refused.text
    await ben.knock("5D")
    end = await ada.lay_off()
    assert "Ben knocks and scores 33" in end.text
    assert "39 − 6 = **33** for Ben" in end.text


async def test_oklahomas_limit_and_doubling_are_those_of_the_starter_hand_by_hand(
    room: Room,
) -> None:
    """Three starters: 6♠ (limit 6, counts double), 3♠ (limit 3, double) and A♣ (limit 1).

    1. Ben takes 6♠ to 4♠ 5♠ and has 9-9-9, J♣ Q♣ K♣, 7♥ and A♦: he knocks with 1. Ada has 2-2-2,
       K-K-K and 8 + 8 + 5 + 3 = 24. (24 − 1) × 2 = 46.
    2. Ada is gin, Ben has 28: (28 + 25) × 2 = 106, the bonus doubled, too. The box stays 25.
    """
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="4S 5S 9H 9D 9C JC QC KC 7H AD",
        dealer="2C 2D 2H KS KH KD 8C 8D 5H 3C",
        starter="6S",
    )
    room.decks.deal(non_dealer="AS AH AD AC 2S 2H 2D 3H 3D KC", dealer=defending(28), starter="3S")
    room.decks.deal(
        non_dealer="4S 5S 9H 9D 9C JC QC KC 7H AD",
        dealer="2C 2D 2H KS KH KD 8C 8D 5H 3C",
        starter="AC",
    )
    said, _accepted = await challenge(room, room.ada, room.ben, variant="oklahoma", target=200)
    assert "first up-card sets the knock limit" in said
    assert "If that card is a spade, all that is scored counts double" in said
    assert (await room.match()).rules == replace(OKLAHOMA, target=200)
    ada, ben = ByButtons(room, room.ada), ByButtons(room, room.ben)

    async def shown() -> list[str]:
        """What table and both panels say of the limit, and whether the hand counts double."""
        panels = [text_of(await one.panel("Refresh", one.dm())) for one in (room.ada, room.ben)]
        lines = [about_the_hand(page) for page in (table_text(room), *panels)]
        return [limit(line) + (" doubled" if "double" in line else "") for line in lines]

    assert await shown() == ["6 doubled"] * 3
    await ben.draw("discard")
    assert limit(table_text(room)) == "6", "the limit stays when the starter is taken"
    page = await ben.knock_page()
    async with room.unchanged():
        # With A♦ gone 7♥ is left: one over the limit.
        form = await room.ben.press(page, "Arrange it myself")
        refused = await room.ben.submit(
            form, {"discard": "ad", "melds": "4s 5s 6s / 9h 9d 9c / jc qc kc"}
        )
        assert "a knock with 7, and the limit is 6" in refused.text
    await room.ben.press(page, "Back")
    await ben.knock("7H")
    end = await ada.lay_off()
    assert "(24 − 1) × 2 = **46** for Ben" in end.text
    assert "doubled by the spade 6♠" in end.text

    assert await shown() == ["3 doubled"] * 3
    await ada.draw("discard")
    end = await ada.knock("KC")
    assert "(28 + 25) × 2 = **106** for Ada" in end.text
    assert await shown() == ["1"] * 3, "an ace is one"

    sheet = await room.cleo.slash(room.table, "gin sheet", match="1")
    assert "knock (24−1)×2" in sheet.text
    assert "gin (28+25)×2" in sheet.text
    assert (await room.match()).sheet.totals == (106, 46)
    assert (await room.match()).sheet.games[0].boxes == (1, 1)


async def test_in_straight_gin_only_gin_ends_a_hand(room: Room) -> None:
    """Ben could knock with ten (K♣) and may not; he goes gin, and Ada has 31: 31 + 25 = 56."""
    room.decks.cut("KD", "7H")
    room.decks.deal(non_dealer=knocking(0), dealer=defending(31), starter="3D")
    said, _accepted = await challenge(room, room.ada, room.ben, variant="straight")
    assert "only gin ends a hand" in said
    assert (await room.match()).rules == STRAIGHT
    for page in (table_text(room), text_of(room.ada.last(room.ada.dm()))):
        assert limit(page) == "only gin"
        assert "Straight" in page
    (ben,) = typing(room, room.ben)
    await ben.draw("discard")
    async with room.unchanged():
        refused = await ben.knock("AC", "as ah ad / 2s 2h 2d / 3s 3h 3d")
        assert "leaves 10 in deadwood, and in this hand only gin counts" in refused.text
    assert "Go gin…" in buttons(room.ben.last(room.ben.dm()))
    end = await ben.knock("KC")
    assert "31 + 25 = **56** for Ben" in end.text


async def test_what_was_accepted_is_played_whatever_the_house_changes_and_after_a_restart(
    room: Room,
) -> None:
    """Accepted: Oklahoma, spades double nothing, gin 20, to 150. Then the house plays otherwise.

    Under 3♠ Ben is gin against 31: 31 + 20 = 51, counted once.
    """

    async def house_set(option: str, value: str) -> None:
        await room.ada.slash(
            room.table, "gin-admin house-set", option=option, value=value, name="club night"
        )

    for option, value in (
        ("knock_limit", "upcard"),
        ("spades_double", "off"),
        ("gin_bonus", "20"),
        ("target", "150"),
    ):
        await house_set(option, value)
    await room.ada.slash(room.table, "gin-admin house-default", name="club night")
    room.decks.cut("KD", "7H")
    room.decks.deal(non_dealer="AS AH AD AC 2S 2H 2D 3H 3D KC", dealer=defending(31), starter="3S")
    said, _accepted = await challenge(room, room.ada, room.ben)
    accepted = Rules(
        knock_limit=Limit.UPCARD, spades_double=SpadesDouble.OFF, gin_bonus=20, target=150
    )
    assert "Oklahoma gin" in said
    assert "Spades don't double" in said
    assert "gin 20" in said

    for option, value in (("knock_limit", "0"), ("gin_bonus", "100"), ("target", "50")):
        await house_set(option, value)
    await room.ada.slash(room.table, "gin-admin house-default", name="plain")
    await room.ada.slash(room.table, "gin-admin house-reset", name="club night")
    await room.restart()
    assert (await room.match()).rules == accepted
    assert limit(table_text(room)) == "3"
    assert "double" not in about_the_hand(table_text(room))
    (ben,) = typing(room, room.ben)
    await ben.draw("discard")
    end = await ben.knock("KC")
    assert "31 + 20 = **51** for Ben" in end.text
    assert (await room.match()).outcome is None, "51 is over 50, but 150 was agreed"
    assert "Oklahoma gin · to 150" in text_of(table_of(room))
    for page in ("gin sheet", "gin status"):
        assert "to 150" in (await room.cleo.slash(room.table, page, match="1")).text
    rules = await room.cleo.slash(room.table, "gin rules", match="1")
    assert "150" in rules.text
