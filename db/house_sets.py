"""House sets: a server's named house rules, one of which may be its default."""

from __future__ import annotations

from sqlalchemy import select

from db.ids import ServerId
from db.rows import HouseSetRow
from db.schema import house_sets
from db.session import Session


class HouseSets:
    """House sets, within one transaction. Names are at most 32 characters."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def all_of(self, server_id: ServerId) -> tuple[HouseSetRow, ...]:
        """Return a server's sets by name."""
        rows = await self._session.rows(
            select(house_sets)
            .where(house_sets.c.server_id == server_id)
            .order_by(house_sets.c.name)
        )
        return tuple(
            HouseSetRow(
                ServerId(row.server_id),
                row.name,
                row.rules,
                row.is_default,
                row.changed_by,
                row.changed_at,
                row.clock,
            )
            for row in rows
        )

    async def save(self, row: HouseSetRow) -> None:
        """Write a set, in place of the one of that name; a default takes it from the others."""
        if row.is_default:
            await self.no_default(row.server_id)
        await self._session.upsert(
            house_sets,
            {"server_id": row.server_id, "name": row.name},
            {
                "rules": row.rules,
                "is_default": row.is_default,
                "changed_by": row.changed_by,
                "changed_at": row.changed_at,
                "clock": row.clock,
            },
        )

    async def no_default(self, server_id: ServerId) -> None:
        """Let the plain game be the server's default."""
        await self._session.change(
            house_sets.update().where(house_sets.c.server_id == server_id).values(is_default=False)
        )

    async def drop(self, server_id: ServerId, name: str) -> bool:
        """Forget a set; False if there was none of that name."""
        return bool(
            await self._session.change(
                house_sets.delete().where(
                    house_sets.c.server_id == server_id, house_sets.c.name == name
                )
            )
        )
