"""The room for each test; afterwards everything that was sent is checked against Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import structlog

import bot.front.serving
from playground.server import Playground
from tests.accepted import refused_by_discord
from tests.e2e.room import Room, rigged

# Pretty tracebacks with everybody's variables take seconds, in which nobody is answered.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A running bot on a playground of its own, with a database file of its own."""
    async with Playground() as playground:
        made = Room(playground, tmp_path / "ginhouse.db", rigged(monkeypatch))
        await made.start()
        try:
            yield made
        finally:
            await made.stop()
            assert refused_by_discord(playground.sent) == []


@pytest.fixture
def unhurried(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is said, not of how soon: a busy machine makes no difference to them.

    People act without a pause here, so Discord's limits would only make such tests slow; and an
    answer that takes long is waited for, not put off.
    """
    room.playground.rates.enabled = False
    room.world.limits.answer_seconds = 60
    for patience in ("ANSWER_WITHIN", "OPEN_FORM_WITHIN"):  # the second bounds the first
        monkeypatch.setattr(bot.front.serving, patience, timedelta(seconds=30))
