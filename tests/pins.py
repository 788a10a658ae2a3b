"""``python -m tests.pins``: ask for known faults in the versions that ``constraints.txt`` pins.

By pip-audit, over the network. Faults that are found fail the check; a network that can't be
reached, or a service that doesn't know the pins, is said aloud and fails nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Self  # Any: what another program wrote as JSON

PINS: Final = Path(__file__).parents[1] / "constraints.txt"
PATIENCE: Final = timedelta(minutes=1)
ACCEPTED: Final[dict[str, str]] = {}
"""Faults that don't concern us, by their number, each with the reason."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of the pins; ``faults`` are lines to be read."""

    faults: tuple[str, ...] = ()
    looked_up: int = 0
    unknown: int = 0
    """Pins of which the service knows nothing."""
    silence: str = ""
    """Why nothing could be learnt; empty where something was."""

    @classmethod
    def of(cls, report: str, complaint: str) -> Self:
        """Read what pip-audit wrote: its report (JSON), or else why it has none."""
        try:
            dependencies: list[dict[str, Any]] = json.loads(report)["dependencies"]
        except (ValueError, LookupError, TypeError):
            lines = [line for line in complaint.splitlines() if line.strip()]
            return cls(silence=lines[-1][:200] if lines else "it said nothing")
        skipped = sum("skip_reason" in one for one in dependencies)
        faults = tuple(
            f"{one['name']} {one['version']}: {fault['id']}"
            + (f", mended in {', '.join(fault['fix_versions'])}" if fault["fix_versions"] else "")
            for one in dependencies
            for fault in one.get("vulns", ())
            if not {fault["id"], *fault.get("aliases", ())} & ACCEPTED.keys()
        )
        return cls(faults, len(dependencies) - skipped, skipped)

    @property
    def status(self) -> int:
        """The exit status: 1 if there are faults."""
        return 1 if self.faults else 0

    def lines(self) -> list[str]:
        """What is said of it."""
        if self.silence:
            return [f"SKIPPED aloud: the pins were not audited ({self.silence})."]
        said = [f"a known fault in {fault}" for fault in self.faults]
        if self.looked_up:
            said.append(f"{self.looked_up} pins audited: {len(self.faults)} known faults.")
        if self.unknown:
            said.append(
                f"SKIPPED aloud: {self.unknown} pins were not audited (the service that this "
                "machine reaches doesn't know their versions)."
            )
        return said


def main() -> int:
    """Audit the pins and say what came of it; return the exit status."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps"]
    command += ["-r", str(PINS), "--format", "json", "--progress-spinner", "off", "--timeout", "5"]
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE.total_seconds()
        )
        verdict = Verdict.of(ran.stdout, ran.stderr)
    except subprocess.TimeoutExpired:
        verdict = Verdict(silence=f"no answer within {PATIENCE.total_seconds():.0f} seconds")
    for line in verdict.lines():
        print(line)
    return verdict.status


if __name__ == "__main__":
    sys.exit(main())
