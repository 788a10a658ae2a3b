"""People: the name last heard, and whether direct messages reach them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import and_, select

from db.ids import ChannelId, PersonId
from db.rows import PersonRow
from db.schema import people
from db.session import Session


class People:
    """People, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def seen(self, person_id: PersonId, name: str, at: datetime) -> None:
        """Remember a person's name; what was heard earlier never replaces what was heard later."""
        await self._session.upsert(
            people,
            {"id": person_id},
            {"name": name, "seen_at": at},
            defaults={"dm_closed": False},
            unless=and_(people.c.seen_at.is_not(None), people.c.seen_at > at),
        )

    async def get_many(self, ids: Iterable[PersonId]) -> dict[PersonId, PersonRow]:
        """Return those people of whom anything is known."""
        rows = await self._session.rows(select(people).where(people.c.id.in_(set(ids))))
        return {
            PersonId(row.id): PersonRow(
                PersonId(row.id), row.name, row.dm_channel_id, row.dm_closed
            )
            for row in rows
        }

    async def set_dm(self, person_id: PersonId, channel_id: ChannelId | None, closed: bool) -> None:
        """Remember a person's direct-message channel, and whether it refuses our messages."""
        await self._session.upsert(
            people,
            {"id": person_id},
            {"dm_channel_id": channel_id, "dm_closed": closed},
            defaults={"name": ""},
        )
