"""A storm: 200 people act every half second for a minute, and Discord has a bad day as well.

    python -m bench storm        for so many seconds: python -m bench storm 20

Ten of the people are strangers to the tables; a fifth of all presses come twice. Of Discord's
answers 5% are 502, 5% are 429, and 1% come four seconds after the work was done. A control that
has been pressed waits for its answer, as in Discord's client, so whoever still waits acts later.
What the bot can't do in time it has to put off, with an answer to everybody. It runs in a process
of its own; the playground and the people are in this one. Before the storm they play as usual for
a while, so that its memory is that of a bot at work.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, process_time
from typing import Final

from bench import under_way
from bench.bench_load import milliseconds
from bench.crowd import ANSWERS, gather
from bench.playing import my_hand_on, newest
from bench.sampling import Samples, within
from bench.under_way import Seated
from playground.acting.people import CannotInvoke, Person
from playground.bot import BotProcess
from playground.doors.recording import SentRequest
from playground.server import Playground
from playground.state.events import Event
from playground.state.interactions import Interaction, State
from playground.state.model import Channel, Message

SERVERS: Final = 5
TABLES_EACH: Final = 19
STRANGERS: Final = 10
EVERY: Final = 0.5
"""Seconds between two acts of one person."""
TWICE: Final = 0.2
USUAL: Final = 10.0
"""The same on a usual day: 20 acts a second in all."""
WARM_UP: Final = 30.0
"""Seconds; everybody acts three times, so that what the bot keeps is kept before it is measured."""
SECONDS: Final = 60
REST: Final = 60.0
IN_TIME: Final = 2.0
"""Seconds on the way to the bot that leave it one to answer; also of the press when Discord failed
an answer that could then have been given again."""
MOST_MEMORY: Final = 1.1
PUT_OFF: Final = "try again shortly"
LET_GO: Final = "came too late in a rush"
PATIENCE: Final = 300.0
TOKEN: Final = "playground-token.of.a-storm"  # noqa: S105 - opens nothing but our playground


@dataclass(slots=True)
class Fate:
    """What became of an interaction."""

    at: float
    answered: float | None = None
    failed: bool = False
    struck: list[float] = field(default_factory=list)
    """When Discord failed attempts to answer it, in seconds after the press."""
    put_off: bool = False

    @property
    def began_late(self) -> bool:
        """Whether the first attempt that Discord failed came when there was hardly another."""
        return bool(self.struck) and self.struck[0] >= IN_TIME

    @property
    def is_spoiled(self) -> bool:
        """Whether Discord failed every attempt, of which the first came early, the last late."""
        return bool(self.struck) and self.struck[0] < IN_TIME <= self.struck[-1]


@dataclass(slots=True)
class Storm:
    """Everybody, and what became of all that they did."""

    playground: Playground
    tables: list[Seated]
    strangers: list[Person]
    dice: Random
    fates: dict[int, Fate] = field(default_factory=dict)
    doubled: list[tuple[int, int]] = field(default_factory=list)
    waited: int = 0
    """How often somebody would have acted who still waited for an answer."""

    def listen(self) -> None:
        """Hear of every interaction, and of every answer that Discord spoils."""
        self.playground.world.subscribe(self._hear)
        self.playground.sent.watch(self._see)

    def _hear(self, event: Event) -> None:
        made = event.subject
        if not isinstance(made, Interaction):
            return
        if event.name == "INTERACTION_CREATED":
            self.fates[made.id] = Fate(monotonic())
        elif made.id not in self.fates:
            return
        elif event.name in ANSWERS:
            self.fates[made.id].answered = monotonic()
        elif event.name == "INTERACTION_FAILURE":
            self.fates[made.id].failed = True

    def _see(self, request: SentRequest) -> None:
        if not request.template.endswith("/callback"):
            return
        fate = self.fates.get(int(request.path.split("/")[2]))
        if fate is not None and request.status in (0, 429, 502):
            fate.struck.append(monotonic() - fate.at)
        elif fate is not None:
            fate.put_off = PUT_OFF in str(request.body)

    async def blow(self, seconds: float, every: float = EVERY) -> None:
        """Let everybody act for so long, each after so many seconds."""
        everybody = [(person, table.channel) for table in self.tables for person in table.people]
        everybody += [(person, self.dice.choice(self.tables).channel) for person in self.strangers]
        end = monotonic() + seconds
        await asyncio.gather(*(self._live(who, where, end, every) for who, where in everybody))

    async def _live(self, person: Person, where: Channel, end: float, every: float) -> None:
        """Act again and again, but not while the last press still waits for its answer."""
        waiting: list[Interaction] = []
        due = monotonic() + self.dice.uniform(0.0, every)
        while due < end:
            await asyncio.sleep(max(0.0, due - monotonic()))
            due += every
            if any(one.state is State.WAITING for one in waiting):
                self.waited += 1
                continue
            pressed = self._press(person, where)
            if pressed is None:
                continue
            waiting = [pressed]
            if self.dice.random() < TWICE and (again := self._press(person, where)) is not None:
                self.doubled.append((pressed.id, again.id))
                waiting.append(again)

    def _press(self, person: Person, where: Channel) -> Interaction | None:
        """What is due; else a look at one's hand, from the table; strangers do the same."""
        found = newest(person, person.dm())
        interactions = person.world.interactions
        with suppress(CannotInvoke):
            if found is not None:
                message, step = found
                values = None if step.value is None else [step.value]
                return interactions.create_component(
                    person.user, message, step.control.encode(), values
                )
            table = _table(where)
            if table is not None:
                message, control = table
                return interactions.create_component(person.user, message, control)
        return None


def _table(where: Channel) -> tuple[Message, str] | None:
    for message in reversed(where.messages.values()):
        control = my_hand_on(message)
        if control is not None:
            return message, control
    return None


def bad_day(playground: Playground) -> None:
    """Let Discord fail as the storm wants it."""
    playground.faults.http_errors(502, rate=0.05)
    playground.faults.rate_limit(rate=0.05, seconds=0.5)
    playground.faults.slow(4.0, rate=0.01, after=True)


@dataclass(frozen=True, slots=True)
class Weather:
    """When it began to blow, when that ended, and when the rest after it was over."""

    start: float
    end: float
    over: float
    spent: float
    """Seconds of the processor that the playground and the people used in the storm."""


async def blown(folder: Path, seconds: float) -> tuple[Storm, Samples, Weather]:
    """Start the bot at 95 tables, let it blow and rest, stop the bot."""
    began = monotonic()
    playground = Playground(token=TOKEN, furnished=False)
    playground.sent.on = False
    async with playground:
        tables = gather(playground, SERVERS, TABLES_EACH)
        guilds = list(playground.world.guilds.values())
        strangers = [Person.new(playground, f"Stranger {n}") for n in range(STRANGERS)]
        assert guilds
        url = f"sqlite+aiosqlite:///{folder / 'storm.db'}"
        await under_way.write(url, tables, Random(1), 60)
        samples = folder / "samples.json"
        bot = BotProcess(
            [sys.executable, "-m", "bench.measured_bot"],
            {
                "DISCORD_TOKEN": TOKEN,
                "DISCORD_API_URL": playground.api_url,
                "DISCORD_GATEWAY_URL": playground.gateway_url,
                "DATABASE_URL": url,
                "BENCH_SAMPLES": str(samples),
            },
            folder / "bot.log",
        )
        await bot.start()
        try:
            places = [table.channel for table in tables]
            places += [person.dm() for table in tables for person in table.people]
            somebody = tables[0].people[0]
            await somebody.until(
                lambda: all(place.messages for place in places), "the bot", within=PATIENCE
            )
            print(f"  everything shown {monotonic() - began:.0f} s after the beginning")
            storm = Storm(playground, tables, strangers, Random(2))
            await storm.blow(WARM_UP, USUAL)
            await asyncio.sleep(5)
            storm.doubled.clear()
            storm.waited = 0
            quiet, before = monotonic(), process_time()
            storm.listen()
            bad_day(playground)
            await storm.blow(seconds)
            end, spent = monotonic(), process_time() - before
            await asyncio.sleep(5)
            playground.faults.clear()
            await asyncio.sleep(REST - 5)
            over = monotonic()
        finally:
            await bot.stop()
        return storm, Samples.read(samples), Weather(quiet, end, over, spent)


def report(folder: Path, storm: Storm, samples: Samples, weather: Weather) -> list[str]:
    """Print what became of everything; what must not be is returned."""
    arrived = samples.arrivals()
    fates = storm.fates
    took = [fate.answered - fate.at for fate in fates.values() if fate.answered is not None]
    silent = {number: fate for number, fate in fates.items() if fate.answered is None}
    on_the_way = [arrived[number] - fate.at for number, fate in fates.items() if number in arrived]
    seconds = weather.end - weather.start
    in_time = {
        number: fate
        for number, fate in silent.items()
        if number in arrived and arrived[number] - fate.at < IN_TIME
    }
    spared = [number for number, fate in in_time.items() if not fate.is_spoiled]
    put_off = [fate for fate in fates.values() if fate.put_off]
    untried = sum(not in_time[number].struck for number in spared)
    late = sum(in_time[number].began_late for number in spared)
    for number in spared:
        fate = in_time[number]
        came = arrived[number] - fate.at
        tries = ", ".join(f"{after:.2f}" for after in fate.struck) or "none"
        print(f"  unanswered {number}: came after {came:.2f} s, Discord failed tries after {tries}")
    with closing(sqlite3.connect(folder / "storm.db")) as database:
        query = "SELECT interaction_id FROM entries WHERE interaction_id IS NOT NULL"
        acts = [number for (number,) in database.execute(query)]
    twice = [pair for pair in storm.doubled if set(pair) <= set(acts)]
    before = median(within(samples.memory, weather.start - 3, weather.start + 0.5))
    after = median(within(samples.memory, weather.over - 5, weather.over))
    peak = max(within(samples.memory, weather.start, weather.over))
    spent = within(samples.processor, weather.start - 1, weather.end + 1)
    said = (folder / "bot.log").read_text(encoding="utf-8", errors="replace")
    check = subprocess.run(
        [sys.executable, "-m", "bot", "check"],
        env={**os.environ, "DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'storm.db'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    print(
        f"  {len(fates)} interactions, {len(fates) / seconds:.0f} a second, "
        f"{len(storm.doubled)} of them pressed twice; on the way to the bot: "
        f"{milliseconds(on_the_way)}"
    )
    print(f"  {len(took)} answered: {milliseconds(took)}")
    print(
        f"  {len(silent)} unanswered; {len(in_time)} of them had come to the bot within "
        f"{IN_TIME:g} s, {len(spared)} of these without Discord's failing every answer "
        f"({untried} none, {late} the first, but that came late)"
    )
    print(
        f"  {len(acts)} acts in the log, {len(acts) / seconds:.1f} a second; {len(twice)} counted "
        f"twice; {len(put_off)} told to come back in a moment, {said.count(LET_GO)} let go "
        f"as too late, {storm.waited} times somebody still waited; "
        f"{said.count('Traceback')} tracebacks"
    )
    print(
        f"  memory before {before / 1e6:.0f} MB, at most {peak / 1e6:.0f} MB, after a minute of "
        f"rest {after / 1e6:.0f} MB: {after / before:.2f} times; "
        f"{(spent[-1] - spent[0]) / seconds:.2f} processors used by the bot, "
        f"{weather.spent / seconds:.2f} by the playground"
    )
    print(f"  check: {(check.stdout + check.stderr).strip()}")
    found = [f"{len(spared)} unanswered that came in time"] if spared else []
    found += [f"{len(twice)} moves made twice"] if twice else []
    found += ["check found something"] if check.returncode else []
    found += ["memory grew"] if after > MOST_MEMORY * before else []
    found += ["tracebacks in the log"] if "Traceback" in said else []
    return found


async def tried(folder: Path, seconds: float) -> list[str]:
    """Let it blow, and report.

    What was seen doesn't leave this task: asyncio.run looks whether its signal handler is still
    there, which writes out the result of the task as a text, and that took two minutes.
    """
    return report(folder, *await blown(folder, seconds))


def main(seconds: int = SECONDS) -> int:
    """Let it blow; 0 when the house stood."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"  load of the machine before: {load}")
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(tried(Path(folder), float(seconds)))
    for problem in found:
        print(f"  {problem}", file=sys.stderr)
    return 1 if found else 0
