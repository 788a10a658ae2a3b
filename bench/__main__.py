"""Run the benches: ``python -m bench`` all of them, ``python -m bench melds`` those named.

A bench is a module ``bench/bench_NAME.py`` with ``def main() -> None``, which prints what it
measured: medians of several repeats, and ratios to a limit or to a peer from the same run.

A trial is a module ``bench/trial_NAME.py`` that tries for minutes whether something holds. It runs
only when it is named, ``python -m bench fuzz 100000`` with a number for its size, and its
``main(size: int) -> int`` returns 0 when it held.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

BENCH = "bench_"
TRIAL = "trial_"


def found(kind: str = BENCH) -> list[str]:
    """The names of the benches (or trials), in alphabetical order."""
    return sorted(
        path.stem.removeprefix(kind) for path in Path(__file__).parent.glob(f"{kind}*.py")
    )


def main(arguments: list[str]) -> int:
    """Run what is named, or all benches; return the exit status, 2 for an unknown name."""
    benches, trials = found(), found(TRIAL)
    names = [one for one in arguments if not one.isdigit()]
    sizes = [int(one) for one in arguments if one.isdigit()]
    for name in names:
        if name not in {*benches, *trials}:
            print(
                f"no bench is named {name!r}; there are: {', '.join(benches)}; "
                f"and, only when named: {', '.join(trials)}",
                file=sys.stderr,
            )
            return 2
    status = 0
    for name in names or benches:
        print(f"== {name}", flush=True)
        if name in trials:
            held: Callable[..., int] = import_module(f"bench.{TRIAL}{name}").main
            status = max(status, held(*sizes[:1]))
        else:
            run: Callable[[], None] = import_module(f"bench.{BENCH}{name}").main
            run()
        print(flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
