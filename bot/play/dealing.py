"""Dealing: decks that follow from a promised secret and the players' words, hand by hand.

The secret is made here, by the operating system's generator, and published as its SHA-256 before
anybody accepts; everything else follows from it (:mod:`gin.fair`, docs/fair-shuffle.md).
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Final

from db.ids import ChallengeId, MatchId, PersonId
from db.rows import WordRow
from db.store import Transaction
from gin import Card
from gin.fair import SECRET_BYTES, Contribution, commitment_of, cut_of, deck_of, hand_key, seed_of

KEPT_IN_MEMORY: Final = 1024


def new_secret() -> tuple[bytes, str]:
    """A fresh secret, and the commitment to be published of it."""
    secret = secrets.token_bytes(SECRET_BYTES)
    return secret, commitment_of(secret)


def contributions(
    people: tuple[PersonId, ...], words: dict[PersonId, WordRow]
) -> tuple[Contribution, ...]:
    """What each player mixed in, in the order in which they sat down (the challenger first)."""
    return tuple(
        Contribution(str(person), words[person].word if person in words else "")
        for person in people
    )


def cut_cards(seed: bytes, players: int) -> tuple[Card, ...]:
    """The cards that the players cut."""
    return cut_of(seed, players)


def hand_deck(seed: bytes, number: int) -> tuple[Card, ...]:
    """The deck of hand ``number`` (1 for the first deal; void hands count)."""
    return deck_of(hand_key(seed, number))


class Dealer:
    """Knows the seed of each match, read from what was promised and added."""

    def __init__(self) -> None:
        self._seeds: OrderedDict[MatchId, bytes] = OrderedDict()

    async def of_challenge(self, tx: Transaction, challenge_id: ChallengeId) -> bytes | None:
        """The seed of the match that a challenge becomes, or None where nothing was promised."""
        promise = await tx.promises.get(challenge_id)
        challenge = await tx.challenges.get(challenge_id)
        if promise is None or challenge is None:
            return None
        words = await tx.promises.words(challenge_id)
        people = (challenge.challenger, *challenge.opponents)
        return seed_of(promise.secret, contributions(people, words))

    async def of_match(
        self, tx: Transaction, match: MatchId, challenge_id: ChallengeId | None
    ) -> bytes | None:
        """The seed of a running match, or None for one that was opened without a promise."""
        seed = self._seeds.get(match)
        if seed is None and challenge_id is not None:
            seed = await self.of_challenge(tx, challenge_id)
            if seed is not None:
                self._seeds[match] = seed
        if len(self._seeds) > KEPT_IN_MEMORY:
            self._seeds.popitem(last=False)
        return seed
