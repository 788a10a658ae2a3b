"""Requests that Discord counts against its 50 a second, for each accepted action.

Whole matches are played through the playground by the real client: counted is everything from the
challenge to the last message after the end, deletes too; answers to interactions cost nothing.
People act as soon as all is shown, so nothing is saved by two changes becoming one edit.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog

from bench.playing import my_hand_on, newest, press, step_on, type_in
from bench.room import PLACE, Room, opened
from playground.acting.people import Answer, Person
from playground.doors.recording import Recording

MATCHES: Final = 3
"""Of each kind."""
LIMIT_PRESSED: Final = 2.0
LIMIT_TYPED: Final = 3.0

PAUSE: Final = timedelta(minutes=3)

Turn = Callable[[Person], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to play a match."""

    name: str
    turn: Turn
    limit: float
    closed: int = 0
    """How many of the two have closed their direct messages."""
    slow: bool = False
    """Whether a pause lies before every act, so that hands are sent anew, to notify."""


async def press_my_hand(person: Person) -> Answer:
    """Act by the buttons of the hand that *My hand* at the table shows."""
    for message in reversed(person.messages(PLACE)):
        opens = my_hand_on(message)
        if opens is not None and not message.ephemeral:
            shown = (await person.press(message, custom_id=opens)).message
            assert shown is not None
            step = step_on(shown)
            assert step is not None
            return await press(person, shown, step)
    raise AssertionError("no table is to be seen")


async def press_somewhere(person: Person) -> Answer:
    """Act by buttons, wherever one's hand can be had."""
    if person.user.dms_closed:
        return await press_my_hand(person)
    found = newest(person, person.dm())
    assert found is not None, person.text(person.dm())
    return await press(person, *found)


async def type_at_table(person: Person) -> Answer:
    """Look at the hand in one's direct messages, and type at the table."""
    found = newest(person, person.dm())
    assert found is not None, person.text(person.dm())
    return await type_in(person, person.channel(PLACE), found[1])


KINDS: Final = (
    Kind("buttons", press_somewhere, LIMIT_PRESSED),
    Kind("typed", type_at_table, LIMIT_TYPED),
    Kind("buttons, one has closed DMs", press_somewhere, LIMIT_PRESSED, closed=1),
    Kind("buttons, both have closed DMs", press_somewhere, LIMIT_PRESSED, closed=2),
    Kind("buttons, minutes between", press_somewhere, LIMIT_PRESSED, slow=True),
    Kind("typed, minutes between", type_at_table, LIMIT_TYPED, slow=True),
)


@dataclass(frozen=True, slots=True)
class Count:
    """What one match cost."""

    actions: int
    requests: int
    by_route: Counter[str]


async def play(kind: Kind, seed: int) -> Count:
    """Play one match from challenge to end."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder), seed) as room:
            sent = room.playground.sent
            room.playground.rates.enabled = False  # they only make people wait here
            for person in room.players[: kind.closed]:
                room.playground.world.close_dms(person.user)
            before, mark = sent.counted, len(sent)
            await room.begin()
            actions = await _to_the_end(room, kind)
            return Count(actions, sent.counted - before, _routes(sent, mark))


async def _to_the_end(room: Room, kind: Kind) -> int:
    actions = 0
    while (person := await room.on_turn()) is not None:
        if kind.slow:
            room.playground.world.clock.move(PAUSE.total_seconds())
        answer = await kind.turn(person)
        assert not answer.failed
        await room.settled()
        actions += 1
    return actions


def _routes(sent: Recording, mark: int) -> Counter[str]:
    names = {"POST": "send", "PATCH": "edit", "DELETE": "delete"}
    counted = [request for request in list(sent)[mark:] if request.counted]
    return Counter(
        names[request.method] if "/messages" in request.path else "other" for request in counted
    )


def main() -> None:
    """Print requests for each action: the mean over all matches of a kind, and each match's."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    print(f"{MATCHES} matches to 100 of each kind, played to the end; the same decks for each kind")
    for kind in KINDS:
        counts = [asyncio.run(play(kind, seed)) for seed in range(MATCHES)]
        actions = sum(count.actions for count in counts)
        requests = sum(count.requests for count in counts)
        mean = requests / actions
        each = ", ".join(f"{count.requests / count.actions:.2f}" for count in counts)
        routes = sum((count.by_route for count in counts), Counter[str]())
        parts = ", ".join(f"{name} {number / actions:.2f}" for name, number in routes.items())
        print(
            f"{kind.name:<30} {mean:5.2f} an action ({each}); limit {kind.limit:.0f}, "
            f"ratio {mean / kind.limit:.2f}; {actions} actions: {parts}"
        )


if __name__ == "__main__":
    main()
