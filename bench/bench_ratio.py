"""What an act costs beside a bare "ok" and a bare commit, all at saturation, in one run.

Two dozen people act as fast as they are answered: first against a bare discord.py bot
(`bench.bare`), then against Ginhouse without its pictures, then with them. No rate limits stand in
the way, neither Discord's nor our own. An act is complete when it is committed and answered, and
the table and both hands show it; all the processor time until everything is shown counts.

    python -m bench.bench_ratio 10      for so many seconds each, three rounds of half of that
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, perf_counter, process_time
from typing import Final

import aiosqlite

from bench import under_way
from bench.bench_load import BARE, OURS, PATIENCE, TOKEN, milliseconds
from bench.bench_store import NOW, Bare
from bench.crowd import Crowd, gather
from bench.sampling import UNWATCHED, Samples
from bench.under_way import Seated
from db import ChannelId, NewMatch, PersonId, ServerId, Store
from playground.bot import BotProcess
from playground.server import Playground

SECONDS: Final = 20.0
ROUNDS: Final = 3
"""Bare answers and acts turn about, since a shared machine is now quicker, now slower."""
AT_ONCE: Final = 24
SERVERS: Final = 4
TABLES_EACH: Final = 20
COMMITS: Final = 1_000
LIMIT: Final = 15.0
SHOWN_AFTER: Final = 4.0
"""Seconds after the last act in which everything is shown."""


@dataclass(frozen=True, slots=True)
class Bout:
    """What one bot did at saturation."""

    answers: list[float]
    seconds: float
    processor: float
    """Seconds of the processor, until everything was shown."""
    accepted: int
    looks: Counter[str]


async def bout(folder: Path, module: str, seconds: float, **settings: str) -> Bout:
    """Let people act as fast as one bot answers."""
    playground = Playground(token=TOKEN, furnished=False)
    playground.rates.enabled = False
    playground.sent.on = False
    async with playground:
        tables = gather(playground, SERVERS, TABLES_EACH)
        crowd = Crowd(playground, tables, Random(2))
        file = folder / f"{module}{''.join(settings)}.db"
        url = f"sqlite+aiosqlite:///{file}"
        await under_way.write(url, tables, Random(1), 60)
        samples = file.with_suffix(".json")
        bot = BotProcess(
            [sys.executable, "-m", module],
            {
                "DISCORD_TOKEN": TOKEN,
                "DISCORD_API_URL": playground.api_url,
                "DISCORD_GATEWAY_URL": playground.gateway_url,
                "DATABASE_URL": url,
                "BENCH_SAMPLES": str(samples),
                "ACTS_PER_TEN_SECONDS": "0",
                UNWATCHED: "1",
                **settings,
            },
            file.with_suffix(".log"),
        )
        await bot.start()
        try:
            is_bare = module == BARE
            ready = _knows_ok(playground) if is_bare else _stands(tables)
            somebody = tables[0].people[0]
            await somebody.until(ready, "the bot", within=PATIENCE)
            await crowd.act_at_once(AT_ONCE, 3, ok=is_bare)
            await asyncio.sleep(SHOWN_AFTER)
            before, start = _accepted(file), monotonic()
            answers = await crowd.act_at_once(AT_ONCE, seconds, ok=is_bare)
            end = monotonic()
            await asyncio.sleep(SHOWN_AFTER)
            shown = monotonic()
            accepted = _accepted(file) - before
        finally:
            await bot.stop()
    taken = Samples.read(samples)
    used = [value for at, value in taken.processor if at <= shown][-1]
    used -= [value for at, value in taken.processor if at <= start][-1]
    return Bout(answers.seconds, end - start, used, accepted, Counter(taken.looks))


def _knows_ok(playground: Playground) -> Callable[[], bool]:
    world = playground.world
    return lambda: (
        world.bot_online
        and any(command["name"] == "ok" for command in world.application.commands.values())
    )


def _stands(tables: list[Seated]) -> Callable[[], bool]:
    places = [table.channel for table in tables]
    places += [person.dm() for table in tables for person in table.people]
    return lambda: all(place.messages for place in places)


def _accepted(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT count(*) FROM entries WHERE interaction_id IS NOT NULL"
        (number,) = database.execute(query).fetchone()
    return int(number)


async def commits(folder: Path) -> tuple[float, float]:
    """Bare commits of an act's rows, one after the other: seconds each, and of the processor."""
    file = folder / "commits.db"
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    people = (PersonId(1), PersonId(2))
    async with store.transaction() as tx:
        await tx.people.seen(PersonId(1), "Ann", NOW)
        match = await tx.matches.create(
            NewMatch(ServerId(1), ChannelId(2), "standard", people, NOW)
        )
    await store.close()
    async with aiosqlite.connect(file, isolation_level=None) as connection:
        await connection.execute("PRAGMA synchronous = FULL")
        bare = Bare(connection, match)
        began, spent = perf_counter(), process_time()
        for turn in range(COMMITS):
            await bare.three(turn)
        return (perf_counter() - began) / COMMITS, (process_time() - spent) / COMMITS


def report(name: str, of: Bout, each: float) -> None:
    """Print what one bot did; ``each``: seconds of the processor for one."""
    print(
        f"  {name}: {len(of.answers) / of.seconds:.1f} acknowledged a second, "
        f"{of.accepted / of.seconds:.1f} acts completed a second, "
        f"answered {milliseconds(of.answers)}; {each * 1e3:.2f} ms of the processor each"
    )


async def measure(seconds: float) -> None:
    """Measure everything and print it."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"  {AT_ONCE} people at once for {seconds:g} s each; load of the machine before: {load}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wall, spent = await commits(folder)
        beside = []
        for number in range(ROUNDS):
            place = folder / str(number)
            place.mkdir()
            bare = await bout(place, BARE, seconds / 2)
            off = await bout(place, OURS, seconds / 2, BENCH_UNGOVERNED="1", BENCH_UNDRAWN="1")
            beside.append((bare, off))
        ours = await bout(folder, OURS, seconds, BENCH_UNGOVERNED="1")
        looked = await bout(
            folder, OURS, seconds / 2, BENCH_UNGOVERNED="1", BENCH_UNDRAWN="1", BENCH_PROFILE="1"
        )
    for bare, off in beside:
        report('bare "ok"', bare, bare.processor / len(bare.answers))
        report("Ginhouse, pictures off", off, off.processor / off.accepted)
    ok = median(bare.processor / len(bare.answers) for bare, _off in beside)
    plain = median(off.processor / off.accepted for _bare, off in beside)
    ratios = sorted(
        off.processor / off.accepted / (bare.processor / len(bare.answers)) for bare, off in beside
    )
    drawn = ours.processor / ours.accepted
    report("Ginhouse, with pictures", ours, drawn)
    print(
        f"  a bare commit: {wall * 1e3:.2f} ms, {1 / wall:.0f} a second, "
        f"{spent * 1e3:.2f} ms of the processor"
    )
    print(
        f"  a completed act costs {median(ratios):.1f} bare answers (limit {LIMIT:g}; "
        f"{ratios[0]:.1f} to {ratios[-1]:.1f} by rounds) and {plain / spent:.0f} bare commits; "
        f"with pictures {drawn / ok:.1f} answers"
    )
    print("  where the time of the loop goes, pictures off:")
    total = looked.looks.total() or 1
    for part, number in looked.looks.most_common(14):
        print(f"  {number / total:6.1%}  {part}")


def main(seconds: float = SECONDS) -> None:
    """Measure and print."""
    asyncio.run(measure(seconds))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
