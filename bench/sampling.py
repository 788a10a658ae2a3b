"""What goes on inside a bot under load: its event loop, its processor time, its pictures.

Runs in the bot's process, started by `bench.measured_bot` and `bench.bare`. Times of day are
those of the monotonic clock, which all processes of a machine share, so that whoever drives the
bot can cut out of the samples the time that he means.
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

STEP: Final = 0.005
"""Seconds between two looks at the loop."""
EVERY: Final = 100
"""Looks between two looks at the processor time."""


@dataclass(slots=True)
class Samples:
    """What was seen; each with the moment at which it ended, all in seconds."""

    late: list[tuple[float, float, float]] = field(default_factory=list)
    """How much later than asked for the loop came to a task, and how long its thread ran."""
    processor: list[tuple[float, float]] = field(default_factory=list)
    """The processor time of the whole process so far."""
    pictures: list[tuple[float, float]] = field(default_factory=list)
    """The processor time of one picture."""
    collections: list[tuple[float, float]] = field(default_factory=list)
    """Garbage collections of everything: how long each held all threads."""

    memory: list[tuple[float, float]] = field(default_factory=list)
    """The resident memory of the process, in bytes."""
    arrived: list[tuple[float, int]] = field(default_factory=list)
    """Interactions, by their ids, as they came to the bot."""

    looks: dict[str, int] = field(default_factory=dict)
    """What a profile saw the loop at, where one was taken."""

    def write(self, path: Path) -> None:
        """Leave everything in a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Samples:
        """Read what another process has left."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    async def watch_loop(self) -> None:
        """Look at the loop that runs this, again and again."""
        loop = asyncio.get_running_loop()
        while True:
            self.processor.append((time.monotonic(), time.process_time()))
            self.memory.append((time.monotonic(), resident()))
            for _ in range(EVERY):
                due, ran = loop.time() + STEP, time.thread_time()
                await asyncio.sleep(STEP)
                now = loop.time()
                self.late.append((now, now - due, time.thread_time() - ran))

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
