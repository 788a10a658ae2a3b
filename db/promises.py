"""Promises: the secret behind a challenge's shuffles, and the words that the players add."""

from __future__ import annotations

from sqlalchemy import select

from db.ids import ChallengeId, MatchId, PersonId, ServerId
from db.rows import ChallengeStatus, PromiseRow, UnusedPromiseRow, WordRow
from db.schema import challenges, matches, promises, words
from db.session import Session


class Promises:
    """Promises, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def make(self, challenge_id: ChallengeId, secret: bytes, commitment: str) -> None:
        """Keep a secret and what is published of it."""
        await self._session.change(
            promises.insert(),
            {"challenge_id": challenge_id, "secret": secret.hex(), "commitment": commitment},
        )

    async def get(self, challenge_id: ChallengeId) -> PromiseRow | None:
        """Return the promise of a challenge, or None."""
        row = await self._session.first(
            select(promises).where(promises.c.challenge_id == challenge_id)
        )
        if row is None:
            return None
        return PromiseRow(ChallengeId(row.challenge_id), bytes.fromhex(row.secret), row.commitment)

    async def of_match(self, match_id: MatchId) -> PromiseRow | None:
        """Return the promise behind a match, or None for a match without one."""
        row = await self._session.first(
            select(promises)
            .join(matches, matches.c.challenge_id == promises.c.challenge_id)
            .where(matches.c.id == match_id)
        )
        if row is None:
            return None
        return PromiseRow(ChallengeId(row.challenge_id), bytes.fromhex(row.secret), row.commitment)

    async def put_word(self, challenge_id: ChallengeId, word: WordRow) -> None:
        """Keep what a player mixes in; it takes the place of what he had there before."""
        await self._session.upsert(
            words,
            {"challenge_id": challenge_id, "person_id": word.person_id},
            {"word": word.word, "is_own": word.is_own},
        )

    async def words(self, challenge_id: ChallengeId) -> dict[PersonId, WordRow]:
        """Return what each player has mixed in so far."""
        rows = await self._session.rows(select(words).where(words.c.challenge_id == challenge_id))
        return {
            PersonId(row.person_id): WordRow(PersonId(row.person_id), row.word, row.is_own)
            for row in rows
        }

    async def abandoned(self, server_id: ServerId, limit: int) -> tuple[UnusedPromiseRow, ...]:
        """Return a server's commitments that led to no match, with what became of the challenge.

        The newest first, at most ``limit``.
        """
        rows = await self._session.rows(
            select(promises.c.commitment, challenges.c.status, challenges.c.settled_at)
            .join(challenges, challenges.c.id == promises.c.challenge_id)
            .where(
                challenges.c.server_id == server_id,
                challenges.c.status.in_(
                    [
                        ChallengeStatus.DECLINED.value,
                        ChallengeStatus.WITHDRAWN.value,
                        ChallengeStatus.EXPIRED.value,
                    ]
                ),
            )
            .order_by(challenges.c.id.desc())
            .limit(limit)
        )
        return tuple(
            UnusedPromiseRow(row.commitment, ChallengeStatus(row.status), row.settled_at)
            for row in rows
        )
