"""Offers to call a match off: it is cancelled when everybody at the table has made one."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select

from db.ids import MatchId, PersonId
from db.schema import cancel_offers
from db.session import Session

_OF_MATCH = select(cancel_offers.c.person_id, cancel_offers.c.version).where(
    cancel_offers.c.match_id == bindparam("its_match"),
    cancel_offers.c.had_left == bindparam("is_left"),
)


class CancelOffers:
    """Offers to cancel, within one transaction."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def make(self, match_id: MatchId, person_id: PersonId, version: int) -> None:
        """Note that this person proposes it, at this version of the match."""
        await self._session.upsert(
            cancel_offers,
            {"match_id": match_id, "person_id": person_id},
            {"version": version, "had_left": False},
        )

    async def drop(self, match_id: MatchId) -> None:
        """Forget who has proposed it: somebody would rather play on."""
        await self._session.change(
            cancel_offers.delete().where(cancel_offers.c.match_id == match_id)
        )

    async def of_match(self, match_id: MatchId) -> dict[PersonId, int]:
        """Return who has proposed it, with the version at which he did."""
        rows = await self._session.rows(_OF_MATCH, {"its_match": match_id, "is_left": False})
        return {PersonId(row.person_id): row.version for row in rows}

    async def note_left(self, match_id: MatchId, people: Iterable[PersonId], version: int) -> None:
        """Note who can't be asked, as he has left the server; an offer of his own ends that."""
        for person in people:
            await self._session.upsert(
                cancel_offers,
                {"match_id": match_id, "person_id": person},
                {"version": version, "had_left": True},
            )

    async def left(self, match_id: MatchId) -> frozenset[PersonId]:
        """Return who couldn't be asked when the others last agreed to call the match off."""
        rows = await self._session.rows(_OF_MATCH, {"its_match": match_id, "is_left": True})
        return frozenset(PersonId(row.person_id) for row in rows)
