"""The league table of a server, counted from the results of its finished matches."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CTE, ColumnElement, Integer, Row, Select, cast, func, select

from db.ids import PersonId, ServerId
from db.rows import Standing
from db.schema import people, results
from db.session import Session


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
        table = _table(server_id)
        order = _order(table)
        page = (
            select(table, func.rank().over(order_by=order).label("place"))
            .order_by(*order, table.c.played, table.c.person_id)
            .limit(limit)
            .offset(offset)
            .cte("page")
        )
        rows = await self._session.rows(
            _named(page).order_by(page.c.place, page.c.played, page.c.person_id)
        )
        return tuple(_standing(row) for row in rows)

    async def standing_of(self, server_id: ServerId, person_id: PersonId) -> Standing | None:
        """Return one person's line of a server's league table, or None for who isn't in it."""
        table = _table(server_id)
        ranked = select(table, func.rank().over(order_by=_order(table)).label("place")).cte(
            "ranked"
        )
        row = await self._session.first(_named(ranked).where(ranked.c.person_id == person_id))
        return None if row is None else _standing(row)

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


# The columns of Core have no types of their own before they are read, hence Any.
def _order(table: CTE) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    return table.c.won.desc(), table.c.points.desc()


def _named(lines: CTE) -> Select[Any]:
    return select(lines, func.coalesce(people.c.name, "").label("name")).outerjoin(
        people, people.c.id == lines.c.person_id
    )


def _standing(row: Row[Any]) -> Standing:
    return Standing(
        rank=row.place,
        person_id=PersonId(row.person_id),
        name=row.name,
        played=row.played,
        won=int(row.won),
        points=int(row.points),
    )
