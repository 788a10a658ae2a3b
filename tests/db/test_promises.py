"""Promised secrets and the players' words: kept as they were made, told apart by challenge."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy.exc import IntegrityError

from db import ChallengeId, ChallengeStatus, MatchId, NewMatch, ServerId, Store
from db.rows import PromiseRow, UnusedPromiseRow, WordRow
from tests.db.house import ANN, BOB, CAT, CLUB, LOUNGE, NOW, PUB, a_challenge

SECRET = bytes(range(32))
COMMITMENT = hashlib.sha256(SECRET).hexdigest()


async def promised(store: Store, number: int, server: ServerId = CLUB) -> ChallengeId:
    """A challenge with a promise of its own; its commitment is ``number`` written in 64 digits."""
    async with store.transaction() as tx:
        made = await tx.challenges.create(a_challenge(ANN, BOB, server=server))
        await tx.promises.make(made, bytes([number] * 32), f"{number:064x}")
    return made


async def test_a_promise_is_read_back_as_it_was_made(store: Store) -> None:
    async with store.transaction() as tx:
        challenge = await tx.challenges.create(a_challenge())
        await tx.promises.make(challenge, SECRET, COMMITMENT)
    async with store.reading() as tx:
        assert await tx.promises.get(challenge) == PromiseRow(challenge, SECRET, COMMITMENT)
        assert await tx.promises.get(ChallengeId(99)) is None


async def test_a_challenge_has_one_promise_and_a_promise_one_challenge(store: Store) -> None:
    first = await promised(store, 1)
    async with store.transaction() as tx:
        second = await tx.challenges.create(a_challenge(BOB, CAT))
    for challenge, secret, commitment in (
        (first, bytes(32), "f" * 64),
        (second, b"\1" * 32, f"{1:064x}"),
        (ChallengeId(99), bytes(32), "e" * 64),
    ):
        with pytest.raises(IntegrityError):
            async with store.transaction() as tx:
                await tx.promises.make(challenge, secret, commitment)


async def test_the_promise_of_a_match_is_that_of_its_challenge(store: Store) -> None:
    challenge = await promised(store, 7)
    async with store.transaction() as tx:
        match = await tx.matches.create(
            NewMatch(CLUB, LOUNGE, "rules", (ANN, BOB), NOW, challenge_id=challenge)
        )
        without = await tx.matches.create(NewMatch(CLUB, LOUNGE, "rules", (ANN, BOB), NOW))
    async with store.reading() as tx:
        found = await tx.promises.of_match(match)
        assert found is not None
        assert found.commitment == f"{7:064x}"
        assert await tx.promises.of_match(without) is None
        assert await tx.promises.of_match(MatchId(99)) is None


async def test_a_word_takes_the_place_of_the_same_players_earlier_one(store: Store) -> None:
    challenge, other = await promised(store, 1), await promised(store, 2)
    async with store.transaction() as tx:
        assert await tx.promises.words(challenge) == {}
        await tx.promises.put_word(challenge, WordRow(ANN, "interaction 17", is_own=False))
        await tx.promises.put_word(challenge, WordRow(BOB, "pelican", is_own=True))
        await tx.promises.put_word(challenge, WordRow(ANN, "Straße 🃏 `@everyone`", is_own=True))
        await tx.promises.put_word(other, WordRow(ANN, "another challenge", is_own=True))
    async with store.reading() as tx:
        assert await tx.promises.words(challenge) == {
            ANN: WordRow(ANN, "Straße 🃏 `@everyone`", is_own=True),
            BOB: WordRow(BOB, "pelican", is_own=True),
        }


async def test_commitments_that_led_to_no_match_are_listed_newest_first(store: Store) -> None:
    ended = {
        1: ChallengeStatus.DECLINED,
        2: ChallengeStatus.ACCEPTED,
        3: ChallengeStatus.WITHDRAWN,
        4: None,
        5: ChallengeStatus.EXPIRED,
    }
    for number, status in ended.items():
        challenge = await promised(store, number)
        if status is not None:
            async with store.transaction() as tx:
                await tx.challenges.settle(challenge, status, NOW)
    elsewhere = await promised(store, 6, server=PUB)
    async with store.transaction() as tx:
        await tx.challenges.settle(elsewhere, ChallengeStatus.DECLINED, NOW)
        without = await tx.challenges.create(a_challenge(CAT, BOB))
        await tx.challenges.settle(without, ChallengeStatus.DECLINED, NOW)
    async with store.reading() as tx:
        assert await tx.promises.abandoned(CLUB, 10) == (
            UnusedPromiseRow(f"{5:064x}", ChallengeStatus.EXPIRED, NOW),
            UnusedPromiseRow(f"{3:064x}", ChallengeStatus.WITHDRAWN, NOW),
            UnusedPromiseRow(f"{1:064x}", ChallengeStatus.DECLINED, NOW),
        )
        assert [one.commitment for one in await tx.promises.abandoned(CLUB, 2)] == [
            f"{5:064x}",
            f"{3:064x}",
        ]
        assert len(await tx.promises.abandoned(PUB, 10)) == 1


def test_a_secret_is_not_in_what_a_promise_looks_like() -> None:
    shown = repr(PromiseRow(ChallengeId(1), SECRET, COMMITMENT))
    assert COMMITMENT in shown
    assert SECRET.hex() not in shown
    assert repr(SECRET) not in shown
