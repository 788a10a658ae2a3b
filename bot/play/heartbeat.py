"""The heartbeat: when the bot was last known to be there, connected to Discord.

It is written while it serves and at an orderly end, but not while a connection is lost: until then
people could act. A start knows from it how much time is to be given back, and whether it was away
for so long that the channels are told.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from db.store import Transaction

FACT: Final = "awake"


async def note(tx: Transaction, now: datetime) -> None:
    """Write down that the bot is there now."""
    await tx.facts.put(FACT, now.isoformat())


async def last(tx: Transaction) -> datetime | None:
    """When it was last known to be there; None where that was never written down."""
    said = await tx.facts.get(FACT)
    return None if said is None else datetime.fromisoformat(said)
