"""Run the benches: ``python -m bench`` all of them, ``python -m bench melds`` those named.

A bench is a module ``bench/bench_NAME.py`` with ``def main() -> None``, which prints what it
measured: medians of several repeats, and ratios to a limit or to a peer from the same run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

PREFIX = "bench_"


def found() -> list[str]:
    """The names of the benches, in alphabetical order."""
    return sorted(
        path.stem.removeprefix(PREFIX) for path in Path(__file__).parent.glob("bench_*.py")
    )


def main(names: list[str]) -> int:
    """Run the named benches, or all; return the exit status, 2 for an unknown name."""
    known = found()
    for name in names:
        if name not in known:
            print(f"no bench is named {name!r}; there are: {', '.join(known)}", file=sys.stderr)
            return 2
    for name in names or known:
        print(f"== {name}", flush=True)
        run: Callable[[], None] = import_module(f"bench.{PREFIX}{name}").main
        run()
        print(flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
