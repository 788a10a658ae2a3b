"""Wishes: how a person wants things, and whom he doesn't want to play with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from db.ids import PersonId
from db.rows import Wishes
from db.schema import blocks, wishes
from db.session import Session


class WishList:
    """Wishes and blocks of people, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def of(self, person_id: PersonId) -> Wishes:
        """Return how a person wants things."""
        row = await self._session.first(select(wishes).where(wishes.c.person_id == person_id))
        return Wishes() if row is None else Wishes(row.calls, row.four_colours)

    async def put(self, person_id: PersonId, wanted: Wishes) -> None:
        """Remember how a person wants things."""
        await self._session.upsert(
            wishes,
            {"person_id": person_id},
            {"calls": wanted.calls, "four_colours": wanted.four_colours},
        )

    async def blocked_by(self, person_id: PersonId) -> tuple[PersonId, ...]:
        """Return whom a person has blocked, in the order in which he did."""
        rows = await self._session.rows(
            select(blocks.c.blocked_id)
            .where(blocks.c.person_id == person_id)
            .order_by(blocks.c.at, blocks.c.blocked_id)
        )
        return tuple(PersonId(row.blocked_id) for row in rows)

    async def among(self, people: Sequence[PersonId]) -> tuple[tuple[PersonId, PersonId], ...]:
        """Return who of these people has blocked whom of them."""
        rows = await self._session.rows(
            select(blocks.c.person_id, blocks.c.blocked_id)
            .where(blocks.c.person_id.in_(people), blocks.c.blocked_id.in_(people))
            .order_by(blocks.c.person_id, blocks.c.blocked_id)
        )
        return tuple((PersonId(row.person_id), PersonId(row.blocked_id)) for row in rows)

    async def block(self, person_id: PersonId, blocked_id: PersonId, at: datetime) -> None:
        """Note that a person doesn't want to play with another."""
        await self._session.upsert(
            blocks, {"person_id": person_id, "blocked_id": blocked_id}, {"at": at}
        )

    async def unblock(self, person_id: PersonId, blocked_id: PersonId) -> None:
        """Forget that a person didn't want to play with another."""
        await self._session.change(
            blocks.delete().where(
                blocks.c.person_id == person_id, blocks.c.blocked_id == blocked_id
            )
        )
