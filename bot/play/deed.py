"""Deeds: whoever serves somebody is told at once of what is committed in that person's name.

So it is known, and shown to the others, also where something fails between that and the answer.
Nobody is told of what the house does by itself, say when a clock runs out: whoever does that shows
it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from db.ids import ChallengeId, MatchId


class Witness(Protocol):
    """Who is told of what is committed."""

    in_parts: bool
    """Whether what was asked for is being committed in more than one part."""

    def match_changed(self, match: MatchId) -> None:
        """Something was committed, or may have been, that this match's messages show."""

    def challenge_changed(self, challenge: ChallengeId) -> None:
        """The same of a challenge."""


_witness: ContextVar[Witness | None] = ContextVar("witness", default=None)


def witnessed_by(witness: Witness) -> None:
    """Have this witness told, in the present task, from here on."""
    _witness.set(witness)


def match_changed(match: MatchId) -> None:
    """Tell the witness, if there is one, of a match."""
    witness = _witness.get()
    if witness is not None:
        witness.match_changed(match)


def challenge_changed(challenge: ChallengeId) -> None:
    """Tell the witness, if there is one, of a challenge."""
    witness = _witness.get()
    if witness is not None:
        witness.challenge_changed(challenge)


@contextmanager
def in_parts() -> Iterator[None]:
    """Commit in more than one part what one person asked for: if one fails, some of it counts."""
    witness = _witness.get()
    if witness is not None:
        witness.in_parts = True
    yield
    if witness is not None:
        witness.in_parts = False
