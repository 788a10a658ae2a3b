"""Deadlines: until when the player to act has time, one row for each running match with a clock.

A row says which turn it is about (the version at which that began), so that whoever finds it due
can see whether it still counts. What changes a row compares first: of two who would do the same
with it only one does.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Row, and_, case, func, literal, or_, select, type_coerce
from sqlalchemy.sql.elements import ColumnElement

from db.ids import MatchId, PersonId, ServerId
from db.rows import DeadlineRow, MatchStatus
from db.schema import deadlines, matches, seats
from db.session import Session
from db.types import microseconds


class Deadlines:
    """Deadlines, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, row: DeadlineRow) -> None:
        """Write a match's deadline in place of the one that it had."""
        await self._session.upsert(
            deadlines,
            {"match_id": row.match_id},
            {
                "seat": row.seat,
                "turn": row.turn,
                "began": row.began,
                "due": row.due,
                "remind_at": row.remind_at,
                "next_at": row.next_at,
                "stopped_at": row.stopped_at,
            },
        )

    async def drop(self, match_id: MatchId) -> None:
        """Forget a match's deadline."""
        await self._session.change(deadlines.delete().where(deadlines.c.match_id == match_id))

    async def get(self, match_id: MatchId) -> DeadlineRow | None:
        """Return a match's deadline, or None."""
        row = await self._session.first(select(deadlines).where(deadlines.c.match_id == match_id))
        return None if row is None else _deadline(row)

    async def of_person(self, person_id: PersonId) -> tuple[DeadlineRow, ...]:
        """Return the deadlines of the turns that are a person's, oldest match first."""
        rows = await self._session.rows(
            select(deadlines)
            .join(
                seats,
                and_(seats.c.match_id == deadlines.c.match_id, seats.c.seat == deadlines.c.seat),
            )
            .where(seats.c.person_id == person_id)
            .order_by(deadlines.c.match_id)
        )
        return tuple(map(_deadline, rows))

    async def stopped_on(self, server_id: ServerId) -> tuple[tuple[DeadlineRow, PersonId], ...]:
        """Return a server's deadlines that stand still, each with the player whose turn it is."""
        rows = await self._session.rows(
            select(deadlines, seats.c.person_id)
            .join(matches, matches.c.id == deadlines.c.match_id)
            .join(
                seats,
                and_(seats.c.match_id == deadlines.c.match_id, seats.c.seat == deadlines.c.seat),
            )
            .where(_runs_on(server_id), deadlines.c.stopped_at.is_not(None))
            .order_by(deadlines.c.match_id)
        )
        return tuple((_deadline(row), PersonId(row.person_id)) for row in rows)

    async def next(self) -> datetime | None:
        """Return when something is to be done next, or None."""
        row = await self._session.first(
            select(deadlines.c.next_at)
            .where(deadlines.c.next_at.is_not(None))
            .order_by(deadlines.c.next_at)
            .limit(1)
        )
        if row is None:
            return None
        moment: datetime = row.next_at
        return moment

    async def due(self, now: datetime, limit: int) -> tuple[DeadlineRow, ...]:
        """Return up to ``limit`` deadlines about which something is to be done, in that order."""
        rows = await self._session.rows(
            select(deadlines)
            .where(deadlines.c.next_at <= now)
            .order_by(deadlines.c.next_at, deadlines.c.match_id)
            .limit(limit)
        )
        return tuple(map(_deadline, rows))

    async def reminded(self, row: DeadlineRow) -> bool:
        """Note that a player is being reminded; False if somebody else did, or it has passed."""
        return await self._change(row, remind_at=None, next_at=row.due)

    async def told(self, row: DeadlineRow) -> bool:
        """Note that the time is up and nothing more will be done about it; False as above."""
        return await self._change(row, remind_at=None, next_at=None)

    async def stop(self, row: DeadlineRow, at: datetime, until: datetime) -> bool:
        """Let a deadline stand still from ``at``, to be looked at ``until``; False as above."""
        return await self._change(row, stopped_at=at, next_at=until)

    async def go_on(self, row: DeadlineRow, at: datetime) -> bool:
        """Let a deadline that stood still go on: it moves by that time. False as above.

        It never moves back, also where it stood still since later than ``at``.
        """
        if row.stopped_at is None:
            return False
        stood = max(timedelta(0), at - row.stopped_at)
        remind_at = None if row.remind_at is None else row.remind_at + stood
        return await self._change(
            row,
            due=row.due + stood,
            remind_at=remind_at,
            next_at=remind_at or row.due + stood,
            stopped_at=None,
        )

    async def give_back(
        self,
        since: datetime,
        now: datetime,
        server_id: ServerId | None = None,
        but: tuple[ServerId, ...] = (),
    ) -> tuple[tuple[MatchId, str], ...]:
        """Move the deadlines by the time in which nobody could act; return matches and clocks.

        With ``server_id`` only those of matches on that server, and none on the servers ``but``. A
        turn that began meanwhile gets what was left of that time. Those that stand still, and those
        of which everybody was told that the time is up, stay. Nothing moves where ``since`` is not
        before ``now``, as after a clock was put back.
        """
        if since >= now:
            return ()
        runs = and_(deadlines.c.stopped_at.is_(None), deadlines.c.next_at.is_not(None))
        if server_id is not None:
            here = select(matches.c.id).where(_runs_on(server_id))
            runs = and_(runs, deadlines.c.match_id.in_(here))
        if but:
            there = select(matches.c.id).where(or_(*map(_runs_on, but)))
            runs = and_(runs, deadlines.c.match_id.not_in(there))
        lost = _least(
            literal(microseconds(now) - microseconds(since), BigInteger),
            literal(microseconds(now), BigInteger) - _number(deadlines.c.began),
        )
        moved = await self._session.rows(
            select(deadlines.c.match_id, matches.c.clock)
            .join(matches, matches.c.id == deadlines.c.match_id)
            .where(runs, deadlines.c.began < now, matches.c.clock.is_not(None))
            .order_by(deadlines.c.match_id)
        )
        await self._session.change(
            deadlines.update()
            .where(runs, deadlines.c.began < now)
            .values(
                due=_number(deadlines.c.due) + lost,
                remind_at=_number(deadlines.c.remind_at) + lost,
                next_at=_number(deadlines.c.next_at) + lost,
            )
        )
        return tuple((MatchId(row.match_id), row.clock) for row in moved)

    async def clocks(self) -> tuple[str, ...]:
        """Return the clocks by which matches with a deadline are played, each once."""
        rows = await self._session.rows(
            select(matches.c.clock)
            .join(deadlines, deadlines.c.match_id == matches.c.id)
            .where(matches.c.clock.is_not(None))
            .distinct()
            .order_by(matches.c.clock)
        )
        return tuple(row.clock for row in rows)

    async def shorten(self, clock: str, turn: timedelta, now: datetime) -> tuple[MatchId, ...]:
        """Let each turn by this clock that would last longer end a whole ``turn`` from ``now`` on.

        Return their matches. Those that stand still, and those whose time is up, stay.
        """
        so_played = select(matches.c.id).where(matches.c.clock == clock)
        longer = (
            deadlines.c.stopped_at.is_(None),
            deadlines.c.next_at.is_not(None),
            deadlines.c.due > now + turn,
            deadlines.c.match_id.in_(so_played),
        )
        found = await self._session.rows(
            select(deadlines.c.match_id).where(*longer).order_by(deadlines.c.match_id)
        )
        due = literal(microseconds(now + turn), BigInteger)
        over = _number(deadlines.c.due) - due
        await self._session.change(
            deadlines.update()
            .where(*longer)
            .values(
                began=now,
                due=due,
                remind_at=_number(deadlines.c.remind_at) - over,
                next_at=_number(deadlines.c.next_at) - over,
            )
        )
        return tuple(MatchId(row.match_id) for row in found)

    async def put_back(self, now: datetime) -> None:
        """After a clock was put back: let no deadline stand still, or be over, since later.

        Each moves as a whole, so that a turn that stands still keeps what is left of its time. Nor
        were the players of an idle match asked later than now.
        """
        is_told = and_(deadlines.c.stopped_at.is_(None), deadlines.c.next_at.is_(None))
        for since, those in (
            (deadlines.c.stopped_at, deadlines.c.stopped_at > now),
            (deadlines.c.due, and_(is_told, deadlines.c.due > now)),
        ):
            over = _number(since) - literal(microseconds(now), BigInteger)
            times = ("began", "due", "remind_at", "next_at", "stopped_at")
            await self._session.change(
                deadlines.update()
                .where(those)
                .values({time: _number(deadlines.c[time]) - over for time in times})
            )
        await self._session.change(
            matches.update().where(matches.c.asked_at > now).values(asked_at=now)
        )

    async def missing(self) -> tuple[MatchId, ...]:
        """Return running matches with a clock that have no deadline, as after a repair."""
        rows = await self._session.rows(
            select(matches.c.id)
            .outerjoin(deadlines, deadlines.c.match_id == matches.c.id)
            .where(
                matches.c.status == MatchStatus.RUNNING.value,
                matches.c.clock.is_not(None),
                deadlines.c.match_id.is_(None),
            )
            .order_by(matches.c.id)
        )
        return tuple(MatchId(row.id) for row in rows)

    async def any(self) -> bool:
        """Whether any match has a deadline."""
        return await self._session.first(select(deadlines.c.match_id).limit(1)) is not None

    async def idle(self, before: datetime, limit: int, *, after: MatchId) -> tuple[MatchId, ...]:
        """Return running matches in which nothing happened since then and nobody was asked yet.

        In order, those above ``after``. Matches whose clock does something about it when a turn's
        time is up aren't among them.
        """
        rows = await self._session.rows(
            select(matches.c.id)
            .outerjoin(deadlines, deadlines.c.match_id == matches.c.id)
            .where(
                matches.c.status == MatchStatus.RUNNING.value,
                matches.c.id > after,
                matches.c.acted_at <= before,
                deadlines.c.next_at.is_(None),
                func.coalesce(_number(matches.c.asked_at), 0) < _number(matches.c.acted_at),
            )
            .order_by(matches.c.id)
            .limit(limit)
        )
        return tuple(MatchId(row.id) for row in rows)

    async def asked(self, match_id: MatchId, acted_at: datetime, at: datetime) -> bool:
        """Note that the players of an idle match are asked; False if somebody else did."""
        asked = await self._session.change(
            matches.update()
            .where(
                matches.c.id == match_id,
                matches.c.acted_at == acted_at,
                func.coalesce(_number(matches.c.asked_at), 0) < _number(matches.c.acted_at),
            )
            .values(asked_at=at)
        )
        return asked == 1

    async def _change(self, row: DeadlineRow, **values: object) -> bool:
        """Change a deadline that is still as it was read."""
        still = (
            deadlines.c.match_id == row.match_id,
            deadlines.c.turn == row.turn,
            deadlines.c.due == row.due,
            deadlines.c.next_at == row.next_at
            if row.next_at is not None
            else deadlines.c.next_at.is_(None),
            deadlines.c.stopped_at == row.stopped_at
            if row.stopped_at is not None
            else deadlines.c.stopped_at.is_(None),
        )
        return await self._session.change(deadlines.update().where(*still).values(**values)) == 1


def _runs_on(server_id: ServerId) -> ColumnElement[bool]:
    return and_(matches.c.server_id == server_id, matches.c.status == MatchStatus.RUNNING.value)


def _number(column: ColumnElement[Any]) -> ColumnElement[int]:
    """A moment as the whole number that it is kept as, to be counted with."""
    return type_coerce(column, BigInteger)


def _least(one: ColumnElement[int], other: ColumnElement[int]) -> ColumnElement[int]:
    """The smaller of two numbers, in words that both databases understand."""
    return case((one < other, one), else_=other)


# A row of Core has the types of its columns only at run time, hence Any.
def _deadline(row: Row[*tuple[Any, ...]]) -> DeadlineRow:
    return DeadlineRow(
        match_id=MatchId(row.match_id),
        seat=row.seat,
        turn=row.turn,
        began=row.began,
        due=row.due,
        remind_at=row.remind_at,
        next_at=row.next_at,
        stopped_at=row.stopped_at,
    )
