"""Privacy: all that is kept of one person, and taking the person out of it.

A person who goes becomes a negative number that nothing leads back from; every row that others
need (seats, results, the log) keeps its place under that number.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, Select, Table, and_, exists, or_, select, text

from db.ids import ChallengeId, MatchId, PersonId
from db.packing import Packing
from db.rows import AdminAct, ChallengeStatus, MatchStatus, ShownKind
from db.schema import (
    admin_acts,
    blocks,
    cancel_offers,
    challenge_people,
    challenges,
    entries,
    house_sets,
    matches,
    packed_actors,
    people,
    promises,
    results,
    seats,
    server_blocks,
    servers,
    shown,
    standings,
    vacations,
    wishes,
    words,
)
from db.session import Session

Record = dict[str, object]
"""One row as it is exported: names and plain values."""

_FORMER: Final = "Former player"
_STAYS: Final[tuple[tuple[Table, Column[int]], ...]] = (
    (seats, seats.c.person_id),
    (results, results.c.person_id),
    (standings, standings.c.person_id),
    (entries, entries.c.actor),
    (packed_actors, packed_actors.c.person_id),
    (challenge_people, challenge_people.c.person_id),
    (house_sets, house_sets.c.changed_by),
    (admin_acts, admin_acts.c.actor),
    (admin_acts, admin_acts.c.person_id),
)
"""Where the number takes the person's place."""
_GOES: Final[tuple[tuple[Table, Column[int]], ...]] = (
    (people, people.c.id),
    (wishes, wishes.c.person_id),
    (vacations, vacations.c.person_id),
    (blocks, blocks.c.person_id),
    (blocks, blocks.c.blocked_id),
    (cancel_offers, cancel_offers.c.person_id),
    (words, words.c.person_id),
)
"""What is deleted. Blocks by a server stay: else deletion would be the way round them."""


class Privacy:
    """What is kept of people, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def everything_of(self, person_id: PersonId) -> dict[str, list[Record]]:
        """Return every row that is about a person, by what it is; other people are numbers."""
        kept: dict[str, list[Record]] = {}
        for name, query in _whose(person_id).items():
            rows = await self._session.rows(query)
            kept[name] = [
                {key: _plain(value) for key, value in zip(row._fields, row, strict=True)}
                for row in rows
            ]
        await self._add_packed(kept, person_id)
        for act in kept["admin_acts"]:
            if act["actor"] != _plain(person_id):
                act["actor"] = "an administrator"
        return kept

    async def _add_packed(self, kept: dict[str, list[Record]], person_id: PersonId) -> None:
        """Add the acts that stand in packed logs, and say which of those can't be read."""
        packed = await Packing(self._session).acts_of(person_id)
        kept["acts"] += [
            {"match_id": match, "seq": act.seq, "text": act.text, "at": _plain(act.at)}
            for match, act in packed.acts
        ]
        if packed.unread:
            kept["acts_left_out"] = [
                {"match_id": match, "why": "the log of this match is damaged and can't be read"}
                for match in packed.unread
            ]
        kept["acts"].sort(key=_place)

    async def forget(self, person_id: PersonId, number: PersonId, at: datetime) -> None:
        """Put ``number`` (negative, never used before) in a person's place, and drop the rest.

        His matches must have ended and his challenges must be settled.
        """
        if number >= 0:
            raise ValueError("a former player's number is negative")
        mine = select(seats.c.match_id).where(
            seats.c.person_id == person_id, seats.c.seat == shown.c.seat
        )
        await self._session.change(  # where his direct messages are; an old hand goes first
            shown.delete().where(
                shown.c.seat >= 0,
                shown.c.kind != ShownKind.OLD.value,
                shown.c.match_id.in_(mine),
            )
        )
        for table, column in _STAYS:
            await self._session.change(
                table.update().where(column == person_id).values({column.name: number})
            )
        for table, column in _GOES:
            await self._session.change(table.delete().where(column == person_id))
        await self._session.change(
            people.insert(),
            {"id": number, "name": _FORMER, "seen_at": at, "dm_closed": True},
        )

    async def unplayed(self, before: datetime) -> int:
        """Forget challenges that were settled before then and led to no match; return how many."""
        old = (
            select(challenges.c.id)
            .where(
                challenges.c.status != ChallengeStatus.OPEN.value,
                challenges.c.settled_at < before,
                ~exists().where(matches.c.challenge_id == challenges.c.id),
            )
            .order_by(challenges.c.id)
            .limit(_AT_ONCE)
        )
        ids = [ChallengeId(row.id) for row in await self._session.rows(old)]
        for table in (words, promises, challenge_people):
            await self._session.change(table.delete().where(table.c.challenge_id.in_(ids)))
        await self._session.change(challenges.delete().where(challenges.c.id.in_(ids)))
        return len(ids)

    async def old_acts(self, before: datetime) -> int:
        """Forget what administrators did before then; return how many acts.

        That a match was voided, by whom and why, belongs to the match and stays with it.
        """
        return await self._session.change(
            admin_acts.delete().where(
                admin_acts.c.at < before, admin_acts.c.act != AdminAct.MATCH_VOID.value
            )
        )

    async def absent(self, before: datetime, limit: int) -> tuple[PersonId, ...]:
        """Return people who weren't seen since then, in no match and no open challenge either."""
        played = (
            exists()
            .where(seats.c.person_id == people.c.id, seats.c.match_id == matches.c.id)
            .where(
                or_(
                    matches.c.status == MatchStatus.RUNNING.value,
                    matches.c.acted_at >= before,
                )
            )
        )
        asked = (
            exists()
            .where(challenge_people.c.person_id == people.c.id)
            .where(
                and_(
                    challenge_people.c.challenge_id == challenges.c.id,
                    or_(
                        challenges.c.status == ChallengeStatus.OPEN.value,
                        challenges.c.created_at >= before,
                    ),
                )
            )
        )
        rows = await self._session.rows(
            select(people.c.id)
            .where(people.c.id > 0, people.c.seen_at < before, ~played, ~asked)
            .order_by(people.c.id)
            .limit(limit)
        )
        return tuple(PersonId(row.id) for row in rows)

    async def matches_of(self, person_id: PersonId) -> tuple[MatchId, ...]:
        """Return every match in which a person has a seat."""
        rows = await self._session.rows(
            select(seats.c.match_id).where(seats.c.person_id == person_id)
        )
        return tuple(MatchId(row.match_id) for row in rows)

    async def revision(self) -> str:
        """Return the revision of the schema."""
        row = await self._session.first(
            select(text("version_num")).select_from(text("alembic_version"))
        )
        return "" if row is None else str(row[0])

    async def is_sound(self) -> bool:
        """Whether SQLite finds nothing wrong with its file (its quick check)."""
        return await self._session.quick_check()


def _whose(person_id: PersonId) -> dict[str, Select[*tuple[Any, ...]]]:
    """What is asked for each part of the export; columns have types only at run time, hence Any."""
    mine = select(seats.c.match_id).where(seats.c.person_id == person_id)
    return {
        "profile": select(
            people.c.id,
            people.c.name,
            people.c.seen_at.label("goes_by_it_since"),
            people.c.dm_channel_id,
            people.c.dm_closed,
        ).where(people.c.id == person_id),
        "wishes": select(wishes).where(wishes.c.person_id == person_id),
        "vacations": select(vacations).where(vacations.c.person_id == person_id),
        "blocked": select(blocks.c.blocked_id, blocks.c.at).where(blocks.c.person_id == person_id),
        "blocked_on_servers": select(server_blocks).where(server_blocks.c.person_id == person_id),
        "challenges": _challenges_of(person_id),
        "words": select(words).where(words.c.person_id == person_id),
        "matches": _matches_of(person_id),
        "results": select(results).where(results.c.person_id == person_id),
        "standings": select(standings).where(standings.c.person_id == person_id),
        # Of his own acts only: the other lines of a log hold other people's cards.
        "acts": select(entries.c.match_id, entries.c.seq, entries.c.text, entries.c.at)
        .where(entries.c.actor == person_id, entries.c.match_id.in_(mine))
        .order_by(entries.c.match_id, entries.c.seq),
        "offers_to_call_off": select(
            cancel_offers.c.match_id,
            cancel_offers.c.version,
            cancel_offers.c.had_left.label("had_left_the_server"),
        ).where(cancel_offers.c.person_id == person_id, cancel_offers.c.match_id.in_(mine)),
        "house_rules_changed": select(
            house_sets.c.server_id, house_sets.c.name, house_sets.c.changed_at
        ).where(house_sets.c.changed_by == person_id),
        "admin_acts": select(admin_acts).where(
            or_(admin_acts.c.actor == person_id, admin_acts.c.person_id == person_id)
        ),
    }


def _challenges_of(person_id: PersonId) -> Select[*tuple[Any, ...]]:
    """The challenges that a person made or was asked in."""
    return (
        select(
            challenges.c.id,
            challenges.c.server_id,
            challenges.c.channel_id,
            challenges.c.status,
            challenges.c.rules,
            challenges.c.house,
            challenges.c.clock,
            challenges.c.created_at,
            challenge_people.c.position,
            challenge_people.c.accepted,
            challenge_people.c.declined,
        )
        .join(challenge_people, challenge_people.c.challenge_id == challenges.c.id)
        .where(challenge_people.c.person_id == person_id)
        .order_by(challenges.c.id)
    )


def _matches_of(person_id: PersonId) -> Select[*tuple[Any, ...]]:
    """The matches in which a person has a seat."""
    return (
        select(
            matches.c.id,
            matches.c.server_id,
            servers.c.name.label("server_name"),
            matches.c.channel_id,
            matches.c.rules,
            matches.c.house,
            matches.c.clock,
            matches.c.status,
            matches.c.created_at,
            matches.c.ended_at,
            seats.c.seat,
        )
        .join(seats, seats.c.match_id == matches.c.id)
        .outerjoin(servers, servers.c.id == matches.c.server_id)
        .where(seats.c.person_id == person_id)
        .order_by(matches.c.id)
    )


_AT_ONCE: Final = 500
"""Challenges forgotten in one transaction."""


def _place(act: Record) -> tuple[int, int]:
    """Where an act stands: its match and its number in the log."""
    return int(str(act["match_id"])), int(str(act["seq"]))


def _plain(value: object) -> object:
    """A value as JSON has it: large ids as text, since many readers round them."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return value
