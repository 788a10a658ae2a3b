"""Places that tables have lost, and servers that the bot was removed from."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import select

from db.ids import ChannelId, MatchId, PersonId, ServerId
from db.rows import Loss, LostPlace, MatchStatus
from db.schema import absences, lost_places, matches, seats
from db.session import Session


class LostPlaces:
    """Lost places, within one transaction; at most one a match."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def of_match(self, match_id: MatchId) -> LostPlace | None:
        """Return the place that a match's table has lost, or None."""
        found = await self._find(match_id)
        return found[0] if found else None

    async def all(self) -> tuple[LostPlace, ...]:
        """Return every lost place, oldest match first."""
        return await self._find(None)

    async def put(self, match_id: MatchId, channel_id: ChannelId, why: Loss, at: datetime) -> None:
        """Note that a table has lost its place, and that nobody knows yet."""
        await self._session.upsert(
            lost_places,
            {"match_id": match_id},
            {"channel_id": channel_id, "why": why.value, "told": 0, "at": at},
        )

    async def told(self, match_id: MatchId, told: Collection[int]) -> None:
        """Note the seats of all who know."""
        bits = sum(1 << seat for seat in set(told))
        await self._session.change(
            lost_places.update().where(lost_places.c.match_id == match_id).values(told=bits)
        )

    async def forget(self, match_id: MatchId) -> None:
        """Forget that a table had lost its place."""
        await self._session.change(lost_places.delete().where(lost_places.c.match_id == match_id))

    async def parked(self, person_id: PersonId, server_id: ServerId) -> int:
        """Return how many of a person's running matches on a server have no place at all."""
        rows = await self._session.rows(
            select(lost_places.c.match_id)
            .join(matches, matches.c.id == lost_places.c.match_id)
            .join(seats, seats.c.match_id == lost_places.c.match_id)
            .where(
                lost_places.c.why == Loss.GONE.value,
                matches.c.status == MatchStatus.RUNNING.value,
                matches.c.server_id == server_id,
                seats.c.person_id == person_id,
            )
        )
        return len(rows)

    async def _find(self, match_id: MatchId | None) -> tuple[LostPlace, ...]:
        query = select(lost_places).order_by(lost_places.c.match_id)
        if match_id is not None:
            query = query.where(lost_places.c.match_id == match_id)
        rows = await self._session.rows(query)
        return tuple(
            LostPlace(
                match_id=MatchId(row.match_id),
                channel_id=ChannelId(row.channel_id),
                why=Loss(row.why),
                told=frozenset(seat for seat in range(8) if row.told >> seat & 1),
                at=row.at,
            )
            for row in rows
        )


class Absences:
    """Servers that the bot was removed from, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def begin(self, server_id: ServerId, at: datetime) -> None:
        """Note that the bot isn't on a server from now on; an absence that is known stays."""
        if server_id not in await self.all():
            await self._session.upsert(absences, {"server_id": server_id}, {"since": at})

    async def end(self, server_id: ServerId) -> datetime | None:
        """Note that it is back; return since when it was away, or None if it wasn't."""
        since = (await self.all()).get(server_id)
        await self._session.change(absences.delete().where(absences.c.server_id == server_id))
        return since

    async def put_back(self, now: datetime) -> None:
        """After a clock was put back: let no absence have begun later than now."""
        later = absences.c.since > now
        await self._session.change(absences.update().where(later).values(since=now))

    async def all(self) -> dict[ServerId, datetime]:
        """Return the servers on which the bot isn't, and since when."""
        rows = await self._session.rows(select(absences))
        return {ServerId(row.server_id): row.since for row in rows}
