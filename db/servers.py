"""Servers: the name last heard."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from db.ids import ServerId
from db.rows import ServerRow
from db.schema import servers
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

    async def get(self, server_id: ServerId) -> ServerRow | None:
        """Return a server, or None if it was never heard of."""
        row = await self._session.first(select(servers).where(servers.c.id == server_id))
        return None if row is None else ServerRow(ServerId(row.id), row.name, row.seen_at)
