"""Shuffles that anybody can check afterwards (docs/fair-shuffle.md).

The house commits to a secret before the players add their words; each hand's deck then follows
from both by HMAC-SHA-256. Nothing here chooses anything: secrets and words come in as data.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gin.cards import DECK, Card
from gin.cut import cut_from
from gin.errors import Malformed

FORMAT: Final = "ginhouse-shuffle-1"
SECRET_BYTES: Final = 32
_WORD: Final = 4
"""Bytes of the stream for one draw."""


class MalformedProof(Malformed):
    """A record of shuffles that cannot be read; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one player mixed in: ``by`` is the Discord id as text, ``word`` any text."""

    by: str
    word: str


def commitment_of(secret: bytes) -> str:
    """The SHA-256 of the secret, as 64 hexadecimal digits: published before anybody adds a word."""
    if len(secret) != SECRET_BYTES:
        raise MalformedProof(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes, contributions: Sequence[Contribution]) -> bytes:
    """The match's seed: the contributions, in the order of the players, under the secret.

    Each text goes in behind its length in bytes, so that no two lists read the same.
    """
    message = bytearray(FORMAT.encode())
    for contribution in contributions:
        for text in (contribution.by, contribution.word):
            encoded = text.encode()
            message += len(encoded).to_bytes(4, "big") + encoded
    return hmac.digest(secret, bytes(message), "sha256")


def cut_key(seed: bytes) -> bytes:
    """The key of the deck from which the players cut."""
    return hmac.digest(seed, b"cut", "sha256")


def hand_key(seed: bytes, number: int) -> bytes:
    """The key of hand ``number`` (1 for the first deal; void hands count).

    Knowing one hand's key tells nothing about the seed, and so nothing about another hand.
    """
    return hmac.digest(seed, b"hand %d" % number, "sha256")


def deck_of(key: bytes) -> tuple[Card, ...]:
    """The deck that follows from a key: Fisher and Yates's shuffle, every order equally likely."""
    deck = list(DECK)
    draw = _draws(key)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(last + 1, draw)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def cut_of(seed: bytes, players: int) -> tuple[Card, ...]:
    """The cards that ``players`` cut for the deal, or for the seats of a rotation."""
    return cut_from(deck_of(cut_key(seed)), players)


def _draws(key: bytes) -> Iterator[int]:
    """Numbers of 32 bits: block after block of HMAC-SHA-256 over a counter of 8 bytes."""
    block = 0
    while True:
        stream = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        for start in range(0, len(stream), _WORD):
            yield int.from_bytes(stream[start : start + _WORD], "big")
        block += 1


def _below(limit: int, draws: Iterator[int]) -> int:
    """A number from 0 to ``limit - 1``; draws that would favour the smaller ones are rejected."""
    fair = (1 << 8 * _WORD) // limit * limit
    return next(number % limit for number in draws if number < fair)
