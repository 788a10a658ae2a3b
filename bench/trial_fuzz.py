"""Whatever is pressed, typed or forged by chance: no fault, no act against the rules, no card.

    python -m bench fuzz 100000

Rounds in rooms of their own, bot and playground in one process, over real sockets; pictures are
drawn, rate limits and time limits are off, every tenth request is shown to Discord's description.
At the end of every tenth round the matches that still run are played on to their ends.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from time import monotonic, process_time

from tests.e2e.fuzzing import Outcome, fuzz, rounds

COUNT = 100_000
PLAYED_ON = 10
"""In how many rounds one, the first among them, is played on; it takes twice as long then."""


def main(count: int = COUNT) -> int:
    """Send so many, print what came of it; 0 when nothing did."""
    began, used = monotonic(), process_time()
    total = Outcome()
    for seed, size in rounds(count):
        with tempfile.TemporaryDirectory() as folder:
            outcome = asyncio.run(fuzz(Path(folder), seed, size, to_the_end=seed % PLAYED_ON == 0))
        total.add(outcome)
        for problem in outcome.problems:
            print(f"  round {seed}: {problem}", file=sys.stderr)
        print(
            f"  round {seed}: {size} sent, {outcome.acts} acts, {outcome.ended} of "
            f"{outcome.matches} matches ended ({outcome.played_on} by playing on, where "
            f"{outcome.asked} asked for their hands), "
            f"{len(outcome.problems)} problems",
            flush=True,
        )
    sent = ", ".join(f"{number} {kind}" for kind, number in sorted(total.sent.items()))
    print(
        f"{sent}: {total.acts} acts in {total.matches} matches, {total.requests} requests of the "
        f"bot ({total.with_cards} with cards), {total.log_lines} lines logged, "
        f"{len(total.problems)} problems; {monotonic() - began:.0f} s, "
        f"{process_time() - used:.0f} s of processor time"
    )
    return 1 if total.problems else 0
