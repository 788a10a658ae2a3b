"""Awake: when the bot was last known to run, so that a start knows how long it was away."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

NOTED_EVERY: Final = timedelta(minutes=1)
FACT: Final = "awake"


async def note(store: Store) -> None:
    """Write down that the bot runs now."""
    async with store.transaction() as tx:
        await tx.facts.put(FACT, datetime.now(UTC).isoformat())


async def last(store: Store) -> datetime | None:
    """When it was last known to run; None where that was never written down."""
    async with store.reading() as tx:
        said = await tx.facts.get(FACT)
    return None if said is None else datetime.fromisoformat(said)


async def watch(store: Store) -> None:
    """Write it down once a minute; runs as long as the bot does."""
    while True:
        try:
            await note(store)
        except Exception:  # a database that fails now may be there the next time
            log.exception("not noted that the bot runs")
        await asyncio.sleep(NOTED_EVERY.total_seconds())
