"""Four tables, and the bot killed (SIGKILL) again and again at random instants.

    python -m bench kills 300

Every act that a player saw acknowledged must be in the log exactly once, every match must come to
its end, and `python -m bot check` must find nothing.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.e2e.process import Nursery
from tests.e2e.reckless import kill_often

KILLS = 300
TABLES = 4


def main(kills: int = KILLS) -> int:
    """Kill so often, print what was left; 0 when nothing was lost."""
    began = monotonic()

    def told(number: int, acknowledged: int) -> None:
        if number % 25 == 0:
            print(f"  {number} kills, {acknowledged} acts acknowledged", flush=True)

    with tempfile.TemporaryDirectory() as folder, Nursery() as nursery:
        report = asyncio.run(
            kill_often(nursery, Path(folder), kills=kills, pairs=TABLES, seed=1, told=told)
        )
    for problem in report.problems:
        print(f"  {problem}", file=sys.stderr)
    acts = sum(number is not None for _text, number in report.log)
    print(
        f"{report.kills} kills: {len(report.acknowledged)} acts acknowledged, {acts} in the log, "
        f"{len(report.lost)} of the acknowledged not there exactly once; {report.matches} matches, "
        f"{report.running} of them never ended; {report.tracebacks} tracebacks; "
        f"{monotonic() - began:.0f} s"
    )
    return 1 if report.problems else 0
