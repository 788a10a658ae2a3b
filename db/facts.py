"""Single facts by name that the bot remembers, such as which commands are registered."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select

from db.schema import facts
from db.session import Session

HOUSE: Final = "house"
"""The fact that tells this database from others of its name."""
GENERATION: Final = "generation"
"""The fact that tells its controls from those of before it was put back; none: it never was."""


class Facts:
    """Facts, within one transaction. Names are at most 100 characters."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, name: str) -> str | None:
        """Return a fact, or None if it was never put."""
        row = await self._session.first(select(facts.c.value).where(facts.c.name == name))
        return None if row is None else str(row.value)

    async def generation(self) -> int:
        """Return the number that a control of a match carries since the last restore; 0: none."""
        return int(await self.get(GENERATION) or 0)

    async def put(self, name: str, value: str) -> None:
        """Remember a fact in place of the one of that name."""
        await self._session.upsert(facts, {"name": name}, {"value": value})
