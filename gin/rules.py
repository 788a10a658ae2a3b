"""House options: one immutable, validated value; presets are values of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scoring(StrEnum):
    """How hands add up to a match."""

    GAME = "game"
    HOLLYWOOD = "hollywood"
    ROTATION = "rotation"


class Limit(StrEnum):
    """Knock limits that aren't a fixed number of points."""

    UPCARD = "upcard"
    """The value of the starter, for the whole hand (Oklahoma)."""


class OklahomaAce(StrEnum):
    """What an ace as starter allows."""

    ONE = "one"
    GIN = "gin"


class SpadesDouble(StrEnum):
    """What a spade as starter doubles."""

    OFF = "off"
    DIFFERENCE = "difference"
    ALL = "all"


class Tie(StrEnum):
    """What equal deadwood means."""

    UNDERCUT = "undercut"
    DRAW = "draw"
    NO_BONUS = "no_bonus"


class BoxTiming(StrEnum):
    """When box points are added."""

    AT_END = "at_end"
    AT_ONCE = "at_once"


class Winner(StrEnum):
    """Who wins a finished game."""

    TOTAL = "total"
    FIRST_TO_TARGET = "first_to_target"


class Shutout(StrEnum):
    """What the winner gets when the loser won no hand."""

    NONE = "none"
    DOUBLE = "double"
    PLUS_100 = "plus_100"


class NextDealer(StrEnum):
    """Who deals after a hand that was won."""

    ALTERNATE = "alternate"
    LOSER = "loser"
    WINNER = "winner"


class IllegalKnock(StrEnum):
    """What a declared knock over the limit costs."""

    REFUSE = "refuse"
    EXPOSE = "expose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a match is played: each field one house option of rules.md, all points as whole numbers."""

    knock_limit: int | Limit = 10
    oklahoma_ace: OklahomaAce = OklahomaAce.ONE
    spades_double: SpadesDouble = SpadesDouble.OFF
    big_gin: int | None = None
    strict_bridge: bool = False
    gin_bonus: int = 25
    undercut_bonus: int = 25
    tie: Tie = Tie.UNDERCUT
    fiftieth_card: bool = False
    draw_cap: int = 100
    illegal_knock: IllegalKnock = IllegalKnock.REFUSE
    target: int = 100
    game_bonus: int = 100
    box_bonus: int = 25
    box_timing: BoxTiming = BoxTiming.AT_END
    winner: Winner = Winner.TOTAL
    shutout: Shutout = Shutout.NONE
    next_dealer: NextDealer = NextDealer.ALTERNATE
    scoring: Scoring = Scoring.GAME
    finish_rotation: bool = False
