"""What happens to a match, as values: the entries of its log, and what it waits for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gin.actions import Action, Seat
from gin.cards import Card


class Needs(StrEnum):
    """What a running match waits for."""

    CUT = "cut"
    """The players' cut: for the first dealer, or for the seats of a rotation."""
    DEAL = "deal"
    """A shuffled deck for the next hand."""
    PLAY = "play"
    """An act of the player to move."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The cards that the players cut, in the order in which they were cut.

    First one card each, in the order in which the people sat down; then one for each of the
    players who were level, and so on (see :func:`gin.cut.cut_order`).
    """

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand's deck: all 52 cards, the top card first."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A player's act in the hand."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Resign:
    """A player gives the match up; he need not be on turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A player loses the match by order of the house (say, his clock ran out)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ForfeitHand:
    """The player to move loses the hand by order of the house (say, his clock ran out)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Cancel:
    """The match is called off by agreement: no result."""


Event = Cut | Deal | Play | Resign | Forfeit | ForfeitHand | Cancel
