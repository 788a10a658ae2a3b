"""What time it is: asked through one function, so that a test can hand in a clock of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Now = Callable[[], datetime]
"""Tells the time; what it returns is aware."""


def utc_now() -> datetime:
    """The time by this machine."""
    return datetime.now(UTC)
