"""Score sheets: one game, three Hollywood games side by side, or a rotation's columns."""

from __future__ import annotations

from dataclasses import dataclass

from gin.actions import Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game: hand ``hand`` (its number in the match) brought ``seat`` points.

    ``points`` includes a box added at once, where the house plays it so (``box`` says how much).
    """

    hand: int
    seat: Seat
    points: int
    box: int
    running: int
    """The seat's points in this game after the entry."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one seat's total in one game is made of, all in points.

    ``total = hand_points + game_bonus + box_points + shutout_bonus``.
    """

    seat: Seat
    hand_points: int
    game_bonus: int
    boxes: int
    """Hands won (entries in this game): a count."""
    box_points: int
    shutout_bonus: int
    total: int


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game: its entries, and when it is closed (or the match over) its settlement."""

    entries: tuple[Entry, ...]
    points: tuple[int, ...]
    """By seat, so far."""
    boxes: tuple[int, ...]
    """Hands won, by seat."""
    opened: tuple[bool, ...]
    """By seat: whether this player has an entry here."""
    scorer: Seat | None
    """Who reached the target first, closing the game."""
    settlement: tuple[Settlement, ...] | None
    winner: Seat | None = None
    """Of a closed two-player game: who won it. A rotation's order stands in its outcome."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole score sheet: one game, or Hollywood's three."""

    games: tuple[GameSheet, ...]
    totals: tuple[int, ...]
    """By seat: the settled games' totals, and the points so far of the running ones."""
