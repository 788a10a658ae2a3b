"""400 people at 200 tables act 20 times a second for a minute; beside it a bot that says "ok".

The bot runs in a process of its own, started through `bench.measured_bot`; the playground with
its rate limits, and the people, are in this one. Most press, some type. Then the same people ask
the same playground's bare bot (`bench.bare`) for an "ok", as often.

    python -m bench.bench_load 20      for so many seconds instead of a minute
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

from bench import under_way
from bench.crowd import Answers, Crowd, gather
from bench.sampling import Samples, within
from playground.bot import BotProcess
from playground.server import Playground

SERVERS: Final = 10
TABLES_EACH: Final = 20
RATE: Final = 20.0
"""Acts a second."""
TYPING: Final = 0.2
"""The share of the people who type their commands."""
SECONDS: Final = 60.0
PATIENCE: Final = 180.0
"""Seconds in which every table must be shown after the start."""
WARM_UP: Final = 5.0
DONE: Final = 120
"""At the most so many acts are done at a table before the bot starts."""

LIMIT_ANSWER_MS: Final = 150.0
LIMIT_HELD_MS: Final = 50.0
LIMIT_PICTURES_MS: Final = 15.0
LIMIT_REQUESTS: Final = 50.0

TOKEN: Final = "playground-token.of.a-bench"  # noqa: S105 - opens nothing but our playground
OURS: Final = "bench.measured_bot"
BARE: Final = "bench.bare"


@dataclass(frozen=True, slots=True)
class Minute:
    """What one bot did in the time that counts."""

    answers: Answers
    samples: Samples
    start: float
    end: float
    accepted: int
    """Acts that stand in the log."""
    counted: int
    """Requests that Discord would count."""
    refused: Counter[str]
    """Requests that the playground refused."""

    @property
    def pictures(self) -> list[float]:
        """Seconds of processor time of each picture."""
        return within(self.samples.pictures, self.start, self.end)

    @property
    def processor(self) -> float:
        """Seconds of the bot's processor time."""
        spent = within(self.samples.processor, self.start, self.end)
        return spent[-1] - spent[0]

    @property
    def held(self) -> list[tuple[float, float]]:
        """How long the loop was held at each look, and how much of that its own thread ran."""
        return [
            (max(0.0, late), min(max(0.0, late), ran))
            for at, late, ran in self.samples.delays()
            if self.start <= at < self.end
        ]


class Arena:
    """A playground with its people, in which one bot after another is tried."""

    def __init__(self, playground: Playground, folder: Path) -> None:
        self._playground = playground
        self._folder = folder
        self._tables = gather(playground, SERVERS, TABLES_EACH)
        self._database = folder / "bench.db"
        self._url = f"sqlite+aiosqlite:///{self._database}"
        self._crowd = Crowd(playground, self._tables, Random(2))
        self._crowd.let_type(TYPING)

    async def ours(self, seconds: float) -> Minute:
        """Let people play."""
        await under_way.write(self._url, self._tables, Random(1), DONE)
        return await self._tried(OURS, self._everything_stands, self._crowd.act, seconds)

    async def bare(self, seconds: float) -> Minute:
        """Let people ask for an "ok"."""
        return await self._tried(BARE, self._knows_ok, self._crowd.say_ok, seconds)

    async def _tried(
        self,
        module: str,
        is_ready: Callable[[], bool],
        act: Callable[[float, float], Awaitable[Answers]],
        seconds: float,
    ) -> Minute:
        sent = self._playground.sent
        async with self._running(module) as file:
            somebody = self._tables[0].people[0]
            await somebody.until(is_ready, "the bot", within=PATIENCE)
            await act(RATE, WARM_UP)
            sent.clear()
            counted, accepted, start = sent.counted, self._accepted(), monotonic()
            answers = await act(RATE, seconds)
            end, counted = monotonic(), sent.counted - counted
            accepted = self._accepted() - accepted
        refused = Counter(
            f"{request.status} {request.code} {request.method} {request.template}"
            for request in sent.failed()
        )
        return Minute(answers, Samples.read(file), start, end, accepted, counted, refused)

    @asynccontextmanager
    async def _running(self, module: str) -> AsyncIterator[Path]:
        """Run a bot in a process of its own; gives the file where its samples will be."""
        file = self._folder / f"{module}.json"
        environment = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": self._playground.api_url,
            "DISCORD_GATEWAY_URL": self._playground.gateway_url,
            "DATABASE_URL": self._url,
            "BENCH_SAMPLES": str(file),
        }
        command = [sys.executable, "-m", module]
        bot = BotProcess(command, environment, self._folder / f"{module}.log")
        await bot.start()
        try:
            yield file
        finally:
            await bot.stop()
            if not file.exists():
                print("\n".join(bot.last), file=sys.stderr)

    def _knows_ok(self) -> bool:
        world = self._playground.world
        application = world.application
        return world.bot_online and any(
            command["name"] == "ok" for command in application.commands.values()
        )

    def _everything_stands(self) -> bool:
        """Whether every table and every hand is shown."""
        places = [table.channel for table in self._tables]
        places += [person.dm() for table in self._tables for person in table.people]
        return all(place.messages for place in places)

    def _accepted(self) -> int:
        with closing(sqlite3.connect(self._database)) as database:
            query = "SELECT count(*) FROM entries WHERE interaction_id IS NOT NULL"
            (number,) = database.execute(query).fetchone()
        return int(number)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def milliseconds(values: Sequence[float]) -> str:
    """How the values are spread, in milliseconds."""
    middle, late, last = quantile(values, 0.5), quantile(values, 0.99), max(values)
    return f"p50 {middle * 1000:.1f} ms, p99 {late * 1000:.1f} ms, longest {last * 1000:.0f} ms"


def say(what: str, value: float, unit: str, limit: float) -> None:
    """Print a figure beside its limit."""
    print(f"  {what:<44} {value:7.1f} {unit}, limit {limit:g}, ratio {value / limit:.2f}")


def report_answers(of: Minute) -> None:
    """Print how the people were answered."""
    answers = of.answers
    print(f"  {len(answers.seconds)} interactions answered: {milliseconds(answers.seconds)}")
    print(
        f"  {answers.failed} without an answer, {answers.deferred} deferred first, "
        f"{answers.idle} times nobody could act; refused requests: {dict(of.refused) or 'none'}"
    )


def report_ours(ours: Minute) -> None:
    """Print what our bot did, with its limits."""
    seconds = ours.end - ours.start
    print(f"Ginhouse: {ours.accepted} acts accepted, {ours.accepted / seconds:.1f} a second")
    report_answers(ours)
    say("answered within, p99", quantile(ours.answers.seconds, 0.99) * 1e3, "ms", LIMIT_ANSWER_MS)
    held = [late for late, _ran in ours.held]
    ran = [ran for _late, ran in ours.held]
    say("the loop was held, p99.9", quantile(held, 0.999) * 1e3, "ms", LIMIT_HELD_MS)
    say(
        "  of that by its own processor time, p99.9",
        quantile(ran, 0.999) * 1e3,
        "ms",
        LIMIT_HELD_MS,
    )
    print(
        f"  the loop was held at the longest for {max(held) * 1000:.0f} ms ({max(ran) * 1000:.0f})"
    )
    swept = within(ours.samples.collections, ours.start, ours.end)
    longest = max(swept, default=0.0) * 1000
    print(f"  {len(swept)} collections of all garbage, the longest took {longest:.0f} ms")
    drawn = sum(ours.pictures) / ours.accepted * 1000
    say("pictures, processor time an act", drawn, "ms", LIMIT_PICTURES_MS)
    say("requests that count, a second", ours.counted / seconds, "  ", LIMIT_REQUESTS)
    print(
        f"  {len(ours.pictures) / ours.accepted:.2f} pictures and "
        f"{ours.counted / ours.accepted:.2f} counted requests an act"
    )


def report(ours: Minute, bare: Minute) -> None:
    """Print what both did."""
    report_ours(ours)
    print(f'A bare bot that answers "ok": {len(bare.answers.seconds)} answers')
    report_answers(bare)
    act = ours.processor / ours.accepted * 1000
    without = (ours.processor - sum(ours.pictures)) / ours.accepted * 1000
    ok = bare.processor / len(bare.answers.seconds) * 1000
    print(
        f"Processor time of the bot: an act {act:.1f} ms ({without:.1f} ms without its pictures), "
        f'an "ok" {ok:.2f} ms: ratio {act / ok:.1f} ({without / ok:.1f})'
    )


async def measure(seconds: float) -> None:
    """Measure both bots in one playground and print what they did."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(
        f"{SERVERS * TABLES_EACH} tables, {RATE:g} acts a second for {seconds:g} s, "
        f"{TYPING:.0%} of the people type; load of the machine before: {load}"
    )
    with tempfile.TemporaryDirectory() as folder:
        playground = Playground(token=TOKEN, furnished=False)
        playground.sent.keep_files = False
        async with playground:
            arena = Arena(playground, Path(folder))
            ours = await arena.ours(seconds)
            bare = await arena.bare(seconds)
        report(ours, bare)


def main(seconds: float = SECONDS) -> None:
    """Measure and print."""
    asyncio.run(measure(seconds))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
