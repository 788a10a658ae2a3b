"""A house with a long past: 10,000 matches under way, a million hands played, all on one server.

    python -m bench size         or with another number of past hands: python -m bench size 100000

Ten tables are played at in the full house, and ten in a house with no others; both are open at the
same time, so that what else the machine does slows down both. Measured are the time from the start
to being ready, the memory, how soon a press is answered, and the leaderboard.
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


class Open:
    """A house that is filled, and its bot."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.playground = Playground(token=TOKEN, furnished=False)
        self.playground.sent.on = False
        self._past = 0
        self._answers: list[float] = []
        self._failed = 0
        self._looks: list[float] = []

    async def fill(self, matches: list[Played], *, running: int, hands: int) -> None:
        """Write what is under way and what is past."""
        self._tables = gather(self.playground, 1, TABLES)
        (guild,) = self.playground.world.guilds.values()
        self._file = self._folder / "size.db"
        url = f"sqlite+aiosqlite:///{self._file}"
        await under_way.write(url, self._tables, Random(1), 40)
        house = House(self._file, guild.id, matches)
        self._past = house.fill(running=running - TABLES, hands=hands)
        self._bytes = self._file.stat().st_size
        # A database that has been there for long, and isn't still being written by the system.
        await asyncio.to_thread(os.sync)
        self._log = self._folder / "bot.log"
        settings = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": self.playground.api_url,
            "DISCORD_GATEWAY_URL": self.playground.gateway_url,
            "DATABASE_URL": url,
            "BENCH_SAMPLES": str(self._folder / "samples.json"),
        }
        self.bot = BotProcess([sys.executable, "-m", "bench.measured_bot"], settings, self._log)

    async def start(self) -> None:
        """Start the bot, and wait until it has looked at all that is under way."""
        began = monotonic()
        await self.bot.start()
        await _until_said(self._log, "event='ready'")
        self._ready = monotonic() - began
        await _until_said(self._log, "event='restored'")
        self._restored = monotonic() - began
        self._crowd = Crowd(self.playground, self._tables, Random(2))
        for table in self._tables:
            for person in table.people:
                for message in person.dm().messages.values():
                    self._crowd.look(message)

    async def play(self) -> None:
        """Let people press at ten tables."""
        await self._crowd.act(RATE, 5)
        self._from = monotonic()
        answers = await self._crowd.act(RATE, SECONDS)
        self._to = monotonic()
        self._answers, self._failed = answers.seconds, answers.failed

    async def look(self) -> None:
        """Ask for the leaderboard once."""
        table = self._tables[0]
        asked = monotonic()
        answer = await table.people[0].slash(table.channel, "gin leaderboard", first=True)
        self._looks.append(monotonic() - asked)
        assert not answer.failed

    def figures(self) -> Figures:
        """Put together what was measured; the bot has to have been stopped."""
        taken = Samples.read(self._folder / "samples.json")
        spent = [value for at, value in taken.processor if self._from <= at <= self._to]
        return Figures(
            self._past,
            self._bytes,
            self._ready,
            self._restored,
            self._answers,
            self._looks,
            max(value for _at, value in taken.memory),
            self._failed,
            (spent[-1] - spent[0]) / max(1, len(self._answers)),
        )


async def both(folder: Path, hands: int) -> tuple[Figures, Figures]:
    """Measure a house with ten matches and the full one, both open at the same time.

    So whatever else the machine does, and however fast it is, slows down both.
    """
    matches = played(REALLY_PLAYED)
    places = folder / "small", folder / "full"
    for place in places:
        place.mkdir()
    small, full = (Open(place) for place in places)
    async with small.playground, full.playground:
        await small.fill(matches, running=TABLES, hands=0)
        await full.fill(matches, running=RUNNING, hands=hands)
        try:
            await small.start()
            await full.start()
            await asyncio.gather(small.play(), full.play())
            for _ in range(LOOKS):
                await small.look()
                await full.look()
        finally:
            await small.bot.stop()
            await full.bot.stop()
    return small.figures(), full.figures()


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
    with tempfile.TemporaryDirectory() as folder:
        small, full = asyncio.run(both(Path(folder), hands))
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
    print(
        f"  the leaderboard with 10 matches {median(small.leaderboard) * 1e3:.1f} ms; "
        f"there it took {small.ready:.1f} s to be ready, and {small.memory / 1e6:.0f} MB"
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
