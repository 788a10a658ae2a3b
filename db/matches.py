"""Matches and their logs: the log of actions is the truth, everything else follows from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, exists, func, or_, select

from db.errors import AlreadyDone, MatchEnded, NoSuchMatch, StaleVersion
from db.ids import ChannelId, InteractionId, MatchId, PersonId, ServerId
from db.league import League
from db.packing import Packing
from db.rows import LogEntry, MatchRow, MatchStatus, NewEntry, NewMatch, SeatResult
from db.schema import entries as log_table
from db.schema import matches, seats
from db.schema import results as result_table
from db.session import Session

_RUNNING = matches.c.status == MatchStatus.RUNNING

# What every act needs is written out once: to build a statement takes longer than to execute it.
_HEAD = select(matches.c.head).where(matches.c.id == bindparam("its_id"))
_ONE = (
    select(matches, seats.c.person_id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(matches.c.id == bindparam("its_id"))
    .order_by(seats.c.seat)
)
_TAKE = (
    matches.update()
    .where(matches.c.id == bindparam("its_id"), matches.c.head == bindparam("its_head"), _RUNNING)
    .values(head=bindparam("new_head"), acted_at=bindparam("now"))
)
_TAKE_ONCE = _TAKE.where(
    ~exists().where(log_table.c.interaction_id.in_(bindparam("its_acts", expanding=True)))
)
_ADD = log_table.insert()


class Matches:
    """Matches, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(self, new: NewMatch) -> MatchId:
        """Create a running match with an empty log, and return its id."""
        if len(set(new.people)) != len(new.people) or not new.people:
            raise ValueError(f"a match needs different people in its seats: {new.people}")
        match_id = MatchId(
            await self._session.insert(
                matches,
                {
                    "server_id": new.server_id,
                    "channel_id": new.channel_id,
                    "thread_id": new.thread_id,
                    "rules": new.rules,
                    "status": MatchStatus.RUNNING.value,
                    "head": 0,
                    "created_at": new.created_at,
                    "acted_at": new.created_at,
                    "challenge_id": new.challenge_id,
                    "rematch_of": new.rematch_of,
                    "house": new.house,
                    "clock": new.clock,
                },
            )
        )
        await self._session.change(
            seats.insert(),
            [
                {"match_id": match_id, "seat": seat, "person_id": person}
                for seat, person in enumerate(new.people)
            ],
        )
        return match_id

    async def get(self, match_id: MatchId) -> MatchRow | None:
        """Return a match, or None."""
        rows = await self._session.rows(_ONE, {"its_id": match_id})
        return _match(rows) if rows else None

    async def head(self, match_id: MatchId) -> int | None:
        """Return how many entries the match's log has, or None if there is no such match."""
        row = await self._session.first(_HEAD, {"its_id": match_id})
        return None if row is None else int(row.head)

    async def append(
        self,
        match_id: MatchId,
        expected_head: int,
        entries: Sequence[NewEntry],
        at: datetime,
    ) -> int:
        """Add entries to the log of a running match and return its new head.

        Raises `AlreadyDone` if the interaction of one of them was accepted before (whatever the
        version), `StaleVersion` if the log's head isn't ``expected_head``, `MatchEnded`,
        `NoSuchMatch`. After any of these the transaction has written nothing of this call.
        """
        if not entries:
            raise ValueError("nothing to add to the log")
        head = expected_head + len(entries)
        interactions = [e.interaction_id for e in entries if e.interaction_id is not None]
        about = {"its_id": match_id, "its_head": expected_head, "new_head": head, "now": at}
        if interactions:
            taken = await self._session.change(_TAKE_ONCE, {**about, "its_acts": interactions})
        else:
            taken = await self._session.change(_TAKE, about)
        if taken != 1:
            raise await self._refusal(match_id, expected_head, interactions)
        rows = [
            {
                "match_id": match_id,
                "seq": seq,
                "text": entry.text,
                "seat": entry.seat,
                "actor": entry.actor,
                "interaction_id": entry.interaction_id,
                "at": at,
            }
            for seq, entry in enumerate(entries, expected_head + 1)
        ]
        await self._session.change(_ADD, rows if len(rows) > 1 else rows[0])
        return head

    async def log(self, match_id: MatchId, after: int = 0) -> tuple[LogEntry, ...]:
        """Return the entries of a match's log that come after entry ``after``, in order.

        Packed or not; raises `DamagedLog` for a packed one that can't be read.
        """
        packing = Packing(self._session)
        loose = await packing.loose(match_id, after)
        if loose and loose[0].seq == after + 1:
            return loose
        packed = await packing.log(match_id)
        return tuple(entry for entry in packed if entry.seq > after) + loose

    async def of_interaction(self, interaction_id: InteractionId) -> tuple[MatchId, int] | None:
        """Return the match and the entry that an interaction became, or None.

        Of a log that is packed nothing is known any more (see `db.packing`).
        """
        row = await self._session.first(
            select(log_table.c.match_id, log_table.c.seq).where(
                log_table.c.interaction_id == interaction_id
            )
        )
        return None if row is None else (MatchId(row.match_id), row.seq)

    async def finish(
        self,
        match_id: MatchId,
        status: MatchStatus,
        at: datetime,
        results: Sequence[SeatResult] = (),
    ) -> None:
        """End a running match and, if it counts, write its results for the league table.

        Belongs into the transaction that adds the finishing entries, after them. Raises
        `MatchEnded` if it isn't running any more, `NoSuchMatch`.
        """
        if (status is MatchStatus.FINISHED) != bool(results) or status is MatchStatus.RUNNING:
            raise ValueError(f"a match has results exactly if it is finished: {status}, {results}")
        ended = await self._session.change(
            matches.update()
            .where(matches.c.id == match_id, _RUNNING)
            .values(status=status.value, ended_at=at)
        )
        row = await self._session.first(select(matches.c.server_id).where(matches.c.id == match_id))
        if row is None:
            raise NoSuchMatch(match_id)
        if ended != 1:
            raise MatchEnded(match_id)
        await self._put_results(match_id, row.server_id, results)

    async def void(self, match_id: MatchId) -> bool:
        """Take a finished match out of the league table; False if it isn't finished.

        The log stays, and with it everything that the results can be derived from again.
        """
        voided = await self._session.change(
            matches.update()
            .where(matches.c.id == match_id, matches.c.status == MatchStatus.FINISHED)
            .values(status=MatchStatus.VOID.value)
        )
        if voided == 1:
            row = await self._session.first(
                select(matches.c.server_id).where(matches.c.id == match_id)
            )
            assert row is not None  # noqa: S101 - it was changed just now
            await self._put_results(match_id, row.server_id, ())
        return voided == 1

    async def results(self, match_id: MatchId) -> tuple[SeatResult, ...]:
        """Return the results of a match by seat; none unless it is finished."""
        rows = await self._session.rows(
            select(result_table)
            .where(result_table.c.match_id == match_id)
            .order_by(result_table.c.seat)
        )
        return tuple(
            SeatResult(
                row.seat,
                row.person_id,
                row.place,
                row.points,
                row.total,
                row.hands_won,
                row.hands_played,
                row.won,
            )
            for row in rows
        )

    async def ids(self, after: MatchId, limit: int) -> tuple[MatchId, ...]:
        """Return the ids of all matches above one, in order, at most ``limit``."""
        rows = await self._session.rows(
            select(matches.c.id).where(matches.c.id > after).order_by(matches.c.id).limit(limit)
        )
        return tuple(MatchId(row.id) for row in rows)

    async def derive(
        self,
        match_id: MatchId,
        head: int,
        status: MatchStatus,
        ended_at: datetime | None,
        results: Sequence[SeatResult],
    ) -> None:
        """Write what follows from a match's log in place of what stands there."""
        row = await self._session.first(select(matches.c.server_id).where(matches.c.id == match_id))
        if row is None:
            raise NoSuchMatch(match_id)
        await self._session.change(
            matches.update()
            .where(matches.c.id == match_id)
            .values(head=head, status=status.value, ended_at=ended_at)
        )
        await self._put_results(match_id, row.server_id, results)

    async def _put_results(
        self, match_id: MatchId, server_id: ServerId, results: Sequence[SeatResult]
    ) -> None:
        """Write a match's results in place of those that stand there, and count whom they touch."""
        its = result_table.c.match_id == match_id
        before = await self._session.rows(select(result_table.c.person_id).where(its))
        if before:
            await self._session.change(result_table.delete().where(its))
        if results:
            await self._session.change(
                result_table.insert(), [_result(match_id, server_id, line) for line in results]
            )
        touched = {PersonId(row.person_id) for row in before}
        touched.update(line.person_id for line in results)
        await League(self._session).count(server_id, touched)

    async def running_of(
        self, person_id: PersonId, server_id: ServerId | None = None
    ) -> tuple[MatchRow, ...]:
        """Return the running matches in which a person has a seat, oldest first."""
        return await self._find(
            _has_seat(person_id),
            _RUNNING,
            *([] if server_id is None else [matches.c.server_id == server_id]),
        )

    async def running_in(self, channel_id: ChannelId) -> tuple[MatchRow, ...]:
        """Return the running matches of a channel or thread, oldest first.

        For a channel that includes those whose table has a thread of its own.
        """
        return await self._find(_stands_in(channel_id), _RUNNING, matches.c.ended_at.is_(None))

    async def newest_on(
        self, server_id: ServerId, statuses: Sequence[MatchStatus], limit: int, offset: int = 0
    ) -> tuple[MatchRow, ...]:
        """Return a server's matches of these statuses, at most ``limit``, the newest first."""
        newest = (
            select(matches.c.id)
            .where(*_on(server_id, statuses))
            .order_by(matches.c.id.desc())
            .limit(limit)
            .offset(offset)
        )
        return (await self._find(matches.c.id.in_(newest)))[::-1]

    async def count_on(self, server_id: ServerId, statuses: Sequence[MatchStatus]) -> int:
        """Return how many matches of these statuses a server has."""
        row = await self._session.first(
            select(func.count().label("matches"))
            .select_from(matches)
            .where(*_on(server_id, statuses))
        )
        return 0 if row is None else int(row.matches)

    async def running_ids(self) -> tuple[MatchId, ...]:
        """Return the ids of all running matches, oldest first."""
        rows = await self._session.rows(select(matches.c.id).where(_RUNNING).order_by(matches.c.id))
        return tuple(MatchId(row.id) for row in rows)

    async def count_running(self) -> int:
        """Return how many matches run."""
        row = await self._session.first(
            select(func.count().label("matches")).select_from(matches).where(_RUNNING)
        )
        return 0 if row is None else int(row.matches)

    async def running_on(self, server_id: ServerId) -> tuple[MatchRow, ...]:
        """Return the running matches of a server, oldest first."""
        return await self._find(matches.c.server_id == server_id, _RUNNING)

    async def of_server(self, server_id: ServerId, some: Collection[MatchId]) -> frozenset[MatchId]:
        """Return those of some matches, a thousand at most, that are of this server."""
        rows = await self._session.rows(
            select(matches.c.id).where(matches.c.server_id == server_id, matches.c.id.in_(some))
        )
        return frozenset(MatchId(row.id) for row in rows)

    async def servers_in_play(self) -> tuple[ServerId, ...]:
        """Return the servers that have a running match."""
        rows = await self._session.rows(select(matches.c.server_id).where(_RUNNING).distinct())
        return tuple(ServerId(row.server_id) for row in rows)

    async def latest_of(
        self, person_id: PersonId, channel_id: ChannelId | None = None
    ) -> MatchRow | None:
        """Return the match of a person in which something happened last, ended ones included."""
        where = [_has_seat(person_id)]
        if channel_id is not None:
            # A sum has no index: a channel may have seen a thousand times as many as a person.
            where.append(
                or_(matches.c.channel_id + 0 == channel_id, matches.c.thread_id + 0 == channel_id)
            )
        latest = (
            select(matches.c.id)
            .where(*where)
            .order_by(matches.c.acted_at.desc(), matches.c.id.desc())
            .limit(1)
        )
        found = await self._find(matches.c.id == latest.scalar_subquery())
        return found[0] if found else None

    async def latest_ended_in(self, channel_id: ChannelId) -> MatchRow | None:
        """Return the match of a channel or thread that ended last, or None."""
        ends = []
        for place in (matches.c.channel_id, matches.c.thread_id):  # an index each
            row = await self._session.first(
                select(matches.c.ended_at, matches.c.id)
                .where(place == channel_id, matches.c.ended_at.is_not(None))
                .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
                .limit(1)
            )
            if row is not None:
                ends.append((row.ended_at, MatchId(row.id)))
        return await self.get(max(ends)[1]) if ends else None

    async def set_thread(self, match_id: MatchId, thread_id: ChannelId | None) -> None:
        """Say in which thread the table stands; None: in the channel itself."""
        await self._session.change(
            matches.update().where(matches.c.id == match_id).values(thread_id=thread_id)
        )

    async def set_channel(self, match_id: MatchId, channel_id: ChannelId) -> None:
        """Move a match to another channel of its server."""
        await self._session.change(
            matches.update().where(matches.c.id == match_id).values(channel_id=channel_id)
        )

    async def _find(self, *where: ColumnElement[bool]) -> tuple[MatchRow, ...]:
        rows = await self._session.rows(
            select(matches, seats.c.person_id)
            .join(seats, seats.c.match_id == matches.c.id)
            .where(*where)
            .order_by(matches.c.id, seats.c.seat)
        )
        return tuple(_match(group) for _, group in groupby(rows, key=lambda row: row.id))

    async def _refusal(
        self, match_id: MatchId, expected_head: int, interactions: Sequence[InteractionId]
    ) -> Exception:
        """Say why nothing could be added; a repeated delivery comes before a stale version."""
        for interaction in interactions:
            done = await self.of_interaction(interaction)
            if done is not None:
                return AlreadyDone(*done)
        row = await self._session.first(
            select(matches.c.head, matches.c.status).where(matches.c.id == match_id)
        )
        if row is None:
            return NoSuchMatch(match_id)
        return StaleVersion(row.head) if row.head != expected_head else MatchEnded(match_id)


def _on(
    server_id: ServerId, statuses: Sequence[MatchStatus]
) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    wanted = [status.value for status in statuses]
    return matches.c.server_id == server_id, matches.c.status.in_(wanted)


def _has_seat(person_id: PersonId) -> ColumnElement[bool]:
    return matches.c.id.in_(select(seats.c.match_id).where(seats.c.person_id == person_id))


def _stands_in(channel_id: ChannelId) -> ColumnElement[bool]:
    return or_(matches.c.channel_id == channel_id, matches.c.thread_id == channel_id)


# A row of Core has the types of its columns only at run time, hence Any.
def _match(rows: Iterable[Row[*tuple[Any, ...]]]) -> MatchRow:
    """Build a match from its rows, one a seat."""
    by_seat = list(rows)
    row = by_seat[0]
    return MatchRow(
        id=MatchId(row.id),
        server_id=row.server_id,
        channel_id=row.channel_id,
        thread_id=row.thread_id,
        rules=row.rules,
        status=MatchStatus(row.status),
        head=row.head,
        created_at=row.created_at,
        acted_at=row.acted_at,
        ended_at=row.ended_at,
        challenge_id=row.challenge_id,
        rematch_of=row.rematch_of,
        people=tuple(PersonId(each.person_id) for each in by_seat),
        house=row.house,
        clock=row.clock,
    )


def _result(match_id: MatchId, server_id: int, line: SeatResult) -> dict[str, object]:
    return {
        "match_id": match_id,
        "seat": line.seat,
        "server_id": server_id,
        "person_id": line.person_id,
        "place": line.place,
        "points": line.points,
        "total": line.total,
        "hands_won": line.hands_won,
        "hands_played": line.hands_played,
        "won": line.won,
    }
