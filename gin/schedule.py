"""Who deals, who plays and who sits out (docs/rules.md, the deal goes round)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gin.actions import Seat
from gin.results import HandResult
from gin.rules import NextDealer, Rules, Scoring


@dataclass(frozen=True, slots=True)
class Pairing:
    """The seats of one hand."""

    dealer: Seat
    other: Seat
    out: Seat | None
    """Who sits the hand out; None when two play the match."""


def seats(rules: Rules) -> tuple[Seat, ...]:
    """The seats of a match: A and B, in a rotation also C."""
    return tuple(Seat)[: rules.players]


def decided(results: Sequence[HandResult]) -> int:
    """How many of these hands were not void."""
    return sum(not result.ending.is_void for result in results)


def next_pairing(rules: Rules, first_dealer: Seat, results: Sequence[HandResult]) -> Pairing:
    """Who plays the hand after ``results``; a void hand is dealt again to the same pair."""
    if rules.scoring is Scoring.ROTATION:
        return rotation_pairing(decided(results))
    dealer = _next_dealer(rules, first_dealer, results)
    return Pairing(dealer, _other(dealer), None)


def rotation_pairing(hands: int) -> Pairing:
    """The pair after ``hands`` decided hands of a rotation.

    A deals first and C sits out, then B deals and A sits out, then C deals and B sits out.
    """
    turn = hands % 3
    return Pairing(Seat(turn), Seat((turn + 1) % 3), Seat((turn + 2) % 3))


def _next_dealer(rules: Rules, first_dealer: Seat, results: Sequence[HandResult]) -> Seat:
    if not results:
        return first_dealer
    last = results[-1]
    if last.winner is None or last.loser is None:
        return last.dealer
    match rules.next_dealer:
        case NextDealer.ALTERNATE:
            return _other(last.dealer)
        case NextDealer.WINNER:
            return last.winner
        case NextDealer.LOSER:
            return last.loser


def _other(seat: Seat) -> Seat:
    return Seat.B if seat is Seat.A else Seat.A
