"""Two people sit down, by challenge and acceptance, and see what they should."""

from __future__ import annotations

import pytest

from playground.acting.people import buttons, text_of
from tests.e2e.room import Room

pytestmark = pytest.mark.usefixtures("unhurried")


async def test_a_challenge_that_is_accepted_gives_both_their_hands(room: Room) -> None:
    room.decks.cut("KD", "7H")
    room.decks.deal(
        non_dealer="2S 3S 4S 9H 9D 9C JC QC KC 5D",
        dealer="AS AH AD 6C 7C 8C TD JD QD KH",
        starter="5C",
        stock="8H 8D",
    )
    challenge = await room.ada.slash(room.table, "gin challenge", opponent=room.ben)
    assert not challenge.ephemeral
    assert room.ben.pings(room.table) == [challenge.message]
    accepted = await room.ben.press(challenge, "Accept")
    assert not accepted.failed
    ada = await room.ada.panel("Refresh", room.ada.dm())
    ben = await room.ben.panel("Pass", room.ben.dm())
    assert "A♠" in text_of(ada)
    assert "A♠" not in text_of(ben)
    table = await room.cleo.panel("My hand", room.table)
    assert "Take 5♣" in buttons(table)
