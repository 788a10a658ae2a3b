"""Servers: the name last heard."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, func, select

from db.ids import PersonId, ServerId
from db.rows import ServerRow
from db.schema import results, seats, servers
from db.session import Session


class Servers:
    """Servers, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def seen(self, server_id: ServerId, name: str, at: datetime) -> None:
        """Remember a server's name; what was heard earlier never replaces what was heard later."""
        await self._session.upsert(
            servers,
            {"id": server_id},
            {"name": name, "seen_at": at},
            unless=servers.c.seen_at > at,
        )

    async def played_on(self, person_id: PersonId) -> tuple[ServerId, ...]:
        """Return the servers on which a person has a finished match, the newest first."""
        rows = await self._session.rows(
            select(results.c.server_id, func.max(results.c.match_id).label("newest"))
            .select_from(seats)
            .join(
                results,
                and_(results.c.match_id == seats.c.match_id, results.c.seat == seats.c.seat),
            )
            .where(seats.c.person_id == person_id)
            .group_by(results.c.server_id)
            .order_by(func.max(results.c.match_id).desc())
        )
        return tuple(ServerId(row.server_id) for row in rows)

    async def get(self, server_id: ServerId) -> ServerRow | None:
        """Return a server, or None if it was never heard of."""
        row = await self._session.first(select(servers).where(servers.c.id == server_id))
        return None if row is None else ServerRow(ServerId(row.id), row.name, row.seen_at)
