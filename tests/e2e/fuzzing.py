"""A card room in which chance presses and types, and somebody watches that nothing comes of it.

Three pairs play on two servers; everybody, and a stranger, sends what :mod:`tests.e2e.mutants`
makes, up to eight things at the same time; some arrive twice. After each handful, once all is
quiet, the watchman looks at the log of every match, at what is kept, and at what was said. At the
end every match that still runs is played on for a while, and given up where that isn't enough:
whatever it met with, it must go on, and come to its end.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from unittest.mock import patch

import structlog

import bot.front.serving
import bot.play.patience
from bench.playing import Step, newest, step_on
from bot import logs
from bot.care import audit
from bot.settings import LogLevel
from playground.acting.people import Answer, CannotInvoke, Person, buttons
from playground.doors.recording import SentRequest
from playground.errors import Code
from playground.server import Playground
from playground.state.interactions import Interaction, InteractionType, State
from playground.state.model import Channel, Message
from tests.accepted import refused_by_discord
from tests.e2e.mutants import Mutants, Seen
from tests.e2e.room import Decks, Room, real_decks
from tests.e2e.watchman import Books, Ears, Followed, Journal

AT_ONCE = 8
HONEST = 0.25
"""The share of interactions that are a pair's own next step, so that matches go on and end."""
TWICE = 0.05
"""The share that is delivered once more."""
VALIDATED = 10
"""Every so manieth request is shown to Discord's description."""
PATIENCE = 20.0
PLAYED_ON_FOR = 100
"""Steps: a match of thousands of points, which chance may have agreed on, is given up then."""
GOES_ON = 25
"""Acts at least in so many steps: what is offered must lead on."""
GIVEN_UP_IN = 4
"""Steps: a resignation is typed, asked about, and typed again."""


@dataclass(slots=True)
class Outcome:
    """What came of a round."""

    sent: Counter[str] = field(default_factory=Counter)
    acts: int = 0
    matches: int = 0
    ended: int = 0
    played_on: int = 0
    """Of the matches, those that were only ended by playing on, or giving up, at the end."""
    asked: int = 0
    """How often somebody had to ask for his hand meanwhile."""
    requests: int = 0
    with_cards: int = 0
    log_lines: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Count another round in."""
        self.sent += other.sent
        self.acts += other.acts
        self.matches += other.matches
        self.ended += other.ended
        self.played_on += other.played_on
        self.asked += other.asked
        self.requests += other.requests
        self.with_cards += other.with_cards
        self.log_lines += other.log_lines
        self.problems += other.problems


class Pair:
    """Two who play in a channel, and do now and then what is due."""

    def __init__(self, one: Person, two: Person, where: Channel) -> None:
        self.people = (one, two)
        self.where = where

    def next_step(self, dice: Random, books: Books) -> Interaction | None:
        """Challenge, accept, or use what is offered to the one who is to act."""
        one, two = dice.sample(self.people, 2)
        interactions = one.world.interactions
        if not books.is_running({one.id, two.id}):
            if dice.random() < 0.5:
                options = {"opponent": two.user, "target": dice.choice((50, 100))}
                return interactions.create_command(one.user, self.where, "gin challenge", options)
            return interactions.create_command(
                one.user, self.where, "gin respond", {"answer": "accept"}
            )
        found = newest(one, one.dm()) or newest(two, two.dm())
        if found is None:
            return None
        message, step = found
        who = next(person for person in self.people if person.dm() is message.channel)
        values = None if step.value is None else [step.value]
        return interactions.create_component(who.user, message, step.control.encode(), values)


class Fuzz:
    """One round in one room."""

    def __init__(self, room: Room, dice: Random, journal: Journal) -> None:
        self.room = room
        self._dice = dice
        self._journal = journal
        world = room.world
        self._seen = Seen(world)
        self.pairs, strangers = _company(room)
        people = [person for pair in self.pairs for person in pair.people] + strangers
        self._mutants = Mutants(world, self._seen, people, dice)
        managers = {guild.id: frozenset({guild.owner_id}) for guild in world.guilds.values()}
        self._asked: set[tuple[int, int]] = set()
        self._by_id = {person.id: person for person in people}
        self._books = Books(room.database, managers)
        self._ears = Ears(room, self._books)
        self.outcome = Outcome()

    async def run(self, count: int, *, to_the_end: bool) -> Outcome:
        """Send so many, a handful at a time, and judge after each; then play on if asked."""
        left = count
        while left > 0 and len(self.outcome.problems) < 20:
            batch = await self._handful(min(left, self._dice.randrange(1, AT_ONCE + 1)))
            left -= len(batch)
            self._judge(batch)
        if to_the_end:
            await self._play_on()
        await self._end()
        return self.outcome

    async def _handful(self, size: int) -> list[Interaction]:
        batch: list[Interaction] = []
        while len(batch) < size:
            made = self._one()
            if made is not None:
                batch.append(made)
                self._books.note(made)
                self.outcome.sent[made.type.name.lower()] += 1
                if self._dice.random() < TWICE:
                    self.outcome.sent["delivered twice"] += 1
                    self.room.world.interactions.deliver(made)
        await self._answered(batch)
        return batch

    async def _answered(self, batch: list[Interaction]) -> None:
        """Wait until all are answered, and all is shown."""
        for interaction in batch:
            try:
                async with asyncio.timeout(PATIENCE):
                    await interaction.done.wait()
            except TimeoutError:
                pass  # judged below
        await self.room.settled()

    async def _play_on(self) -> None:
        """Bring every match that still runs to its end, by what its players are offered.

        First they play; what goes on after that is given up.
        """
        started = set(self._running())
        stood = {number: self._stands_at(number) for number in started}
        if await self._steps(self._next_in, PLAYED_ON_FOR) == PLAYED_ON_FOR:
            for number in self._running():
                if self._stands_at(number) < stood[number] + GOES_ON:
                    self.outcome.problems.append(
                        f"goes round in circles: {self._why_stuck(number)}"
                    )
        await self._steps(self._resignation, GIVEN_UP_IN)
        stuck = set(self._running())
        self.outcome.problems += map(self._why_stuck, stuck)
        self.outcome.played_on = len(started - stuck)

    async def _steps(self, step_in: Callable[[int], Interaction | None], most: int) -> int:
        """Take a step in every match that still runs, so often at most, as long as there is one.

        Gives how often.
        """
        for taken in range(most):
            if self.outcome.problems:
                return taken
            batch = [made for number in self._running() if (made := step_in(number))]
            if not batch:
                return taken
            for made in batch:
                self._books.note(made)
            await self._answered(batch)
            self._judge(batch)
        return most

    def _stands_at(self, number: int) -> int:
        return len(self._books.followed[number].texts)

    def _resignation(self, number: int) -> Interaction | None:
        """Let one of those type it who have been offered something till now."""
        match = self._books.followed[number]
        if self._offered_in(match) is None:
            return None
        person, interactions = self._by_id[match.people[0]], self.room.world.interactions
        named = {"match": str(number)}
        return interactions.create_command(person.user, person.dm(), "gin resign", named)

    def _why_stuck(self, number: int) -> str:
        """What a match that can't be played on stands at, and what its players are offered."""
        match = self._books.followed[number]
        hand = match.match.hand
        offered = {
            person.name: [
                (message.id, buttons(message, enabled=True))
                for message in reversed(person.dm().messages.values())
                if f":{number}:" in repr(message.components)
            ][:3]
            for person in map(self._by_id.__getitem__, match.people)
        }
        phase = None if hand is None else hand.phase
        return f"match {number} can't be played on: {phase}, {match.texts[-3:]}; offered {offered}"

    def _running(self) -> list[int]:
        followed = self._books.followed.items()
        return [number for number, one in followed if one.match.outcome is None]

    def _next_in(self, number: int) -> Interaction | None:
        """Send what one of the players of a match is offered in it; None if nothing is.

        Whoever is to move and sees no hand asks for it once, as a person would: his messages may
        be waiting for an attempt that comes later.
        """
        match, interactions = self._books.followed[number], self.room.world.interactions
        found = self._offered_in(match)
        if found is None:
            seat, moment = match.match.to_move, (number, len(match.texts))
            if seat is None or moment in self._asked:
                return None
            self._asked.add(moment)
            self.outcome.asked += 1
            person = self._by_id[match.people[seat]]
            named = {"match": str(number)}
            return interactions.create_command(person.user, person.dm(), "gin hand", named)
        person, message, step = found
        values = None if step.value is None else [step.value]
        return interactions.create_component(person.user, message, step.control.encode(), values)

    def _offered_in(self, match: Followed) -> tuple[Person, Message, Step] | None:
        for person in map(self._by_id.__getitem__, match.people):
            for message in reversed(person.dm().messages.values()):
                step = step_on(message)
                if step is not None and step.control.subject == match.number:
                    return person, message, step
        return None

    def _one(self) -> Interaction | None:
        if self._dice.random() < HONEST:
            try:
                return self._dice.choice(self.pairs).next_step(self._dice, self._books)
            except CannotInvoke:
                return None
        return self._mutants.one()

    def _judge(self, batch: list[Interaction]) -> None:
        self._books.read(batch)
        self._journal.read()
        for interaction in batch:
            said = Answer(interaction)
            if interaction.state is not State.ANSWERED:
                self.outcome.problems.append(f"{interaction.state}: {interaction.data}")
            elif interaction.type is not InteractionType.AUTOCOMPLETE and (
                "on our side" in said.text
            ):
                self.outcome.problems.append(f"a fault of ours: {interaction.data}")
        for found in (self._books.problems, self._ears.found, self._journal.problems):
            self.outcome.problems += found
            found.clear()

    async def _end(self) -> None:
        assert self.room.store is not None
        self._books.reread()
        well, lines = await audit.check(self.room.store)
        if not well:
            self.outcome.problems += lines
        sent = self.room.playground.sent
        sample = [request for number, request in enumerate(sent) if number % VALIDATED == 0]
        self.outcome.problems += refused_by_discord(sample)
        self.outcome.problems += [
            f"refused: {request.status} {request.code} {request.method} {request.path}"
            for request in sent.failed()
            if request.status == 400 and not self._is_second_suggestion(request)
        ]
        self.outcome.problems += self._books.problems
        self.outcome.acts = self._books.acts
        self.outcome.matches = len(self._books.followed)
        self.outcome.ended = sum(
            one.match.outcome is not None for one in self._books.followed.values()
        )
        self.outcome.requests = sent.total
        self.outcome.with_cards = self._ears.told
        self.outcome.log_lines = self._journal.lines
        self._books.close()

    def _is_second_suggestion(self, request: SentRequest) -> bool:
        """Whether it answers suggestions that came twice: discord.py alone answers those."""
        parts = request.path.strip("/").split("/")
        made = self.room.world.interactions.by_id.get(int(parts[1])) if len(parts) > 1 else None
        return (
            request.code == Code.ALREADY_ACKNOWLEDGED.value[1]
            and made is not None
            and made.type is InteractionType.AUTOCOMPLETE
        )


def _company(room: Room) -> tuple[list[Pair], list[Person]]:
    """Two pairs at two tables of one server, one pair on another, and people who only look."""
    world, playground = room.world, room.playground
    fourth = Person.of(playground, "dmitri")
    eve = Person.new(playground, "Eve")
    owner = Person.new(playground, "Zoe", joins=False)
    guild = world.add_guild("The Other House", owner.user)
    elsewhere = world.add_channel(guild, "elsewhere")
    yan = Person.new(playground, "Yan", joins=False)
    world.join(guild, yan.user)
    world.invite_bot(guild)
    pairs = [
        Pair(room.ada, room.ben, room.ada.channel("gin-rummy")),
        Pair(room.cleo, fourth, room.cleo.channel("second-table")),
        Pair(owner, yan, elsewhere),
    ]
    return pairs, [eve]


@contextmanager
def _overheard() -> Iterator[io.StringIO]:
    """What the program logs meanwhile, as it would stand on standard error."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    with patch("sys.stderr", written):
        logs.set_up(LogLevel.DEBUG)
    try:
        yield written
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.configure(**configured)


@asynccontextmanager
async def _room(folder: Path) -> AsyncIterator[Room]:
    """A room where nobody hurries: what is said counts here, not how soon or how often."""
    long = timedelta(seconds=30)
    with (
        patch.multiple(bot.front.serving, ANSWER_WITHIN=long, OPEN_FORM_WITHIN=long),
        patch.object(bot.play.patience, "ENOUGH", ()),  # else a pair would soon play no more
    ):
        async with Playground() as playground:
            playground.rates.enabled = False
            playground.world.limits.answer_seconds = 60
            room = Room(playground, folder / "fuzz.db", Decks(real_decks()))
            await room.start()
            try:
                yield room
            finally:
                await room.stop()


async def fuzz(folder: Path, seed: int, count: int, *, to_the_end: bool) -> Outcome:
    """Send ``count`` interactions in a new room, by the dice of ``seed``; what came of it.

    ``to_the_end``: afterwards every match that still runs is played on until it ends.
    """
    with _overheard() as written:
        async with _room(folder) as room:
            one = Fuzz(room, Random(seed), Journal(written))
            return await one.run(count, to_the_end=to_the_end)


A_ROUND = 2_500
"""So many in one room: a room with its own database that is small enough to be judged quickly."""


def rounds(count: int) -> Iterator[tuple[int, int]]:
    """A seed and a number of interactions for each round."""
    for seed in range(-(-count // A_ROUND)):
        yield seed, min(A_ROUND, count - seed * A_ROUND)
