"""What a player can do, as values, and the names of seats, piles and phases."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from gin.cards import Card
from gin.melds import Meld


class Seat(IntEnum):
    """A place at the table. Two players sit at A and B; C exists in a rotation only."""

    A = 0
    B = 1
    C = 2

    def __str__(self) -> str:
        return self.name


class Pile(StrEnum):
    """Where a card is drawn from."""

    STOCK = "stock"
    DISCARD = "discard"


class Phase(StrEnum):
    """What a hand waits for."""

    UPCARD = "upcard"
    """The player to move may take the up-card or pass."""
    DRAW = "draw"
    """The player to move draws a card."""
    DISCARD = "discard"
    """The player to move holds eleven cards and discards, or knocks."""
    EXPOSED = "exposed"
    """An illegal knock was announced; the opponent looks or takes back."""
    LAYOFF = "layoff"
    """Someone knocked; the defender arranges his melds and lays off."""
    FIFTIETH = "fiftieth"
    """The stock is down to two; the player to move may take the last discard to knock, or pass."""
    OVER = "over"
    """The hand has ended."""


class Move(StrEnum):
    """The kinds of action, as shown to players and written in the log."""

    PASS = "pass"  # noqa: S105
    DRAW = "draw"
    DISCARD = "discard"
    KNOCK = "knock"
    BIG_GIN = "big-gin"
    LAY_OFF = "layoff"
    LOOK = "look"
    TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Pass:
    """Refuse the up-card, or the fiftieth card."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top card of a pile (the up-card too is taken from the discard pile)."""

    pile: Pile


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay one card face up on the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """End the hand: ``discard`` lies face down, ``melds`` are declared, the rest is deadwood."""

    discard: Card
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class BigGin:
    """Eleven cards in melds, nothing discarded (house option)."""

    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """The defender's one act: his own melds and, in order, the cards laid off."""

    melds: tuple[Meld, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """After an exposed illegal knock: look at the eleven cards."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """After an exposed illegal knock: have it taken back unseen."""


Action = Pass | Draw | Discard | Knock | BigGin | LayOff | Look | TakeBack
