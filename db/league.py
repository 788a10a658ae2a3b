"""The league table of a server, counted from the results of its finished matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import CTE, Integer, Row, cast, func, or_, select

from db.ids import PersonId, ServerId
from db.rows import Standing
from db.schema import people, results
from db.session import Session


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """A part of a league table."""

    lines: tuple[Standing, ...]
    own: Standing | None
    """The line of the one who asks, wherever it is."""
    people: int | None
    """How many the whole table lists; None for a part beyond its end."""


class League:
    """The league table, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def standings(
        self, server_id: ServerId, limit: int, offset: int = 0
    ) -> tuple[Standing, ...]:
        """Return a part of a server's league table, best first.

        More matches won comes first, then more points (totals of all matches added up). People
        level in both share a rank, and the next rank counts them all (1, 2, 2, 4). Among those
        who share one, who has played fewer matches is listed first, then the lower id; so the
        order is the same at each look. Nobody is asked of Discord: who has left keeps his name.
        """
        return (await self.page(server_id, limit, offset)).lines

    async def standing_of(self, server_id: ServerId, person_id: PersonId) -> Standing | None:
        """Return one person's line of a server's league table, or None for who isn't in it."""
        return (await self.page(server_id, 0, 0, person_id)).own

    async def page(
        self, server_id: ServerId, limit: int, offset: int = 0, person_id: PersonId | None = None
    ) -> LeaguePage:
        """Return a part of a server's league table with one person's line and their number.

        All in one walk through the results, for that is what takes time where a million hands
        were played.
        """
        table = _table(server_id)
        order = (table.c.won.desc(), table.c.points.desc())
        ranked = select(
            table,
            func.rank().over(order_by=order).label("place"),
            func.row_number()
            .over(order_by=(*order, table.c.played, table.c.person_id))
            .label("line"),
            func.count().over().label("people"),
        ).cte("ranked")
        rows = await self._session.rows(
            select(ranked, func.coalesce(people.c.name, "").label("name"))
            .outerjoin(people, people.c.id == ranked.c.person_id)
            .where(
                or_(
                    ranked.c.line.between(offset + 1, offset + limit),
                    ranked.c.person_id == person_id,
                )
            )
            .order_by(ranked.c.line)
        )
        return LeaguePage(
            tuple(_standing(row) for row in rows if offset < row.line <= offset + limit),
            next((_standing(row) for row in rows if row.person_id == person_id), None),
            rows[0].people if rows else None,
        )

    async def count(self, server_id: ServerId) -> int:
        """Return how many people a server's league table lists."""
        row = await self._session.first(
            select(func.count(results.c.person_id.distinct()).label("people")).where(
                results.c.server_id == server_id
            )
        )
        return 0 if row is None else int(row.people)


def _table(server_id: ServerId) -> CTE:
    """A line for everybody who has finished a match on a server."""
    return (
        select(
            results.c.person_id,
            func.count().label("played"),
            func.sum(cast(results.c.won, Integer)).label("won"),
            func.sum(results.c.total).label("points"),
        )
        .where(results.c.server_id == server_id)
        .group_by(results.c.person_id)
        .cte("league")
    )


# A row of Core has the types of its columns only at run time, hence Any.
def _standing(row: Row[Any]) -> Standing:
    return Standing(
        rank=row.place,
        person_id=PersonId(row.person_id),
        name=row.name,
        played=row.played,
        won=int(row.won),
        points=int(row.points),
    )
