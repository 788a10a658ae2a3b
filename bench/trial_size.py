"""A house with a long past: 10,000 matches under way, a million hands played, all on one server.

    python -m bench size         or with another number of past hands: python -m bench size 100000

Ten tables are played at, once in a house with no others and once in the full house. Measured are
the time from the start to being ready, the memory, how soon a press is answered, and the
leaderboard.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic
from typing import Final

from bench import under_way
from bench.bench_load import say
from bench.crowd import Crowd, gather
from bench.full_house import House, Played, played
from bench.sampling import Samples
from playground.bot import BotProcess
from playground.server import Playground

HANDS: Final = 1_000_000
RUNNING: Final = 10_000
REALLY_PLAYED: Final = 200
"""So many different matches; the past repeats them with other people."""
TABLES: Final = 10
RATE: Final = 5.0
SECONDS: Final = 40.0
LOOKS: Final = 15
"""How often the leaderboard is asked for."""
PATIENCE: Final = 300.0
TOKEN: Final = "playground-token.of.a-house"  # noqa: S105 - opens nothing but our playground

LIMIT_START: Final = 10.0
LIMIT_MEMORY_MB: Final = 300.0
LIMIT_RATIO: Final = 1.3
LIMIT_LEADERBOARD_MS: Final = 100.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured in one house."""

    past: int
    bytes: int
    ready: float
    """Seconds."""
    restored: float
    """Seconds from the start until every match under way had been looked at."""
    answers: list[float]
    leaderboard: list[float]
    memory: float
    """The most that the process held, in bytes."""
    failed: int
    processor: float
    """Seconds of the processor for an act."""


async def house(folder: Path, matches: list[Played], *, running: int, hands: int) -> Figures:
    """Fill a house, open it, play at ten tables, look at the leaderboard."""
    playground = Playground(token=TOKEN, furnished=False)
    playground.sent.on = False
    async with playground:
        tables = gather(playground, 1, TABLES)
        (guild,) = playground.world.guilds.values()
        file = folder / "size.db"
        url = f"sqlite+aiosqlite:///{file}"
        await under_way.write(url, tables, Random(1), 40)
        past = House(file, guild.id, matches).fill(running=running - TABLES, hands=hands)
        samples = folder / "samples.json"
        log = folder / "bot.log"
        settings = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": playground.api_url,
            "DISCORD_GATEWAY_URL": playground.gateway_url,
            "DATABASE_URL": url,
            "BENCH_SAMPLES": str(samples),
        }
        bot = BotProcess([sys.executable, "-m", "bench.measured_bot"], settings, log)
        began = monotonic()
        await bot.start()
        try:
            await _until_said(log, "event='ready'")
            ready = monotonic() - began
            await _until_said(log, "event='restored'")
            restored = monotonic() - began
            crowd = Crowd(playground, tables, Random(2))
            for table in tables:
                for person in table.people:
                    for message in person.dm().messages.values():
                        crowd.look(message)
            await crowd.act(RATE, 5)
            start = monotonic()
            answers = await crowd.act(RATE, SECONDS)
            end = monotonic()
            somebody = tables[0].people[0]
            looks = []
            for _ in range(LOOKS):
                asked = monotonic()
                answer = await somebody.slash(tables[0].channel, "gin leaderboard", first=True)
                looks.append(monotonic() - asked)
                assert not answer.failed
        finally:
            await bot.stop()
    taken = Samples.read(samples)
    spent = [value for at, value in taken.processor if start <= at <= end]
    return Figures(
        past,
        file.stat().st_size,
        ready,
        restored,
        answers.seconds,
        looks,
        max(value for _at, value in taken.memory),
        answers.failed,
        (spent[-1] - spent[0]) / max(1, len(answers.seconds)),
    )


async def _until_said(log: Path, words: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await asyncio.to_thread(_says, log, words):  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.05)


def _says(log: Path, words: str) -> bool:
    return log.exists() and words in log.read_text(encoding="utf-8", errors="replace")


def main(hands: int = HANDS) -> int:
    """Measure both houses and print; 0 when all is within its limit."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"  load of the machine before: {load}", flush=True)
    matches = played(REALLY_PLAYED)
    with tempfile.TemporaryDirectory() as folder:
        small = asyncio.run(house(Path(folder), matches, running=TABLES, hands=0))
    with tempfile.TemporaryDirectory() as folder:
        full = asyncio.run(house(Path(folder), matches, running=RUNNING, hands=hands))
    print(
        f"  {RUNNING} matches under way, {full.past} past ones with {hands} hands, "
        f"{full.bytes / 1e6:.0f} MB; all looked through {full.restored:.1f} s after the start"
    )
    ratio = median(full.answers) / median(small.answers)
    board = median(full.leaderboard) * 1e3
    print(
        f"  a press is answered after {median(small.answers) * 1e3:.1f} ms (median of "
        f"{len(small.answers)}) with 10 matches, {median(full.answers) * 1e3:.1f} ms (of "
        f"{len(full.answers)}) in the full house; {full.failed + small.failed} without an answer; "
        f"processor time {small.processor * 1e3:.1f} and {full.processor * 1e3:.1f} ms"
    )
    say("from the start to ready", full.ready, "s", LIMIT_START)
    say("memory", full.memory / 1e6, "MB", LIMIT_MEMORY_MB)
    say("a press, in proportion to that with 10 matches", ratio, "", LIMIT_RATIO)
    say("the leaderboard, median", board, "ms", LIMIT_LEADERBOARD_MS)
    holds = (
        full.ready <= LIMIT_START
        and full.memory <= LIMIT_MEMORY_MB * 1e6
        and ratio <= LIMIT_RATIO
        and board <= LIMIT_LEADERBOARD_MS
    )
    return 0 if holds else 1
