"""What goes on inside a bot under load: its event loop, its processor time, its pictures.

Runs in the bot's process, started by `bench.measured_bot` and `bench.bare`. Times of day are
those of the monotonic clock, which all processes of a machine share, so that whoever drives the
bot can cut out of the samples the time that he means.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import time
from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

STEP: Final = 0.005
"""Seconds between two looks at the loop."""
EVERY: Final = 100
"""Looks between two looks at the processor time."""
UNWATCHED: Final = "BENCH_UNWATCHED"


@dataclass(slots=True)
class Samples:
    """What was seen; each with the moment at which it ended, all in seconds."""

    late: array[float] = field(default_factory=lambda: array("d"))
    """How much later than asked for the loop came to a task, and how long its thread ran: three
    numbers after another, since as tuples they would be a part of the memory that is measured."""
    processor: list[tuple[float, float]] = field(default_factory=list)
    """The processor time of the whole process so far."""
    pictures: list[tuple[float, float]] = field(default_factory=list)
    """The processor time of one picture."""
    collections: list[tuple[float, float]] = field(default_factory=list)
    """Garbage collections of everything: how long each held all threads."""

    memory: list[tuple[float, float]] = field(default_factory=list)
    """The resident memory of the process, in bytes."""
    arrived: array[int] = field(default_factory=lambda: array("q"))
    """Interactions as they came to the bot: the moment in nanoseconds, the id, and so on."""

    looks: dict[str, int] = field(default_factory=dict)
    """What a profile saw the loop at, where one was taken."""

    def write(self, path: Path) -> None:
        """Leave everything in a file."""
        path.write_text(json.dumps(asdict(self), default=list), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Samples:
        """Read what another process has left."""
        read = cls(**json.loads(path.read_text(encoding="utf-8")))
        read.late, read.arrived = array("d", read.late), array("q", read.arrived)
        return read

    def arrives(self, interaction: int) -> None:
        """Note that an interaction has come."""
        self.arrived.extend((time.monotonic_ns(), interaction))

    def arrivals(self) -> dict[int, float]:
        """When each interaction came, by its id."""
        numbers = zip(self.arrived[1::2], self.arrived[::2], strict=True)
        return {interaction: at / 1e9 for interaction, at in numbers}

    def delays(self) -> Iterator[tuple[float, float, float]]:
        """What `late` says, three by three."""
        return zip(self.late[::3], self.late[1::3], self.late[2::3], strict=True)

    async def watch(self) -> None:
        """Look at the process and at the loop that runs this, again and again.

        With BENCH_UNWATCHED at the process alone: to look at the loop takes as much of the
        processor as a thirtieth of all that a bot at its limit does.
        """
        loop = asyncio.get_running_loop()
        while True:
            self.processor.append((time.monotonic(), time.process_time()))
            self.memory.append((time.monotonic(), resident()))
            if UNWATCHED in os.environ:
                await asyncio.sleep(STEP * EVERY)
                continue
            for _ in range(EVERY):
                due, ran = loop.time() + STEP, time.thread_time()
                await asyncio.sleep(STEP)
                now = loop.time()
                self.late.extend((now, now - due, time.thread_time() - ran))

    def watch_collections(self) -> None:
        """Time the collector's passes over everything."""
        began = 0.0

        def heard(phase: str, about: dict[str, int]) -> None:
            nonlocal began
            if about["generation"] < 2:
                return
            if phase == "start":
                began = time.monotonic()
            else:
                self.collections.append((time.monotonic(), time.monotonic() - began))

        gc.callbacks.append(heard)


def resident() -> float:
    """The resident memory of this process, in bytes; 0 where the system doesn't say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return float(pages * resource.getpagesize())


def within(samples: list[tuple[float, float]], start: float, end: float) -> list[float]:
    """The values of the samples taken between two moments."""
    return [value for at, value in samples if start <= at < end]
