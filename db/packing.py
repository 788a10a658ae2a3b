"""The logs of matches that have ended, one row each instead of one an entry.

A log that is packed is read as any other is. What it loses is the index of its interactions: the
database no longer refuses one of them a second time. Discord takes answers to an interaction for
15 minutes; a log is packed days after its match, and never that of a running one.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, func, select

from db.errors import DamagedLog
from db.ids import MatchId, PersonId
from db.packed import PackedLog, pack, unpack
from db.rows import LogEntry, MatchStatus
from db.schema import entries, matches, packed_actors, packed_logs, seats
from db.session import Session


@dataclass(frozen=True, slots=True)
class PackedActs:
    """What a person did, by packed logs."""

    acts: tuple[tuple[MatchId, LogEntry], ...]
    unread: tuple[MatchId, ...]
    """The matches whose logs are damaged, so that nobody knows."""


class Packing:
    """Packed logs, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def ripe(self, before: datetime, after: MatchId, limit: int) -> tuple[MatchId, ...]:
        """Return matches above ``after`` that ended before then and whose logs aren't packed.

        In order, at most ``limit``.
        """
        # From one match in the table of entries to the next, however many are packed already.
        first = select(func.min(entries.c.match_id).label("id")).where(entries.c.match_id > after)
        loose = first.cte("loose", recursive=True)
        following = (
            select(func.min(entries.c.match_id))
            .where(entries.c.match_id > loose.c.id)
            .scalar_subquery()
        )
        loose = loose.union_all(select(following).where(loose.c.id.is_not(None)))
        rows = await self._session.rows(
            select(matches.c.id)
            .join(loose, loose.c.id == matches.c.id)
            .where(matches.c.status != MatchStatus.RUNNING.value, matches.c.ended_at < before)
            .order_by(matches.c.id)
            .limit(limit)
        )
        return tuple(MatchId(row.id) for row in rows)

    async def pack(self, match_id: MatchId) -> bool:
        """Pack the log of a match that has ended; False, and nothing changed, where that can't be.

        So for one that runs, that is packed already, or whose log isn't whole: that is for the
        check to report, and stays as it is.
        """
        match = await self._session.first(
            select(matches.c.head).where(
                matches.c.id == match_id,
                matches.c.status != MatchStatus.RUNNING.value,
                ~exists().where(packed_logs.c.match_id == match_id),
            )
        )
        log = await self.loose(match_id)
        if match is None or not log or len(log) != match.head:
            return False
        try:
            packed = pack(log, await self._people(match_id))
        except (ValueError, LookupError):
            return False
        await self._session.change(
            packed_logs.insert(), {"match_id": match_id, "content": packed.content}
        )
        if packed.beside:
            await self._session.change(
                packed_actors.insert(),
                [
                    {"match_id": match_id, "seq": seq, "person_id": person}
                    for seq, person in packed.beside.items()
                ],
            )
        await self._session.change(entries.delete().where(entries.c.match_id == match_id))
        return True

    async def log(self, match_id: MatchId) -> tuple[LogEntry, ...]:
        """Return the whole log of a match that is packed, nothing for another one.

        Raises `DamagedLog`.
        """
        row = await self._session.first(
            select(packed_logs.c.content).where(packed_logs.c.match_id == match_id)
        )
        if row is None:
            return ()
        rows = await self._session.rows(
            select(packed_actors.c.seq, packed_actors.c.person_id).where(
                packed_actors.c.match_id == match_id
            )
        )
        beside = {each.seq: PersonId(each.person_id) for each in rows}
        return unpack(PackedLog(row.content, beside), await self._people(match_id))

    async def acts_of(self, person_id: PersonId) -> PackedActs:
        """Return what a person did from his seat in the matches whose logs are packed, in order."""
        mine = select(seats.c.match_id).where(seats.c.person_id == person_id)
        packed = await self._session.rows(
            select(packed_logs.c.match_id, packed_logs.c.content)
            .where(packed_logs.c.match_id.in_(mine))
            .order_by(packed_logs.c.match_id)
        )
        people = await self._session.rows(
            select(seats).where(seats.c.match_id.in_(mine)).order_by(seats.c.match_id, seats.c.seat)
        )
        others = await self._session.rows(
            select(packed_actors).where(packed_actors.c.match_id.in_(mine))
        )
        seated: defaultdict[int, list[PersonId]] = defaultdict(list)
        for row in people:
            seated[row.match_id].append(PersonId(row.person_id))
        beside: defaultdict[int, dict[int, PersonId]] = defaultdict(dict)
        for row in others:
            beside[row.match_id][row.seq] = PersonId(row.person_id)

        def read() -> PackedActs:
            acts: list[tuple[MatchId, LogEntry]] = []
            unread: list[MatchId] = []
            for row in packed:
                match, log = MatchId(row.match_id), PackedLog(row.content, beside[row.match_id])
                try:
                    entries_of = unpack(log, seated[row.match_id])
                except DamagedLog:
                    unread.append(match)
                    continue
                acts += [(match, entry) for entry in entries_of if entry.actor == person_id]
            return PackedActs(tuple(acts), tuple(unread))

        return await asyncio.to_thread(read)

    async def loose(self, match_id: MatchId, after: int = 0) -> tuple[LogEntry, ...]:
        """Return the entries of a log after entry ``after`` that aren't packed, in order."""
        rows = await self._session.rows(
            select(entries)
            .where(entries.c.match_id == match_id, entries.c.seq > after)
            .order_by(entries.c.seq)
        )
        return tuple(
            LogEntry(row.seq, row.text, row.seat, row.actor, row.interaction_id, row.at)
            for row in rows
        )

    async def _people(self, match_id: MatchId) -> tuple[PersonId, ...]:
        rows = await self._session.rows(
            select(seats.c.person_id).where(seats.c.match_id == match_id).order_by(seats.c.seat)
        )
        return tuple(PersonId(row.person_id) for row in rows)
