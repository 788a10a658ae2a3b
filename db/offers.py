"""Offers to call a match off: it is cancelled when everybody at the table has made one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import select

from db.ids import MatchId, PersonId
from db.schema import cancel_offers
from db.session import Session

LEFT: Final = -1
"""In place of a version: nobody offered anything, since he had left the server."""


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
            {"version": version},
        )

    async def drop(self, match_id: MatchId) -> None:
        """Forget who has proposed it: somebody would rather play on."""
        await self._session.change(
            cancel_offers.delete().where(cancel_offers.c.match_id == match_id)
        )

    async def of_match(self, match_id: MatchId) -> dict[PersonId, int]:
        """Return who has proposed it, with the version at which he did."""
        rows = await self._of(match_id)
        return {person: version for person, version in rows.items() if version != LEFT}

    async def note_left(self, match_id: MatchId, people: Iterable[PersonId]) -> None:
        """Note who can't be asked, as he has left the server; an offer of his own ends that."""
        for person in people:
            await self.make(match_id, person, LEFT)

    async def left(self, match_id: MatchId) -> frozenset[PersonId]:
        """Return who couldn't be asked when the others last agreed to call the match off."""
        rows = await self._of(match_id)
        return frozenset(person for person, version in rows.items() if version == LEFT)

    async def _of(self, match_id: MatchId) -> dict[PersonId, int]:
        rows = await self._session.rows(
            select(cancel_offers.c.person_id, cancel_offers.c.version).where(
                cancel_offers.c.match_id == match_id
            )
        )
        return {PersonId(row.person_id): row.version for row in rows}
