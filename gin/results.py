"""How a hand and a match ended, in values that explain every number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gin.actions import Seat
from gin.cards import Card
from gin.melds import Meld


class Ending(StrEnum):
    """How a hand ended."""

    KNOCK = "knock"
    """The knocker had less deadwood and scores the difference."""
    UNDERCUT = "undercut"
    """The defender had as little or less, and scores the difference and the undercut bonus."""
    GIN = "gin"
    BIG_GIN = "big-gin"
    TIE_DRAWN = "tie-drawn"
    """Equal deadwood where the house plays ties as void hands."""
    TIE_NO_BONUS = "tie-no-bonus"
    """Equal deadwood where the defender wins the hand with no points."""
    STOCK_OUT = "stock-out"
    """Two cards were left in the stock: void."""
    DRAW_CAP = "draw-cap"
    """The cap on draws was reached: void."""
    ABANDONED = "abandoned"
    """The match ended before anybody knocked: void."""

    FORFEITED = "forfeited"
    """A player lost the hand by order of the house; the other scores as for gin."""

    @property
    def is_void(self) -> bool:
        """Whether nothing is scored and no box is won."""
        return self in (
            Ending.TIE_DRAWN,
            Ending.STOCK_OUT,
            Ending.DRAW_CAP,
            Ending.ABANDONED,
        )


@dataclass(frozen=True, slots=True)
class HandResult:
    """A hand that has ended; everything in it lies open.

    ``points = difference * doubling + bonus * doubling`` (or ``bonus`` undoubled, where only the
    difference doubles); all in points.
    """

    number: int
    dealer: Seat
    players: tuple[Seat, Seat]
    ending: Ending
    winner: Seat | None
    points: int
    difference: int
    """Difference of the deadwoods; for gin the defender's deadwood, after a forfeit the loser's.
    Before doubling."""
    bonus: int
    """Gin, big gin or undercut bonus; after a forfeit that of gin. Before doubling."""
    difference_factor: int
    """2 where a spade starter doubles the difference, else 1."""
    bonus_factor: int
    starter: Card
    knock_limit: int
    knocker: Seat | None
    knocker_melds: tuple[Meld, ...]
    knocker_deadwood: tuple[Card, ...]
    knock_discard: Card | None
    defender_melds: tuple[Meld, ...]
    laid_off: tuple[tuple[Card, int], ...]
    """Each laid-off card in order, with the index of the knocker's meld that it joined."""
    defender_deadwood: tuple[Card, ...]
    """The defender's loose cards. Where nobody has knocked these two are empty, but after a
    forfeit: there they are those of the player who forfeited."""
    hands: tuple[tuple[Seat, tuple[Card, ...]], ...]
    """Both players' cards at the end, the non-dealer's first: the knocker's without his face-down
    discard; eleven where somebody held eleven when the hand was broken off or forfeited."""
    by_house: bool = False
    """Whether the lay-off is the defender's best play because a player gave the match up."""

    @property
    def defender(self) -> Seat | None:
        """The knocker's opponent; None if nobody knocked."""
        if self.knocker is None:
            return None
        first, second = self.players
        return second if self.knocker is first else first

    @property
    def loser(self) -> Seat | None:
        """The winner's opponent; None if the hand is void."""
        if self.winner is None:
            return None
        first, second = self.players
        return second if self.winner is first else first


class Decision(StrEnum):
    """What settled who won a match that has a result."""

    TOTAL = "total"
    """The higher final total."""
    REACHED_TARGET = "reached-target"
    """The totals were level: the player who had reached the target."""
    FIRST_TO_TARGET = "first-to-target"
    """The house gives the match to who reaches the target first (Hollywood: closes two games)."""
    GAMES_CLOSED = "games-closed"
    """Hollywood, level totals: who closed more games."""
    HANDS_WON = "hands-won"
    """Level so far: who won more hands."""
    HEAD_TO_HEAD = "head-to-head"
    """Rotation, level so far: points scored against each other."""
    LEVEL = "level"
    """Nothing told the first players apart: drawn, or the place is shared."""
    GAVE_UP = "gave-up"
    """One of two players gave up; the other wins whatever the totals."""


class Reason(StrEnum):
    """Why a match is over."""

    PLAYED_OUT = "played-out"
    RESIGNED = "resigned"
    FORFEITED = "forfeited"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The end of a match. ``places`` and ``totals`` are by seat; equal places are shared."""

    reason: Reason
    winner: Seat | None
    """None when drawn, shared or cancelled."""
    places: tuple[int, ...]
    """1-2-2-4 ranks by seat; empty when cancelled."""
    totals: tuple[int, ...]
    """Final totals by seat, in points."""
    gave_up: Seat | None = None
    """Who resigned or forfeited."""
    decided_by: Decision | None = None
    """What put the first player (or players) first; None when cancelled."""
    points: tuple[int, ...] = ()
    """Hand points by seat, each hand counted once: without boxes and bonuses."""
    hands_won: tuple[int, ...] = ()
    """By seat; void hands count for nobody."""
    hands_played: tuple[int, ...] = ()
    """By seat: the hands that each sat at and that were not void."""
