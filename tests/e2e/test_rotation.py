"""Three players in rotation at the table, from a challenge that both accept to a rematch of three.

Ada challenges Ben and Cleo. The cut seats them: Ben (king) at A, Cleo (ten) at B, Ada (four) at C.
A deals hand 1 to B, B deals hand 2 to C, C deals hand 3 to A, and so on; the third sits out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Final

import pytest

from db.ids import ChallengeId
from gin.rules import Scoring
from playground.acting.people import Answer, Person, buttons, text_of
from tests.e2e import laid
from tests.e2e.acting import ByButtons, ByTyping, custom_ids, message_of
from tests.e2e.laid import (
    GIN,
    Laid,
    challenge,
    defending,
    knocking,
    lay_all,
    pictures_to,
    press,
    table_of,
    table_text,
    told,
)
from tests.e2e.room import Room
from tests.e2e.wiretap import Wiretap

unhurried = laid.unhurried

SIT_OUT: Final = "You sit this hand out"


class Trio:
    """Ada, Ben and Cleo, who cut for the seats as the first lines say."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.ada = ByTyping(room, room.ada)
        self.ben = ByTyping(room, room.ben)
        self.cleo = ByTyping(room, room.cleo)

    async def sit_down(self, *hands: Laid, **terms: str | int) -> str:
        """Lay these hands ready and let all accept; give what the challenge said."""
        self.room.decks.cut("4C", "KC TC")
        lay_all(self.room, hands)
        target, house = terms.get("target", 50), terms.get("house")
        said, _asked = await challenge(
            self.room,
            self.room.ada,
            self.room.ben,
            self.room.cleo,
            target=int(target),
            house=None if house is None else str(house),
        )
        return said

    async def house_set(self, option: str, value: str, name: str = "house") -> None:
        answer = await self.room.ada.slash(
            self.room.table, "gin-admin house-set", option=option, value=value, name=name
        )
        assert "Set now" in answer.text


@pytest.fixture
def trio(room: Room) -> Trio:
    return Trio(room)


def rotation_line(page: str) -> str:
    """Who sits out this hand, and who the next."""
    return next(line for line in page.splitlines() if line.endswith(" the next one."))


async def deals(room: Room) -> str:
    """Who deals the hand in play, as the table says."""
    line = next(line for line in table_text(room).splitlines() if line.endswith(" deals"))
    return line.rsplit("· ", 1)[1].removesuffix(" deals")


async def test_a_whole_rotation_match(room: Room, trio: Trio) -> None:
    """To 50; level deadwood is void.

        hand  dealer  other  out                                  Ben    Cleo   Ada
        1     Ben     Cleo   Ada   Cleo knocks: 25 − 5 = 20              20
        2     Cleo    Ada    Ben   void, 8 against 8
        3     Cleo    Ada    Ben   Ada is gin: 5 + 25 = 30                      30
        4     Ada     Ben    Cleo  Ben undercuts: 10 − 9 + 25     26
        5     Ben     Cleo   Ada   Ben knocks: 39 − 4 = 35        61

    Ben 61 + 100 + 2 × 25 = 211, Ada 30 + 25 = 55, Cleo 20 + 25 = 45.
    """
    ada, ben, cleo = trio.ada, ByButtons(room, room.ben), trio.cleo
    await trio.house_set("tie", "draw")
    hands = [
        Laid(cleo, ben, knocker=cleo, knocks_with=5, left=25),
        Laid(ada, cleo, knocker=ada, knocks_with=8, left=8),
        Laid(ada, cleo, knocker=ada, knocks_with=GIN, left=5),
        Laid(ben, ada, knocker=ada, knocks_with=10, left=9),
        Laid(cleo, ben, knocker=ben, knocks_with=4, left=39),
    ]
    said = await trio.sit_down(*hands, house="house")
    assert "Three players in rotation" in said
    assert "one sits out each hand" in said
    assert (await room.match()).rules.scoring is Scoring.ROTATION
    assert "The cut: Ada 4♣, Ben K♣, Cleo 10♣. Ben deals first." in table_text(room)
    out = ["Ada", "Ben", "Ben", "Cleo", "Ada"]
    dealer = ["Ben", "Cleo", "Cleo", "Ada", "Ben"]
    after = ["Ben", "Cleo", "Cleo", "Ada", "Ben"]
    for number, hand in enumerate(hands):
        page = table_text(room)
        said = f"{out[number]} sits this hand out, {after[number]} the next one."
        assert rotation_line(page) == said
        assert await deals(room) == dealer[number]
        for person in (room.ada, room.ben, room.cleo):
            panel = text_of(await person.panel("Refresh", person.dm()))
            assert (SIT_OUT in panel) is (person.name == out[number])
        end = await hand.play()
    dmitri = Person.of(room.playground, "dmitri")
    sheet = await dmitri.slash(room.table, "gin sheet", match="1")
    assert sheet.message is not None
    assert len(sheet.message.attachments) == 1
    columns = [" ".join(line.split()) for line in sheet.text.split("```")[1].splitlines()]
    assert columns[1:] == [
        "Ben Cleo Ada",
        "1 +20 20 out knock",
        "2 out void",
        "3 out +30 30 gin 5+25",
        "4 +26 26 out undercut",
        "5 +35 61 out knock",
        "= 61 20 30",
    ]
    for page in (sheet.text, end.text, table_text(room)):
        assert "Ben wins the match!" in page
        assert "Ben: 61 in hands + 100 game bonus + 50 for 2 boxes = **211**" in page
        assert "Ada: 30 in hands + 25 for 1 box = **55**" in page
        assert "Cleo: 20 in hands + 25 for 1 box = **45**" in page
    board = (await dmitri.slash(room.table, "gin leaderboard")).text.split("```")[1]
    assert [line.split() for line in board.strip().splitlines()[1:]] == [
        ["1", "Ben", "1", "1", "211"],
        ["2", "Ada", "1", "0", "55"],
        ["3", "Cleo", "1", "0", "45"],
    ]


async def test_both_have_to_accept_and_one_who_declines_ends_it(room: Room) -> None:
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, third=room.cleo)
    assert room.ben.pings(room.table) == room.cleo.pings(room.table) == [asked.message]
    assert "Both have to accept" in asked.text
    first = await press(room, room.ben, asked, "Accept")
    assert first.message is asked.message, "the invitation itself shows who is missing"
    assert "Accepted by Ben" in asked.text
    assert "Still to accept: Cleo" in asked.text
    assert "accepted already" in (await press(room, room.ben, asked, "Accept")).text
    assert "your own challenge" in (await press(room, room.ada, asked, "Accept")).text
    dmitri = Person.of(room.playground, "dmitri")
    assert "for somebody else" in (await press(room, dmitri, asked, "Accept")).text
    assert "for somebody else" in (await press(room, dmitri, asked, "Decline")).text
    await room.settled()
    assert await room.log() == (), "nothing is dealt before all have accepted"

    ids = custom_ids(message_of(asked))
    declined = await room.cleo.slash(room.table, "gin respond", answer="decline")
    assert "was declined" in declined.text
    assert "Cleo declined this challenge." in asked.text, "Ben had accepted"
    assert asked.message is not None
    assert buttons(asked.message) == []
    assert await room.log() == ()
    for person, label in ((room.ada, "Withdraw"), (room.ada, "Add my word…"), (room.ben, "Accept")):
        told = await person.forge(asked.message, ids[label])
        assert "Cleo declined this challenge." in told.text, "who is late is told by whom as well"
        assert "Cleo declined this challenge." in asked.text, "and the invitation still says it"
    late = await room.ben.slash(room.table, "gin respond", answer="accept")
    assert "Nobody has an open challenge for you" in late.text

    again = await room.ada.slash(room.table, "gin challenge", opponent=room.cleo, third=room.ben)
    assert not again.ephemeral, "the challenge that was declined stands in nobody's way"
    typed = await room.cleo.slash(room.table, "gin respond", answer="accept")
    assert "The match begins when everybody has accepted" in typed.text
    assert "Still to accept: Ben" in again.text
    await press(room, room.ada, again, "Withdraw")
    assert "was withdrawn" in again.text
    assert await room.log() == ()


async def test_two_who_accept_at_the_same_moment_open_one_match(room: Room) -> None:
    asked = await room.ada.slash(room.table, "gin challenge", opponent=room.ben, third=room.cleo)
    answers = await asyncio.gather(
        room.ben.press(asked, "Accept"), room.cleo.press(asked, "Accept")
    )
    assert not any(answer.failed for answer in answers)
    await room.settled()
    assert len(await room.log(1)) == 2, "the cut and the first deal"
    assert await room.log(2) == ()


async def test_who_cannot_play_in_rotation_is_refused_with_the_reason(room: Room) -> None:
    jukebox = next(user for user in room.world.users.values() if user.username == "jukebox")

    async def refused(
        opponent: object, third: object, scoring: str | None = None, house: str | None = None
    ) -> str:
        answer = await room.ada.slash(
            room.table,
            "gin challenge",
            opponent=opponent,
            third=third,
            scoring=scoring,
            house=house,
        )
        assert answer.ephemeral
        return answer.text

    assert "the same person twice" in await refused(room.ben, room.ben)
    assert "can't play against yourself" in await refused(room.ben, room.ada)
    assert "can't play against yourself" in await refused(room.ada, room.ben)
    assert "Bots don't sit at our tables" in await refused(room.ben, jukebox)
    assert "Hollywood is for two players" in await refused(room.ben, room.cleo, scoring="hollywood")
    await room.ada.slash(room.table, "gin-admin house-set", option="shutout", value="double")
    assert "no single loser" in await refused(room.ben, room.cleo, house="house")
    assert room.bot is not None
    async with room.bot.store.reading() as tx:
        assert await tx.challenges.get(ChallengeId(1)) is None, "nothing was written"


async def test_who_sits_out_may_not_act_and_sees_only_what_everybody_sees(
    room: Room, trio: Trio
) -> None:
    """Hand 1: Cleo and Ben play, Ada sits out. Every byte that reaches her is looked at."""
    cleos, bens = knocking(5), defending(25, 5)
    tap = Wiretap(room)
    await trio.sit_down(Laid(trio.cleo, trio.ben, knocker=trio.cleo, knocks_with=5, left=25))
    table = table_of(room)
    for label in ("Take 3♦", "Pass"):
        async with room.unchanged():
            pressed = await press(room, room.ada, table, label)
            assert SIT_OUT in pressed.text
            assert pressed.ephemeral
    for command, options in (
        ("pass", {}),
        ("draw", {"pile": "stock"}),
        ("discard", {"card": "KC"}),
        ("knock", {"discard": "KC"}),
        ("layoff", {}),
    ):
        async with room.unchanged():
            assert SIT_OUT in (await trio.ada.type(command, **options)).text
    assert "not at this table" not in (await trio.ada.type("hand")).text
    for command, option in (("gin discard", "card"), ("gin knock", "discard")):
        assert await room.ada.autocomplete(room.table, command, focused=option) == []
    await trio.cleo.refuse()
    await trio.ben.refuse()
    await trio.cleo.draw("stock")
    await trio.cleo.discard("KC")
    for person in (room.ada, Person.of(room.playground, "dmitri")):
        for command in ("status", "sheet", "verify", "rules"):
            await person.slash(room.table, f"gin {command}", match="1")
    await press(room, room.ada, await room.ada.panel("Refresh", room.ada.dm()), "Refresh")

    dmitri = Person.of(room.playground, "dmitri")
    hidden = set(f"{cleos} {bens}".split()) - {"KC"}
    assert told(tap, room.cleo) & hidden == set(cleos.split()) - {"KC"}
    assert told(tap, room.ben) & hidden == set(bens.split())
    assert told(tap, room.ada) & hidden == set()
    assert told(tap, room.ada) >= {"3D", "KC"}, "what lies open is told"
    assert tap.leaks() == []
    assert pictures_to(tap, room.ada) == pictures_to(tap, dmitri)
    assert pictures_to(tap, room.ben) - pictures_to(tap, room.ada), "Ben sees pictures of his own"


async def test_the_target_ends_the_match_at_once_wherever_in_the_cycle(
    room: Room, trio: Trio
) -> None:
    """Three matches to 50, ended by hand 1, 2 and 3: gin against 31 brings 31 + 25 = 56."""
    ada, ben, cleo = trio.ada, trio.ben, trio.cleo
    small = Laid(cleo, ben, knocker=cleo, knocks_with=5, left=25)
    second = Laid(ada, cleo, knocker=ada, knocks_with=5, left=25)
    matches = [
        ("Cleo", [Laid(cleo, ben, knocker=cleo, knocks_with=GIN, left=31)]),
        ("Ada", [small, Laid(ada, cleo, knocker=ada, knocks_with=GIN, left=31)]),
        ("Ben", [small, second, Laid(ben, ada, knocker=ben, knocks_with=GIN, left=31)]),
    ]
    for number, (winner, hands) in enumerate(matches, start=1):
        await trio.sit_down(*hands)
        for hand in hands:
            assert (await room.match(number)).outcome is None
            await hand.play()
        assert (await room.match(number)).outcome is not None
        assert f"{winner} wins the match!" in table_text(room)
        # 56 in hands, the game bonus and one box.
        assert f"{winner}: 56 in hands + 100 game bonus + 25 for 1 box = **181**" in table_text(
            room
        )


async def test_by_the_houses_finish_rotation_the_cycle_is_completed(room: Room, trio: Trio) -> None:
    """To 50, the cycle completed.

        hand  dealer  other  out                                  Ben    Cleo   Ada
        1     Ben     Cleo   Ada   Cleo is gin: 31 + 25 = 56             56
        2     Cleo    Ada    Ben   Ada is gin: 39 + 25 = 64                     64
        3     Ada     Ben    Cleo  Ben knocks: 25 − 5 = 20        20

    The bonus is Cleo's, who was first: 56 + 100 + 25 = 181. Ada 64 + 25 = 89, Ben 20 + 25 = 45.
    """
    ada, ben, cleo = trio.ada, trio.ben, trio.cleo
    await trio.house_set("finish_rotation", "yes", "trio")
    hands = [
        Laid(cleo, ben, knocker=cleo, knocks_with=GIN, left=31),
        Laid(ada, cleo, knocker=ada, knocks_with=GIN, left=39),
        Laid(ben, ada, knocker=ben, knocks_with=5, left=25),
    ]
    said = await trio.sit_down(*hands, house="trio")
    assert "The round of three hands is completed" in said
    for hand in hands:
        assert (await room.match()).outcome is None
        await hand.play()
    end = table_text(room)
    assert "Cleo wins the match!" in end
    assert "Cleo: 56 in hands + 100 game bonus + 25 for 1 box = **181**" in end
    assert "Ada: 64 in hands + 25 for 1 box = **89**" in end
    assert "Ben: 20 in hands + 25 for 1 box = **45**" in end


async def test_who_resigns_is_last_and_the_three_play_again_or_call_it_off_together(
    room: Room, trio: Trio
) -> None:
    """Cleo has 20 and a box (45) when she resigns from hand 2; Ada and Ben have nothing."""
    hand = Laid(trio.cleo, trio.ben, knocker=trio.cleo, knocks_with=5, left=25)
    await trio.sit_down(hand)
    await hand.play()
    for _asked_first in range(2):
        await trio.cleo.type("resign")
    end = table_text(room)
    assert "Cleo resigned" in end
    outcome = (await room.match()).outcome
    assert outcome is not None
    assert outcome.places == (1, 3, 1), "Ben and Ada are level and share the first place"

    await trio_rematch(room, trio)
    await everybody_has_to_agree(room, trio)


async def trio_rematch(room: Room, trio: Trio) -> None:
    """Ada asks, Ben accepts by the same button, Cleo by typing."""
    room.decks.cut("4C", "KC TC")
    table = table_of(room)
    asked = await press(room, room.ada, table, "Rematch")
    assert {person.id for person in (room.ben, room.cleo)} == set(_pinged(asked))
    assert "You're in" in (await press(room, room.ben, table, "Rematch")).text
    assert "Still to accept: Cleo" in asked.text
    await trio.cleo.type("rematch")
    assert (await room.match(2)).rules == (await room.match(1)).rules
    assert len(await room.log(2)) == 2


def _pinged(answer: Answer) -> frozenset[int]:
    assert answer.message is not None
    return answer.message.pinged


async def everybody_has_to_agree(room: Room, trio: Trio) -> None:
    """`/gin cancel` of match 2: one, two, and only with the third it is off."""

    async def agrees(player: ByTyping) -> str:
        return (await player.type("cancel")).text

    async def goes_on(act: Awaitable[str], says: str) -> None:
        assert says in await act
        assert (await room.match(2)).outcome is None

    await goes_on(agrees(trio.ada), "I've asked whether to call the match off")
    for person in (room.ben, room.cleo):
        question = await person.sees(person.dm(), "Ada asks to call the match off")
        assert "Agree" in buttons(question)
    await goes_on(agrees(trio.ben), "as soon as Cleo agrees as well")
    questions = [m for m in room.ada.messages(room.ada.dm()) if "asks to call" in text_of(m)]
    assert questions == [], "who asked isn't asked"
    question = await room.cleo.sees(room.cleo.dm(), "Ada asks to call the match off")
    await press(room, room.cleo, question, "Agree")
    await room.settled()
    assert (await room.match(2)).outcome is not None
    assert "Match called off" in table_text(room)
    assert "It counts for nobody" in table_text(room)
