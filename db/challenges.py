"""Challenges: open until exactly one thing settles them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, func, literal, select, type_coerce

from db.ids import ChallengeId, ChannelId, MatchId, MessageId, PersonId, ServerId
from db.rows import ChallengeRow, ChallengeStatus, NewChallenge
from db.schema import challenge_people, challenges, matches
from db.session import Session
from db.types import microseconds

_OPEN = challenges.c.status == ChallengeStatus.OPEN


class Challenges:
    """Challenges, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(self, new: NewChallenge) -> ChallengeId:
        """Write down an open challenge and return its id."""
        people = (new.challenger, *new.opponents)
        if not new.opponents or len(set(people)) != len(people):
            raise ValueError(f"a challenge needs different people: {people}")
        challenge_id = ChallengeId(
            await self._session.insert(
                challenges,
                {
                    "server_id": new.server_id,
                    "channel_id": new.channel_id,
                    "parent_id": new.parent_id,
                    "rules": new.rules,
                    "status": ChallengeStatus.OPEN.value,
                    "created_at": new.created_at,
                    "expires_at": new.expires_at,
                    "rematch_of": new.rematch_of,
                    "house": new.house,
                    "clock": new.clock,
                },
            )
        )
        await self._session.change(
            challenge_people.insert(),
            [
                {
                    "challenge_id": challenge_id,
                    "position": position,
                    "person_id": person,
                    "accepted": False,
                }
                for position, person in enumerate(people)
            ],
        )
        return challenge_id

    async def get(self, challenge_id: ChallengeId) -> ChallengeRow | None:
        """Return a challenge, or None."""
        return _only(await self._find(challenges.c.id == challenge_id))

    async def open_of(self, person_id: PersonId) -> tuple[ChallengeRow, ...]:
        """Return the open challenges that a person made or was asked in, oldest first."""
        return await self._find(_OPEN, _includes(person_id))

    async def open_between(
        self, one: PersonId, other: PersonId, server_id: ServerId
    ) -> tuple[ChallengeRow, ...]:
        """Return a server's open challenges in which both take part, whoever made them."""
        return await self._find(
            _OPEN, challenges.c.server_id == server_id, _includes(one), _includes(other)
        )

    async def between(
        self, one: PersonId, other: PersonId, *, since: datetime
    ) -> tuple[ChallengeRow, ...]:
        """Return the challenges on any server in which both take part, made since, oldest first."""
        return await self._find(challenges.c.created_at > since, _includes(one), _includes(other))

    async def settle(
        self,
        challenge_id: ChallengeId,
        status: ChallengeStatus,
        at: datetime,
        match_id: MatchId | None = None,
        declined_by: PersonId | None = None,
    ) -> bool:
        """Settle an open challenge; False if it was settled before, and nothing has changed.

        ``match_id`` names the match that came of it, unless that was created with this
        challenge's id; ``declined_by`` the one of the challenged who wouldn't.
        """
        if status is ChallengeStatus.OPEN:
            raise ValueError("a challenge is not settled by opening it")
        settled = await self._session.change(
            challenges.update()
            .where(challenges.c.id == challenge_id, _OPEN)
            .values(status=status.value, settled_at=at)
        )
        if settled == 1 and match_id is not None:
            await self._session.change(
                matches.update().where(matches.c.id == match_id).values(challenge_id=challenge_id)
            )
        if settled == 1 and declined_by is not None:
            await self._session.change(
                challenge_people.update()
                .where(
                    challenge_people.c.challenge_id == challenge_id,
                    challenge_people.c.person_id == declined_by,
                )
                .values(declined=True)
            )
        return settled == 1

    async def set_message(self, challenge_id: ChallengeId, message_id: MessageId) -> None:
        """Say which message shows a challenge."""
        await self._session.change(
            challenges.update().where(challenges.c.id == challenge_id).values(message_id=message_id)
        )

    async def move(self, challenge_id: ChallengeId, channel_id: ChannelId) -> None:
        """Let a challenge stand in a channel, where no message shows it yet."""
        await self._session.change(
            challenges.update()
            .where(challenges.c.id == challenge_id)
            .values(channel_id=channel_id, parent_id=None, message_id=None)
        )

    async def open_in(self, channel_id: ChannelId) -> tuple[ChallengeRow, ...]:
        """Return the open challenges that stand in a channel or thread, oldest first."""
        return await self._find(_OPEN, challenges.c.channel_id == channel_id)

    async def accept_seat(self, challenge_id: ChallengeId, person_id: PersonId) -> int:
        """Note that one of the challenged agrees; return how many of them have agreed so far.

        A second acceptance by the same person, or one by a stranger, changes nothing.
        """
        challenged = (
            challenge_people.c.challenge_id == challenge_id,
            challenge_people.c.position > 0,
        )
        await self._session.change(
            challenge_people.update()
            .where(*challenged, challenge_people.c.person_id == person_id)
            .values(accepted=True)
        )
        row = await self._session.first(
            select(func.count().label("agreed"))
            .select_from(challenge_people)
            .where(*challenged, challenge_people.c.accepted)
        )
        return 0 if row is None else int(row.agreed)

    async def expired(self, now: datetime) -> tuple[ChallengeRow, ...]:
        """Return the challenges that are still open though their time is over."""
        return await self._find(_OPEN, challenges.c.expires_at <= now)

    async def put_back(self, now: datetime) -> None:
        """After a clock was put back: let no challenge have been made later than now.

        Each keeps the time that it has: it expires so much earlier, too.
        """
        over = type_coerce(challenges.c.created_at, BigInteger) - literal(
            microseconds(now), BigInteger
        )
        await self._session.change(
            challenges.update()
            .where(challenges.c.created_at > now)
            .values(
                created_at=now,
                expires_at=type_coerce(challenges.c.expires_at, BigInteger) - over,
                settled_at=type_coerce(challenges.c.settled_at, BigInteger) - over,
            )
        )

    async def unposted(self) -> tuple[ChallengeRow, ...]:
        """Return the open challenges that no message is known to show, oldest first."""
        return await self._find(_OPEN, challenges.c.message_id.is_(None))

    async def next_expiry(self) -> datetime | None:
        """Return when the next of the open challenges expires, or None."""
        row = await self._session.first(
            select(challenges.c.expires_at).where(_OPEN).order_by(challenges.c.expires_at).limit(1)
        )
        if row is None:
            return None
        expires_at: datetime = row.expires_at
        return expires_at

    async def _find(self, *where: ColumnElement[bool]) -> tuple[ChallengeRow, ...]:
        rows = await self._session.rows(
            select(
                challenges,
                challenge_people.c.person_id,
                challenge_people.c.accepted,
                challenge_people.c.declined,
                matches.c.id.label("match_id"),
            )
            .join(challenge_people, challenge_people.c.challenge_id == challenges.c.id)
            .outerjoin(matches, matches.c.challenge_id == challenges.c.id)
            .where(*where)
            .order_by(challenges.c.id, challenge_people.c.position)
        )
        return tuple(_challenge(group) for _, group in groupby(rows, key=lambda row: row.id))


def _includes(person_id: PersonId) -> ColumnElement[bool]:
    return challenges.c.id.in_(
        select(challenge_people.c.challenge_id).where(challenge_people.c.person_id == person_id)
    )


def _only(found: tuple[ChallengeRow, ...]) -> ChallengeRow | None:
    return found[0] if found else None


# A row of Core has the types of its columns only at run time, hence Any.
def _challenge(rows: Iterable[Row[*tuple[Any, ...]]]) -> ChallengeRow:
    """Build a challenge from its rows, one a person, the challenger first."""
    people = list(rows)
    row = people[0]
    return ChallengeRow(
        id=ChallengeId(row.id),
        server_id=row.server_id,
        channel_id=row.channel_id,
        message_id=row.message_id,
        challenger=PersonId(row.person_id),
        opponents=tuple(PersonId(each.person_id) for each in people[1:]),
        accepted=tuple(PersonId(each.person_id) for each in people[1:] if each.accepted),
        rules=row.rules,
        status=ChallengeStatus(row.status),
        created_at=row.created_at,
        expires_at=row.expires_at,
        settled_at=row.settled_at,
        match_id=row.match_id,
        rematch_of=row.rematch_of,
        house=row.house,
        clock=row.clock,
        parent_id=row.parent_id,
        declined_by=next((PersonId(each.person_id) for each in people if each.declined), None),
    )
