"""Many people at many tables, acting at a rate, and how soon each of them was answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bench.playing import Step, press, step_on, type_in
from bench.under_way import Seated
from playground.acting.people import Person
from playground.server import Playground
from playground.state.events import Event
from playground.state.interactions import CallbackType, Interaction
from playground.state.model import Message

ANSWERS: Final = frozenset(
    {
        "INTERACTION_SUCCESS",
        "INTERACTION_MODAL_CREATE",
        "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE",
    }
)
_DEFERRED: Final = (CallbackType.DEFERRED_MESSAGE, CallbackType.DEFERRED_UPDATE)


def gather(playground: Playground, servers: int, channels: int) -> list[Seated]:
    """Set up servers with channels, a table in each channel, two people at each table."""
    world = playground.world
    tables: list[Seated] = []
    for server in range(servers):
        owner = world.add_user(f"owner{server}", global_name=f"Owner {server}")
        guild = world.add_guild(f"Club {server}", owner)
        world.invite_bot(guild)
        for number in range(channels):
            channel = world.add_channel(guild, f"table-{number}")
            pair = []
            for side in ("ann", "bob"):
                name = f"{side}{server}x{number}"
                user = world.add_user(name, global_name=name.title())
                world.join(guild, user)
                pair.append(Person(playground, user))
            tables.append(Seated(channel, (pair[0], pair[1])))
    return tables


@dataclass(slots=True)
class Answers:
    """How the interactions between two moments were answered."""

    seconds: list[float] = field(default_factory=list)
    deferred: int = 0
    """Whose first answer said nothing yet."""
    failed: int = 0
    """Who were told that the application did not respond."""
    idle: int = 0
    """How often it was time to act and nobody could."""


class Crowd:
    """Hears of everything in the playground; knows who could do what, and takes the times."""

    def __init__(self, playground: Playground, tables: list[Seated], random: Random) -> None:
        self._loop = asyncio.get_running_loop()
        self._random = random
        self._people = {person.dm().id: person for seated in tables for person in seated.people}
        self._at = {person.id: seated.channel for seated in tables for person in seated.people}
        self._typists: set[int] = set()
        self._steps: dict[int, tuple[Message, Step]] = {}
        self._busy: set[int] = set()
        self._begun: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.answers = Answers()
        playground.world.subscribe(self._hear)

    def let_type(self, share: float) -> None:
        """Let a share of the people type their commands; the others press."""
        for person in self._people.values():
            if self._random.random() < share:
                self._typists.add(person.id)

    # ------------------------------------------------------------------ hearing

    def _hear(self, event: Event) -> None:
        subject = event.subject
        if isinstance(subject, Message):
            if subject.channel.is_dm and event.name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
                self.look(subject)
        elif isinstance(subject, Interaction):
            self._note(event.name, subject)

    def look(self, message: Message) -> None:
        """Remember what somebody can do on a message in his direct messages."""
        person = self._people.get(message.channel.id)
        step = step_on(message)
        if person is None:
            return
        if step is not None:
            self._steps[person.id] = message, step
        else:
            self._steps.pop(person.id, None)

    def _note(self, name: str, interaction: Interaction) -> None:
        if name == "INTERACTION_CREATED":
            self._begun[interaction.id] = self._loop.time()
        elif name in ANSWERS:
            self.answers.seconds.append(self._loop.time() - self._begun.pop(interaction.id))
            self.answers.deferred += interaction.callback_type in _DEFERRED
        elif name == "INTERACTION_FAILURE":
            self._begun.pop(interaction.id, None)
            self.answers.failed += 1

    # ------------------------------------------------------------------ acting

    async def act(self, rate: float, seconds: float) -> Answers:
        """Let somebody who can act, so many times a second, at moments of chance."""

        def one() -> Awaitable[None] | None:
            free = [number for number in self._steps if number not in self._busy]
            if not free:
                return None
            return self._step(self._random.choice(free))

        return await self._at_a_rate(rate, seconds, one)

    async def say_ok(self, rate: float, seconds: float) -> Answers:
        """Let somebody, whoever it is, ask the bare bot for its "ok", so many times a second."""
        people = list(self._people.values())

        def one() -> Awaitable[None]:
            return self._say_ok(self._random.choice(people))

        return await self._at_a_rate(rate, seconds, one)

    async def act_at_once(self, people: int, seconds: float, *, ok: bool) -> Answers:
        """Let so many act all the time, each as soon as the last act is answered."""
        answers = self.answers = Answers()
        everybody = list(self._people.values())
        end = self._loop.time() + seconds

        async def one() -> None:
            while self._loop.time() < end:
                free = [number for number in self._steps if number not in self._busy]
                if ok:
                    await self._say_ok(self._random.choice(everybody))
                elif free:
                    await self._step(self._random.choice(free))
                else:
                    answers.idle += 1
                    await asyncio.sleep(0.01)

        await asyncio.gather(*(one() for _ in range(people)))
        return answers

    async def _at_a_rate(
        self, rate: float, seconds: float, one: Callable[[], Awaitable[None] | None]
    ) -> Answers:
        """Begin something at chance moments, whether or not what was before is done."""
        answers = self.answers = Answers()
        now = self._loop.time()
        end, due = now + seconds, now
        while (due := due + self._random.expovariate(rate)) < end:
            await asyncio.sleep(due - self._loop.time())
            work = one()
            if work is None:
                answers.idle += 1
                continue
            task = asyncio.ensure_future(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await asyncio.sleep(max(0.0, end - self._loop.time()))
        await asyncio.gather(*self._tasks)
        return answers

    async def _step(self, number: int) -> None:
        message, step = self._steps.pop(number)
        person = self._people[message.channel.id]
        self._busy.add(number)
        try:
            if number in self._typists:
                await type_in(person, self._at[number], step)
            else:
                await press(person, message, step)
        finally:
            self._busy.discard(number)

    async def _say_ok(self, person: Person) -> None:
        await person.slash(self._at[person.id], "ok")
