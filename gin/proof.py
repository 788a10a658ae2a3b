"""The record of a match's shuffles, written to be checked by anyone: ``python -m gin verify``.

With the secret revealed everything is recomputed from it. While a match runs the record holds no
secret, only the keys of hands that have ended; those hands' decks are recomputed from their keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, islice
from typing import Final

from gin.cards import DECK, Card, format_cards, parse_cards
from gin.errors import GinError, Malformed
from gin.fair import (
    FORMAT,
    Contribution,
    MalformedProof,
    commitment_of,
    cut_of,
    deck_of,
    hand_key,
    seed_of,
)

NAMED: Final = 5
"""So many hands that a record leaves out are named."""


@dataclass(frozen=True, slots=True)
class DealtHand:
    """One hand as it was dealt; ``key`` is None where only the secret can tell it."""

    number: int
    deck: tuple[Card, ...]
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """All that can be checked of a match's shuffles."""

    match: int
    players: int
    commitment: str
    secret: bytes | None
    """None while the match runs."""
    contributions: tuple[Contribution, ...]
    cut: tuple[Card, ...]
    hands: tuple[DealtHand, ...]
    ended: int | None = None
    """How many hands had ended when this was written; None in an older record, which may lack the
    last ones unseen."""

    def dump(self) -> str:
        """Write the record as JSON, as :func:`parse_proof` reads it."""
        return json.dumps(
            {
                "format": FORMAT,
                "match": self.match,
                "players": self.players,
                "commitment": self.commitment,
                "secret": None if self.secret is None else self.secret.hex(),
                "contributions": [{"by": one.by, "word": one.word} for one in self.contributions],
                "cut": format_cards(self.cut),
                **({} if self.ended is None else {"ended": self.ended}),
                "hands": [
                    {
                        "number": hand.number,
                        "key": None if hand.key is None else hand.key.hex(),
                        "deck": format_cards(hand.deck),
                    }
                    for hand in self.hands
                ],
            },
            indent=1,
            ensure_ascii=False,
        )


class Checked(StrEnum):
    """What was looked at."""

    COMMITMENT = "commitment"
    """Whether the secret is the one behind the commitment."""
    CUT = "cut"
    """Whether the cut follows from secret and words."""
    KEY = "key"
    """Whether the key given for a hand is the one that follows."""
    DECK = "deck"
    """Whether a hand's deck is the one that follows."""
    LATER = "later"
    """Nothing: the secret is still to be revealed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked, and what came of it."""

    checked: Checked
    holds: bool
    hand: int | None = None
    """The hand's number, for its key and its deck."""
    place: int | None = None
    """The first card of the deck that differs, counted from 1."""
    given: tuple[Card, ...] = ()
    """What the record has: the cut, or the card that differs."""
    follows: tuple[Card, ...] = ()
    """What follows in its place."""

    @property
    def says(self) -> str:
        """The finding as a sentence, in English (pages have words of their own)."""
        return _sentence(self)


def _sentence(found: Finding) -> str:
    match found.checked, found.holds:
        case Checked.COMMITMENT, True:
            return "the secret is the one that was committed to before the match"
        case Checked.COMMITMENT, False:
            return "the secret is not the one that was committed to"
        case Checked.CUT, True:
            return f"the cut {format_cards(found.follows)} follows from secret and words"
        case Checked.CUT, False:
            return (
                f"the cut was {format_cards(found.given)}, and {format_cards(found.follows)} "
                "follows (players whose cards are level cut again)"
            )
        case Checked.KEY, _:
            return f"hand {found.hand}: the key given is not the one that follows"
        case Checked.DECK, True:
            return f"hand {found.hand}: all 52 cards are where they should be"
        case Checked.DECK, False:
            return (
                f"hand {found.hand}: card {found.place} of the deck was "
                f"{format_cards(found.given)}, and {format_cards(found.follows)} follows"
            )
        case _:
            return "the match is running: its secret is revealed when it is over"


def check(proof: Proof) -> tuple[Finding, ...]:
    """Check a record: the commitment, the cut, and every card of every deck.

    Raise :class:`~gin.errors.GinError` for a record that cannot be checked.
    """
    return tuple(_with_secret(proof, proof.secret) if proof.secret else _without_secret(proof))


def _with_secret(proof: Proof, secret: bytes) -> Iterator[Finding]:
    yield Finding(Checked.COMMITMENT, commitment_of(secret) == proof.commitment)
    seed = seed_of(secret, proof.contributions)
    cut = cut_of(seed, proof.players)
    yield Finding(Checked.CUT, cut == proof.cut, given=proof.cut, follows=cut)
    for hand in proof.hands:
        key = hand_key(seed, hand.number)
        if hand.key is not None and hand.key != key:
            yield Finding(Checked.KEY, False, hand.number)
        yield _compared(hand, key)


def _without_secret(proof: Proof) -> Iterator[Finding]:
    yield Finding(Checked.LATER, True)
    for hand in proof.hands:
        if hand.key is not None:
            yield _compared(hand, hand.key)


def _compared(hand: DealtHand, key: bytes) -> Finding:
    wanted = deck_of(key)
    for place, (dealt, right) in enumerate(zip(hand.deck, wanted, strict=True), start=1):
        if dealt != right:
            return Finding(Checked.DECK, False, hand.number, place, (dealt,), (right,))
    return Finding(Checked.DECK, True, hand.number)


def parse_proof(text: str) -> Proof:
    """Read a record; raise :class:`MalformedProof` with what is wrong."""
    try:
        # Nothing is known of a file from outside; each part is checked on the way.
        record: object = json.loads(text)
    except (ValueError, RecursionError):
        raise MalformedProof("the file is not JSON") from None
    fields = _object(record, "the file")
    if fields.get("format") != FORMAT:
        raise MalformedProof(f"the format is {fields.get('format')!r}, not {FORMAT!r}")
    try:
        return Proof(
            match=_number(fields, "match"),
            players=_number(fields, "players"),
            commitment=_text(fields, "commitment").lower(),
            secret=_hex(fields, "secret"),
            contributions=tuple(
                Contribution(_text(one, "by"), _text(one, "word"))
                for one in _objects(fields, "contributions")
            ),
            cut=parse_cards(_text(fields, "cut")),
            hands=tuple(_hand(one) for one in _objects(fields, "hands")),
            ended=_number(fields, "ended") if "ended" in fields else None,
        )
    except MalformedProof:
        raise
    except Malformed as error:
        raise MalformedProof(str(error)) from error


def _hand(fields: Mapping[str, object]) -> DealtHand:
    number = _number(fields, "number")
    words = _text(fields, "deck").split()
    if len(words) != len(DECK):
        raise MalformedProof(f"hand {number}: the deck has {len(words)} cards")
    return DealtHand(number, tuple(_cards(number, words)), _hex(fields, "key"))


def _cards(hand: int, words: Sequence[str]) -> Iterator[Card]:
    """The cards of a deck; one may stand twice, which the check finds and names."""
    for place, word in enumerate(words, start=1):
        try:
            yield Card.parse(word)
        except Malformed as error:
            raise MalformedProof(f"hand {hand}, card {place} of the deck: {error}") from error


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise MalformedProof(f"{what} is not an object")
    return value


def _objects(fields: Mapping[str, object], name: str) -> tuple[Mapping[str, object], ...]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise MalformedProof(f"{name} is not a list")
    return tuple(_object(one, f"a part of {name}") for one in value)


def _number(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 63:
        raise MalformedProof(f"{name} is not a number")
    return value


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise MalformedProof(f"{name} is not a text")
    return value


def _hex(fields: Mapping[str, object], name: str) -> bytes | None:
    value = fields.get(name)
    if value is None:
        return None
    try:
        found = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        found = b""
    if len(found) != 32:
        raise MalformedProof(f"{name} is not 64 hexadecimal digits")
    return found


def report(proof: Proof) -> tuple[bool, tuple[str, ...]]:
    """Whether everything holds, and what to print of it, line by line, in English."""
    try:
        findings = check(proof)
    except GinError as error:
        return False, (f"cannot be checked: {error}",)
    lines = [f"match {proof.match}, commitment {proof.commitment}"]
    lines += [f"word of {one.by}: {one.word!r}" for one in proof.contributions]
    lines += [f"{_mark(one)} {one.says}" for one in findings]
    decks = sum(one.checked is Checked.DECK for one in findings)
    if missing := _missing(proof):
        lines.append(f"none  missing from the record: {missing}")
    if not decks:
        lines.append("none  no deck was checked: the record holds no hand that can be checked")
    holds = all(one.holds for one in findings)
    lines.append(_outcome(proof, decks, holds=holds))
    return holds, tuple(lines)


def _missing(proof: Proof) -> str:
    """The hands that the record leaves out: before its last one, and after it if it says so."""
    there = {hand.number for hand in proof.hands if hand.number > 0}
    left_out = max(proof.ended or 0, *there, 0) - len(there)
    first = islice((number for number in count(1) if number not in there), min(left_out, NAMED))
    named = ", ".join(f"hand {number}" for number in first)
    return f"{named} and {left_out - NAMED} more" if left_out > NAMED else named


def _mark(found: Finding) -> str:
    if found.checked is Checked.LATER:
        return "later"
    return "ok   " if found.holds else "WRONG"


def _outcome(proof: Proof, decks: int, *, holds: bool) -> str:
    if not holds:
        return "This record does not hold."
    if not decks:
        return "Nothing is wrong with this record, but it says nothing of any deck."
    if _missing(proof):
        return "All that the record holds follows, but not every hand is in it."
    if proof.secret is None:
        return (
            "So far as can be told before the secret is known, everything follows: decks and keys "
            "belong together."
        )
    if proof.ended is None:
        return (
            "Everything follows in each hand that the record holds; it is an older one, and "
            "doesn't say how many there were."
        )
    return "Everything follows."
