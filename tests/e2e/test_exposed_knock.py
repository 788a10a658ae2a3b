"""Where the house plays it so, a knock over the limit is announced, and the opponent may look.

Ben holds no meld. He takes 3♦ and knocks with K♥ face down: Q♦ J♥ 9♣ 8♠ 10♦ 5♥ Q♠ 2♠ A♦ 3♦ are
10 + 10 + 9 + 8 + 10 + 5 + 10 + 2 + 1 + 3 = 68, far over ten.
"""

from __future__ import annotations

from typing import Final

import pytest

from gin import Phase
from playground.acting.people import Person, buttons, text_of
from playground.state.model import Message
from tests.e2e import laid
from tests.e2e.acting import ByButtons, ByTyping
from tests.e2e.laid import challenge, named_in, press, table_of, table_text, told, typing
from tests.e2e.room import Room
from tests.e2e.wiretap import Wiretap

unhurried = laid.unhurried

BENS: Final = "KH QD JH 9C 8S TD 5H QS 2S AD"
ADAS: Final = "4S 4D 6S 6D 7C 7S 9H 9D KS KD"
"""No meld either."""
CALLBACK = "POST */callback"
LOOK, TAKE_BACK = "Look", "Have them taken back"


@pytest.fixture
async def table(room: Room) -> tuple[ByTyping, ByTyping]:
    """Ada and Ben, who type, at a table where such a knock is announced; Ben to act."""
    await room.ada.slash(room.table, "gin-admin house-set", option="illegal_knock", value="expose")
    room.decks.cut("KC", "7H")
    room.decks.deal(non_dealer=BENS, dealer=ADAS, starter="3D", stock="TC JC 5C 8C")
    said, _asked = await challenge(room, room.ada, room.ben, house="house")
    assert "A knock over the limit is announced; the opponent may look" in said
    ada, ben = typing(room, room.ada, room.ben)
    return ada, ben


async def panel(person: Person) -> Message:
    """The person's hand in his direct messages."""
    return await person.panel("Refresh", person.dm())


def seen_by(tap: Wiretap, person: Person) -> set[str]:
    """The cards of Ben's that this person could know from all that reached him."""
    return told(tap, person) & set(BENS.split())


async def phase(room: Room) -> Phase:
    hand = (await room.match()).hand
    assert hand is not None
    return hand.phase


async def test_it_is_announced_and_who_looks_alone_sees_the_cards_until_his_next_draw(
    room: Room, table: tuple[ByTyping, ByTyping]
) -> None:
    (ada, ben), tap = table, Wiretap(room)
    dmitri = Person.of(room.playground, "dmitri")
    await ben.draw("discard")
    async with room.unchanged():
        malformed = await ben.knock("KH", "qd jh td")
        assert "meld" in malformed.text, "only what is over the limit is announced"
    answer = await ben.knock("KH")
    assert "Your knock was over the limit" in answer.text
    assert await phase(room) is Phase.EXPOSED
    for page in (table_text(room), text_of(await panel(room.ada))):
        assert "Ben knocked over the limit" in page
    assert buttons(table_of(room), enabled=True)[0] == "My hand"
    assert LOOK not in buttons(await panel(room.ben))
    assert seen_by(tap, room.ada) == seen_by(tap, dmitri) == set()

    async with room.unchanged():
        for early in (await ben.discard("KH"), await ben.type("respond", answer="look")):
            assert "First the other player chooses: to look at the cards" in early.text
        assert (await ada.draw("stock")).ephemeral
        stranger = await dmitri.slash(room.table, "gin respond", answer="look")
        assert "You have no match here" in stranger.text
    await room.restart()
    assert {LOOK, TAKE_BACK} <= set(buttons(await panel(room.ada), enabled=True))
    looked = await press(room, room.ada, await panel(room.ada), LOOK)
    eleven = f"{BENS} 3D"
    assert named_in(looked.text, eleven) == set(eleven.split())
    assert "You alone may look at them" in looked.text
    assert "Ada looked at the exposed cards" in table_text(room)
    for person in (dmitri, room.cleo):
        assert seen_by(tap, person) == set()
    assert await phase(room) is Phase.DISCARD

    own = await panel(room.ben)
    assert "can't knock this turn" in text_of(own)
    assert not [label for label in buttons(own) if label.startswith("Knock")]
    async with room.unchanged():
        assert "can't knock this turn" in (await ben.knock("KH")).text
    await ben.discard("KH")
    assert named_in(text_of(await panel(room.ada)), "QD QS") == {"QD", "QS"}, "not drawn yet"
    assert named_in((await ada.type("hand")).text, "QD QS") == {"QD", "QS"}
    drawn = await ada.draw("stock")
    for page in (drawn.text, text_of(await panel(room.ada)), (await ada.type("hand")).text):
        assert named_in(page, BENS.replace("KH", "")) == set(), "until his next draw"


def showing(person: Person) -> list[str]:
    """What of all that the person sees now names or pictures exposed cards that lie in the hand."""
    hidden = BENS.replace("KH", "")
    return [
        text_of(message)
        for message in person.everything()
        if named_in(text_of(message), hidden)
        or any(file.filename.startswith("exposed") for file in message.attachments)
    ]


@pytest.mark.parametrize("closed", [False, True], ids=["messages open", "messages closed"])
@pytest.mark.parametrize(
    ("looks", "draws"),
    [(ByTyping, ByButtons), (ByButtons, ByTyping)],
    ids=["looks by typing, draws by button", "looks by button, draws by typing"],
)
async def test_with_his_next_draw_nothing_shows_him_the_exposed_cards_any_more(
    room: Room,
    table: tuple[ByTyping, ByTyping],
    looks: type[ByTyping | ByButtons],
    draws: type[ByTyping | ByButtons],
    closed: bool,
) -> None:
    """Wherever he looked, and whichever way he draws: no message of before goes on showing them."""
    ada, ben = table
    room.playground.faults.close_dms(room.ada.user, closed=closed)
    await ben.draw("discard")
    await ben.knock("KH")
    if looks is ByTyping:
        await ada.type("respond", answer="look")
    else:
        await press(room, room.ada, await ByButtons(room, room.ada).panel(LOOK), LOOK)
    await ada.type("hand")
    await press(room, room.ada, table_of(room), "My hand")
    await ben.discard("KH")
    assert showing(room.ada), "until his next draw"
    await draws(room, room.ada).draw("stock")
    assert showing(room.ada) == []


async def test_who_looked_in_the_channel_and_draws_in_direct_messages_sees_them_no_more(
    room: Room, table: tuple[ByTyping, ByTyping]
) -> None:
    ada, ben = table
    await ben.draw("discard")
    await ben.knock("KH")
    await ada.type("respond", answer="look")
    await room.ada.slash(room.ada, "gin hand")
    await room.settled()
    assert len(showing(room.ada)) == 2
    await ben.discard("KH")
    assert len(showing(room.ada)) == 2, "until his next draw"
    await room.ada.slash(room.ada, "gin draw", pile="stock")
    await room.settled()
    assert showing(room.ada) == []


async def test_a_private_answer_shows_no_exposed_cards_any_more_once_the_bot_is_stopped(
    room: Room, table: tuple[ByTyping, ByTyping]
) -> None:
    """Nothing could take them from there after the next draw: its token goes with the bot."""
    ada, ben = table
    room.playground.faults.close_dms(room.ada.user, closed=True)
    await ben.draw("discard")
    await ben.knock("KH")
    await ada.type("respond", answer="look")
    assert len(showing(room.ada)) == 1
    await room.restart()
    assert showing(room.ada) == []
    assert len([text for text in room.ada.everything() if "put the exposed" in text_of(text)]) == 1
    assert named_in((await ada.type("hand")).text, "QD QS") == {"QD", "QS"}, "not drawn yet"
    await ben.discard("KH")
    await ada.draw("stock")
    assert showing(room.ada) == []


async def test_a_private_answer_that_arrived_unheard_shows_no_exposed_cards_after_the_draw(
    room: Room, table: tuple[ByTyping, ByTyping]
) -> None:
    """The line broke after Discord had taken it."""
    ada, ben = table
    room.playground.faults.close_dms(room.ada.user, closed=True)
    await ben.draw("discard")
    await ben.knock("KH")
    await ada.type("respond", answer="look")
    room.playground.faults.drop_answers(CALLBACK, after=True, times=1)
    await room.ada.slash(room.table, "gin hand")
    await room.settled()
    assert showing(room.ada), "until his next draw"
    await ben.discard("KH")
    await ada.draw("stock")
    assert showing(room.ada) == []


async def test_what_is_taken_back_nobody_has_seen(
    room: Room, table: tuple[ByTyping, ByTyping]
) -> None:
    (ada, ben), tap = table, Wiretap(room)
    await ben.draw("discard")
    await ben.knock("KH")
    said = (await ada.type("respond", answer="take-back")).text
    assert "Waiting for Ben" in said
    assert "Ben" in table_text(room)
    assert "had the cards taken back unseen" in table_text(room)
    async with room.unchanged():
        for player in (ben, ada):
            late = await player.type("respond", answer="look")
            assert "There are no announced cards to answer now" in late.text
    await ben.discard("KH")
    for person in (room.ada, room.cleo):
        assert seen_by(tap, person) == {"KH"}
    # His next turn is a turn like any other: he may knock again, and is announced again.
    await ada.draw("stock")
    await ada.discard("TC")
    await ben.draw("stock")
    await ben.knock("JC")
    assert await phase(room) is Phase.EXPOSED
    await press(room, room.ada, await panel(room.ada), TAKE_BACK)
    assert seen_by(tap, room.ada) == {"KH"}
    assert [line.split()[1] for line in (await room.log())[2:]] == [
        "draw",
        "knock",
        "take-back",
        "discard",
        "draw",
        "discard",
        "draw",
        "knock",
        "take-back",
    ]


async def test_with_several_matches_the_answer_goes_to_the_one_that_waits_for_it(
    room: Room, table: tuple[ByTyping, ByTyping]
) -> None:
    """Ada deals to Cleo as well, who has to act there: only Ben's knock waits for Ada."""
    ada, ben = table
    room.decks.cut("KC", "7H")
    await challenge(room, room.ada, room.cleo)
    await ben.draw("discard")
    await ben.knock("KH")
    async with room.unchanged(2):
        other = await ada.type("respond", answer="look", match="2")
        assert "There are no announced cards to answer now" in other.text
        looked = await ada.type("respond", answer="look")
    assert named_in(looked.text, BENS) == set(BENS.split())
