"""What time it is, the bot asks the clock that it was handed, and no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

OTHERS = {
    "datetime.now": "from datetime import UTC, datetime\n\nnow = datetime.now(UTC)\n",
    "module": "import datetime\n\nnow = datetime.datetime.now(datetime.UTC)\n",
    "time": "import time\n\nnow = time.time()\n",
    "nanoseconds": "from time import time_ns\n\nnow = time_ns()\n",
    "discord": "from discord.utils import utcnow\n\nnow = utcnow()\n",
    "machine": "from bot.now import utc_now\n\nnow = utc_now()\n",
}


def complaints(code: str, file: str) -> list[str]:
    """The rules by which the linter refuses this as a file of the bot."""
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "ruff", "check", "--select", "TID251", "--no-cache"),
            *("--output-format", "concise", "--stdin-filename", file, "-"),
        ],
        cwd=ROOT,
        input=code,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return [line.split()[1] for line in ran.stdout.splitlines() if line.startswith(file)]


@pytest.mark.parametrize("code", OTHERS.values(), ids=OTHERS.keys())
def test_who_asks_another_clock_is_refused_by_the_linter(code: str) -> None:
    assert set(complaints(code, "bot/desk/late.py")) == {"TID251"}


def test_how_long_something_took_may_be_asked_of_a_clock_that_knows_no_time_of_day() -> None:
    code = "import time\n\nbegan = time.monotonic()\n"
    assert complaints(code, "bot/desk/late.py") == []


def test_the_linter_is_asked_for_that_in_every_run() -> None:
    """The rule is switched on in the settings, not by this test alone."""
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-settings", "bot/house.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    enabled = ran.stdout.split("linter.rules.enabled = [")[1].split("]")[0]
    assert "(TID251)" in enabled
