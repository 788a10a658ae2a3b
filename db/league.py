"""The league table of a server: what everybody's results there come to, kept as it stands.

The lines follow from the results. Whoever changes results counts the lines of their people anew
in the same transaction; `check` and `rebuild` compare and write all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, Row, Select, cast, func, select, tuple_

from db.ids import PersonId, ServerId
from db.rows import Standing
from db.schema import people, results, standings
from db.session import Session


@dataclass(frozen=True, slots=True)
class LeaguePage:
    """A part of a league table."""

    lines: tuple[Standing, ...]
    own: Standing | None
    """The line of the one who asks, wherever it is."""
    people: int
    """How many the whole table lists."""


class League:
    """The league table, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def page(
        self, server_id: ServerId, limit: int, offset: int = 0, person_id: PersonId | None = None
    ) -> LeaguePage:
        """Return a part of a server's league table, best first, with one person's line.

        More matches won comes first, then more points (totals of all matches added up). People
        level in both share a rank, and the next rank counts them all (1, 2, 2, 4). Among those
        who share one, who has played fewer matches is listed first, then the lower id; so the
        order is the same at each look. Nobody is asked of Discord: who has left keeps his name.
        """
        rows = await self._session.rows(
            _lines()
            .where(standings.c.server_id == server_id)
            .order_by(
                standings.c.won.desc(),
                standings.c.points.desc(),
                standings.c.played,
                standings.c.person_id,
            )
            .limit(limit)
            .offset(offset)
        )
        lines: list[Standing] = []
        for place, row in enumerate(rows, offset + 1):
            above = lines[-1] if lines else None
            if above is not None and (above.won, above.points) == (row.won, row.points):
                place = above.rank
            elif above is None and offset:
                place = await self._rank(server_id, row)
            lines.append(_standing(row, place))
        own = None if person_id is None else await self.standing_of(server_id, person_id)
        return LeaguePage(tuple(lines), own, await self._count(server_id))

    async def standing_of(self, server_id: ServerId, person_id: PersonId) -> Standing | None:
        """Return one person's line of a server's league table, or None for who isn't in it."""
        row = await self._session.first(
            _lines().where(standings.c.person_id == person_id, standings.c.server_id == server_id)
        )
        return None if row is None else _standing(row, await self._rank(server_id, row))

    async def count(self, server_id: ServerId, person_ids: Iterable[PersonId]) -> None:
        """Count the lines of these people anew; belongs into what changed their results."""
        for person_id in sorted(person_ids):  # in one order, so that no two wait for each other
            key = {"person_id": person_id, "server_id": server_id}
            # The line is taken first: of two matches that end at once, the second counts both.
            await self._session.upsert(
                standings, key, key, defaults={"played": 0, "won": 0, "points": 0}
            )
            its = standings.c.person_id == person_id, standings.c.server_id == server_id
            counted = await self._session.first(
                _counted().where(results.c.person_id == person_id, results.c.server_id == server_id)
            )
            if counted is None:
                await self._session.change(standings.delete().where(*its))
            else:
                await self._session.change(
                    standings.update()
                    .where(*its)
                    .values(played=counted.played, won=counted.won, points=counted.points)
                )

    async def differences(self) -> tuple[tuple[ServerId, PersonId], ...]:
        """Return whose lines aren't what the results come to, in order. Walks through them all."""
        stored = select(*_columns())
        wrong = {
            (ServerId(row.server_id), PersonId(row.person_id))
            for one, other in ((_counted(), stored), (stored, _counted()))
            for row in await self._session.rows(select(one.except_(other).subquery()))
        }
        return tuple(sorted(wrong))

    async def _rank(self, server_id: ServerId, row: Row[*tuple[Any, ...]]) -> int:
        """Return which place a line has: one more than there are better ones."""
        better = tuple_(standings.c.won, standings.c.points) > tuple_(row.won, row.points)
        found = await self._session.first(
            select(func.count().label("better"))
            .select_from(standings)
            .where(standings.c.server_id == server_id, better)
        )
        return 1 if found is None else int(found.better) + 1

    async def _count(self, server_id: ServerId) -> int:
        found = await self._session.first(
            select(func.count().label("people"))
            .select_from(standings)
            .where(standings.c.server_id == server_id)
        )
        return 0 if found is None else int(found.people)


def _columns() -> tuple[Any, ...]:
    return (
        standings.c.person_id,
        standings.c.server_id,
        standings.c.played,
        standings.c.won,
        standings.c.points,
    )


# The statements of Core have the types of their columns only at run time, hence Any.
def _lines() -> Select[*tuple[Any, ...]]:
    """Lines of the table with names."""
    return select(*_columns(), func.coalesce(people.c.name, "").label("name")).outerjoin(
        people, people.c.id == standings.c.person_id
    )


def _counted() -> Select[*tuple[Any, ...]]:
    """What the results come to: a line for everybody on every server."""
    return select(
        results.c.person_id,
        results.c.server_id,
        func.count().label("played"),
        func.sum(cast(results.c.won, Integer)).label("won"),
        func.sum(results.c.total).label("points"),
    ).group_by(results.c.person_id, results.c.server_id)


def _standing(row: Row[*tuple[Any, ...]], rank: int) -> Standing:
    return Standing(
        rank=rank,
        person_id=PersonId(row.person_id),
        name=row.name,
        played=row.played,
        won=row.won,
        points=row.points,
    )
