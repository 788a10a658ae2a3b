"""Challenges: made, found, and settled exactly once."""

from __future__ import annotations

import asyncio

import pytest

from db import ChallengeId, ChallengeRow, ChallengeStatus, MessageId, NewChallenge, PersonId, Store
from tests.db.house import (
    ANN,
    BOB,
    CAT,
    CLUB,
    DAN,
    LOUNGE,
    MINUTE,
    NOW,
    PUB,
    a_challenge,
    new_match,
)


async def test_a_challenge_is_read_back_as_it_was_made(store: Store) -> None:
    match_id = await new_match(store)
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(
            NewChallenge(
                CLUB,
                LOUNGE,
                ANN,
                (CAT, BOB),
                "rules rotation",
                NOW,
                NOW + MINUTE,
                match_id,
                house="club night",
            )
        )
        await tx.challenges.set_message(challenge_id, MessageId(77))
    expected = ChallengeRow(
        id=challenge_id,
        server_id=CLUB,
        channel_id=LOUNGE,
        message_id=MessageId(77),
        challenger=ANN,
        opponents=(CAT, BOB),
        accepted=(),
        rules="rules rotation",
        status=ChallengeStatus.OPEN,
        created_at=NOW,
        expires_at=NOW + MINUTE,
        settled_at=None,
        match_id=None,
        rematch_of=match_id,
        house="club night",
    )
    async with store.reading() as tx:
        assert await tx.challenges.get(challenge_id) == expected
        assert await tx.challenges.get(ChallengeId(99)) is None


@pytest.mark.parametrize("opponents", [(), (ANN,), (BOB, BOB)])
async def test_a_challenge_goes_to_other_and_different_people(
    store: Store, opponents: tuple[PersonId, ...]
) -> None:
    new = NewChallenge(CLUB, LOUNGE, ANN, opponents, "", NOW, NOW + MINUTE)
    async with store.transaction() as tx:
        with pytest.raises(ValueError, match="different people"):
            await tx.challenges.create(new)


async def test_open_challenges_are_found_for_everyone_in_them(store: Store) -> None:
    async with store.transaction() as tx:
        first = await tx.challenges.create(a_challenge(ANN, BOB))
        second = await tx.challenges.create(a_challenge(CAT, ANN, DAN))
        over = await tx.challenges.create(a_challenge(ANN, DAN))
        await tx.challenges.settle(over, ChallengeStatus.DECLINED, NOW)
    async with store.reading() as tx:
        assert [row.id for row in await tx.challenges.open_of(ANN)] == [first, second]
        assert [row.id for row in await tx.challenges.open_of(DAN)] == [second]


async def test_an_open_challenge_between_two_is_found_whoever_made_it(store: Store) -> None:
    async with store.transaction() as tx:
        ours = await tx.challenges.create(a_challenge(ANN, BOB))
        await tx.challenges.create(a_challenge(ANN, CAT))
        await tx.challenges.create(a_challenge(BOB, ANN, server=PUB))
    async with store.reading() as tx:
        for one, other in ((ANN, BOB), (BOB, ANN)):
            assert [r.id for r in await tx.challenges.open_between(one, other, CLUB)] == [ours]
        assert await tx.challenges.open_between(BOB, CAT, CLUB) == ()


async def test_a_challenge_is_settled_once_whatever_comes_after(store: Store) -> None:
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(a_challenge())
        assert await tx.challenges.settle(challenge_id, ChallengeStatus.DECLINED, NOW + MINUTE)
        assert not await tx.challenges.settle(challenge_id, ChallengeStatus.ACCEPTED, NOW)
        assert not await tx.challenges.settle(ChallengeId(99), ChallengeStatus.ACCEPTED, NOW)
        with pytest.raises(ValueError, match="opening"):
            await tx.challenges.settle(challenge_id, ChallengeStatus.OPEN, NOW)
    async with store.reading() as tx:
        row = await tx.challenges.get(challenge_id)
        assert row is not None
        assert (row.status, row.settled_at) == (ChallengeStatus.DECLINED, NOW + MINUTE)


async def test_accept_decline_withdraw_and_expiry_at_once_settle_a_challenge_once(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(a_challenge())
    ways = [status for status in ChallengeStatus if status is not ChallengeStatus.OPEN]

    async def settle(status: ChallengeStatus) -> ChallengeStatus | None:
        async with store.transaction() as tx:
            return status if await tx.challenges.settle(challenge_id, status, NOW) else None

    answers = await asyncio.gather(*(settle(way) for way in ways * 25))
    (settled,) = [answer for answer in answers if answer is not None]
    async with store.reading() as tx:
        row = await tx.challenges.get(challenge_id)
        assert row is not None
        assert row.status is settled


async def test_acceptances_of_two_opponents_are_counted_once_each(store: Store) -> None:
    async with store.transaction() as tx:
        challenge_id = await tx.challenges.create(a_challenge(ANN, BOB, CAT))
        assert await tx.challenges.accept_seat(challenge_id, CAT) == 1
        assert await tx.challenges.accept_seat(challenge_id, CAT) == 1
        # Neither the challenger nor a stranger is among the challenged.
        assert await tx.challenges.accept_seat(challenge_id, ANN) == 1
        assert await tx.challenges.accept_seat(challenge_id, DAN) == 1
        row = await tx.challenges.get(challenge_id)
        assert row is not None
        assert row.accepted == (CAT,)
        assert await tx.challenges.accept_seat(challenge_id, BOB) == 2


async def test_who_declined_is_kept_with_the_challenge_unless_it_was_settled_before(
    store: Store,
) -> None:
    declined, two_at_once = ChallengeStatus.DECLINED, (CAT, BOB)
    async with store.transaction() as tx:
        asked = await tx.challenges.create(a_challenge(ANN, BOB, CAT))
        other = await tx.challenges.create(a_challenge(ANN, DAN))
        done = [
            await tx.challenges.settle(asked, declined, NOW, declined_by=person)
            for person in two_at_once
        ]
        assert done == [True, False]
        row, untouched = await tx.challenges.get(asked), await tx.challenges.get(other)
    assert row is not None
    assert untouched is not None
    assert (row.status, row.declined_by) == (declined, CAT)
    assert untouched.declined_by is None


async def test_the_next_expiry_is_that_of_the_open_challenge_that_ends_first(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        assert await tx.challenges.next_expiry() is None
        late = await tx.challenges.create(a_challenge(expires_at=NOW + 3 * MINUTE))
        early = await tx.challenges.create(a_challenge(expires_at=NOW + MINUTE))
        settled = await tx.challenges.create(a_challenge(expires_at=NOW))
        await tx.challenges.settle(settled, ChallengeStatus.WITHDRAWN, NOW)
        assert await tx.challenges.next_expiry() == NOW + MINUTE

        assert await tx.challenges.expired(NOW) == ()
        assert [row.id for row in await tx.challenges.expired(NOW + MINUTE)] == [early]
        assert [row.id for row in await tx.challenges.expired(NOW + 9 * MINUTE)] == [late, early]
