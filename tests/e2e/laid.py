"""Hands laid ready so that they end as told, and played by the quickest way there is.

The winner holds aces, twos and threes, and takes the third three as the first up-card. The loser
holds court sets and loose cards that fit nothing, so what he is left with is what the test says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from typing import Final

import pytest

from bot.front import serving
from db.ids import MatchId
from gin import Discard, Draw, Match, Pass, Phase, Pile, Play, Seat, parse_cards
from playground.acting import people
from playground.acting.people import Answer, Person, buttons, text_of
from playground.state.model import Message
from tests.e2e.acting import ByTyping, Player
from tests.e2e.room import Decks, Room
from tests.e2e.wiretap import EVERYBODY, Wiretap, named

_LOW: Final = "AS AH AD 2S 2H 2D 3S 3H"
"""Eight of the winner's cards; with the up-card 3♦ they are three sets."""
STARTER: Final = "3D"
JUNK: Final = "KC"
"""The winner's discard."""
_COURTS: Final = ("KS KH KD", "QS QH QD", "JS JH JD")
_LOOSE: Final = "4S 4D 5H 5C 6S 6D 7H 7C 8S 8D 9H 9C"
"""No three of these go together."""
SETS: Final = "as ah ad / 2s 2h 2d / 3s 3h 3d"
_KEPT: Final = {10: "TC", 9: "9H", 8: "8S", 7: "7H", 6: "6S", 5: "5H", 4: "4C"}
"""The winner's loose card when he knocks with so much."""
GIN: Final = 0
"""A knocker's deadwood when he is gin."""


@pytest.fixture(autouse=True)
def unhurried(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no busy machine make an answer late; what lateness does is tested elsewhere.

    People act without a pause here, so Discord's limits would only make these tests slow.
    """
    room.playground.rates.enabled = False
    room.world.limits.answer_seconds = 120
    monkeypatch.setattr(people, "PATIENCE", 120.0)
    for patience in ("ANSWER_WITHIN", "OPEN_FORM_WITHIN"):  # the second bounds the first
        monkeypatch.setattr(serving, patience, timedelta(seconds=60))


@dataclass(frozen=True, slots=True)
class Laid:
    """One hand that lies ready: who sits where, who knocks with how much, what the other holds."""

    non_dealer: Player
    dealer: Player
    knocker: Player
    knocks_with: int
    left: int
    """What the defender is left with, in points."""

    @property
    def defender(self) -> Player:
        return self.dealer if self.knocker is self.non_dealer else self.non_dealer

    def lay(self, decks: Decks) -> None:
        """Put the deck of this hand behind those that lie ready."""
        knocker, defender = knocking(self.knocks_with), defending(self.left, self.knocks_with)
        first, second = (
            (knocker, defender) if self.knocker is self.non_dealer else (defender, knocker)
        )
        decks.deal(first, second, STARTER)

    async def play(self) -> Answer:
        """Play it to its end, and give the answer to the last act."""
        if self.knocker is self.dealer:
            await self.non_dealer.refuse()
        await self.knocker.draw("discard")
        if self.knocks_with == GIN:
            return await self.knocker.knock(JUNK)
        await self.knocker.knock(JUNK, SETS)
        return await self.defender.lay_off()


def knocking(points: int) -> str:
    """Ten cards that, with the up-card, knock with so much when the K♣ goes."""
    kept = "AC" if points == GIN else _KEPT[points]
    return f"{_LOW} {kept} {JUNK}"


def defending(left: int, against: int = GIN) -> str:
    """Ten cards whose deadwood is ``left``, none of which can be laid off."""
    taken = parse_cards(_KEPT.get(against, ""))
    pool = [card for card in parse_cards(_LOOSE) if card not in taken]
    for sets in (3, 2, 1, 0):
        for loose in combinations(pool, 10 - 3 * sets):
            if sum(card.points for card in loose) == left:
                return " ".join((*_COURTS[:sets], *map(str, loose)))
    raise LookupError(left)


def lay_all(room: Room, hands: Iterable[Laid]) -> None:
    """Lay these hands ready, one behind another."""
    for hand in hands:
        hand.lay(room.decks)


def typing(room: Room, *people: Person) -> tuple[ByTyping, ...]:
    """Players who type everything, in the channel."""
    return tuple(ByTyping(room, person) for person in people)


async def press(room: Room, person: Person, on: Message | Answer, label: str) -> Answer:
    """Press a button, and wait until the answer and all that follows from it are there."""
    answer = await person.press(on, label)
    assert not answer.failed
    await room.settled()
    return answer


async def challenge(
    room: Room,
    by: Person,
    *opponents: Person,
    variant: str | None = None,
    scoring: str | None = None,
    target: int | None = None,
    house: str | None = None,
) -> tuple[str, Answer]:
    """A challenge that all accept by button: what it said, and its answer as it is in the end."""
    opponent, third = (*opponents, None)[:2]
    asked = await by.slash(
        room.table,
        "gin challenge",
        opponent=opponent,
        third=third,
        variant=variant,
        scoring=scoring,
        target=target,
        house=house,
    )
    assert not asked.failed
    assert not asked.ephemeral, asked.text
    said = asked.text
    for opponent in opponents:
        assert not (await opponent.press(asked, "Accept")).failed
    await room.settled()
    return said, asked


async def hurry(room: Room, until: Callable[[Match], bool], number: int = 1) -> None:
    """Refuse, draw from the stock and lay the card away, past the screen, until it is so far."""
    assert room.bot is not None
    tables = room.bot.house.tables
    table = await tables.load(MatchId(number))
    assert table is not None
    while not until(table.match):
        seat = table.match.to_move
        assert seat is not None
        table = await tables.act(table.id, table.people[seat], _dull)
    room.bot.house.showing.changed(table.id)
    await room.settled()


def _dull(match: Match, seat: Seat) -> Play:
    hand = match.hand
    assert hand is not None
    if hand.phase is Phase.UPCARD:
        return Play(seat, Pass())
    if hand.phase is Phase.DRAW:
        return Play(seat, Draw(Pile.STOCK))
    assert hand.phase is Phase.DISCARD
    assert hand.drawn is not None
    return Play(seat, Discard(hand.drawn))


def table_of(room: Room, watcher: Person | None = None) -> Message:
    """The newest table message, as somebody who doesn't play sees it."""
    watcher = watcher or Person.of(room.playground, "dmitri")
    return next(
        message
        for message in reversed(watcher.messages(room.table))
        if message.author is room.world.bot and "Score sheet" in buttons(message)
    )


def table_text(room: Room) -> str:
    """What everybody reads on the newest table message."""
    return text_of(table_of(room))


def told(tap: Wiretap, person: Person) -> set[str]:
    """Every card that was named to this person, in any form and at any time."""
    return {
        str(card)
        for piece in tap.pieces
        if piece.audience in (EVERYBODY, person.id)
        for card in piece.cards
    }


def pictures_to(tap: Wiretap, person: Person) -> set[bytes]:
    """Every picture that this person could see."""
    return {
        picture.content
        for piece in tap.pieces
        if piece.audience in (EVERYBODY, person.id)
        for picture in piece.pictures
    }


def named_in(text: str, cards: str) -> set[str]:
    """Those of the cards that a page names."""
    return {str(card) for card in named(text)} & set(cards.split())
