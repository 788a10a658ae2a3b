"""Blocks: written down together with what becomes of the challenges that they stand in the way of.

So nobody is offered a challenge that can't be accepted: whoever blocks another declines what that
one asked, and takes back what he asked himself; a server takes back whatever somebody takes part in
whom it blocks.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from bot.play import deed
from db.ids import ChallengeId, PersonId, ServerId
from db.rows import ChallengeRow, ChallengeStatus
from db.store import Transaction


async def by_server(
    tx: Transaction, server: ServerId, person: PersonId, now: datetime
) -> tuple[ChallengeId, ...]:
    """Note that a server blocks somebody; return the challenges there that are withdrawn."""
    await tx.admin.block(server, person, now)
    settled = [
        row.id
        for row in await tx.challenges.open_of(person)
        if row.server_id == server and await _settle(tx, row, now, ChallengeStatus.WITHDRAWN)
    ]
    return tuple(settled)


async def by_person(
    tx: Transaction, person: PersonId, other: PersonId, now: datetime
) -> tuple[ChallengeId, ...]:
    """Note that somebody blocks another; return the challenges, anywhere, that this settles.

    He declines them, as if he had pressed that, or takes back his own: nothing says why.
    """
    await tx.wishes.block(person, other, now)
    settled = []
    for row in await tx.challenges.open_of(person):
        if other not in (row.challenger, *row.opponents):
            continue
        is_own = row.challenger == person
        status = ChallengeStatus.WITHDRAWN if is_own else ChallengeStatus.DECLINED
        if await _settle(tx, row, now, status, None if is_own else person):
            settled.append(row.id)
    return tuple(settled)


async def _settle(
    tx: Transaction,
    row: ChallengeRow,
    now: datetime,
    status: ChallengeStatus,
    declined_by: PersonId | None = None,
) -> bool:
    if row.expires_at <= now:  # it is about to say so
        return False
    tx.then.append(partial(deed.challenge_changed, row.id))
    return await tx.challenges.settle(row.id, status, now, declined_by=declined_by)
