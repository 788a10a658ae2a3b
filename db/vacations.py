"""Vacations: when a person's correspondence clocks stand still."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select

from db.ids import PersonId
from db.rows import VacationRow
from db.schema import vacations
from db.session import Session


class Vacations:
    """Vacations, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def since(self, person_id: PersonId, moment: datetime) -> tuple[VacationRow, ...]:
        """Return a person's vacations that ended, or will end, after a moment; oldest first."""
        rows = await self._session.rows(
            select(vacations)
            .where(vacations.c.person_id == person_id, vacations.c.ends > moment)
            .order_by(vacations.c.began)
        )
        return tuple(VacationRow(PersonId(row.person_id), row.began, row.ends) for row in rows)

    async def until(self, person_id: PersonId, now: datetime) -> datetime | None:
        """Return when the vacation ends that a person is on; None if he is on none."""
        row = await self._session.first(
            select(vacations.c.ends)
            .where(
                vacations.c.person_id == person_id,
                vacations.c.began <= now,
                vacations.c.ends > now,
            )
            .order_by(vacations.c.ends.desc())
            .limit(1)
        )
        if row is None:
            return None
        ends: datetime = row.ends
        return ends

    async def begin(self, row: VacationRow) -> None:
        """Write down a vacation."""
        await self._session.upsert(
            vacations, {"person_id": row.person_id, "began": row.began}, {"ends": row.ends}
        )

    async def end(self, person_id: PersonId, now: datetime) -> bool:
        """Let the vacation end that a person is on; False if he is on none."""
        ended = await self._session.change(
            vacations.update()
            .where(
                vacations.c.person_id == person_id,
                vacations.c.began <= now,
                vacations.c.ends > now,
            )
            .values(ends=now)
        )
        return ended > 0

    async def put_back(self, now: datetime) -> None:
        """After a clock was put back: let no vacation have begun later than now.

        A person's move together, and each keeps its length: the last of them begins now.
        """
        rows = await self._session.rows(
            select(vacations)
            .where(vacations.c.began > now)
            .order_by(vacations.c.person_id, vacations.c.began.desc())
        )
        await self._session.change(vacations.delete().where(vacations.c.began > now))
        over: dict[int, timedelta] = {}
        for row in rows:
            by = over.setdefault(row.person_id, row.began - now)
            await self.begin(VacationRow(PersonId(row.person_id), row.began - by, row.ends - by))

    async def forget(self, before: datetime) -> int:
        """Forget vacations that ended before then; return how many."""
        return await self._session.change(vacations.delete().where(vacations.c.ends < before))
