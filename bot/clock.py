"""The clock of a match: how long a turn may take, and what happens when the time is up.

It stands beside the rules, as the other half of what the players agreed on: the rules know no
time (docs/clocks.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final, Self


class Pace(StrEnum):
    """What kind of match a clock makes."""

    LIVE = "live"
    """Everybody stays at the table."""
    CORRESPONDENCE = "correspondence"
    """Everybody plays when there is time; whoever goes on vacation has the clock stand still."""


class TimeUp(StrEnum):
    """What happens to a player whose time is up."""

    PLAY_ON = "play-on"
    """The house plays this turn for him."""
    WAIT = "wait"
    """He is told, and so are the others; nothing else."""
    FORFEIT_HAND = "forfeit-hand"
    """He loses the hand."""
    FORFEIT_MATCH = "forfeit-match"
    """He loses the match."""


SPANS: Final = {
    Pace.LIVE: (timedelta(seconds=30), timedelta(minutes=10)),
    Pace.CORRESPONDENCE: (timedelta(hours=1), timedelta(days=7)),
}
"""The shortest and the longest turn of each pace."""
WARNED_FROM: Final = timedelta(minutes=2)
"""Shorter turns have no reminder: it would come while one is looking at one's cards."""
EARLIEST_WARNING: Final = timedelta(hours=24)
"""Before the time is up, however long the turn is."""


class MalformedClock(ValueError):
    """A turn that no clock allows, or a text that is no clock."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock that a match is played by; raises :class:`MalformedClock`.

    A turn lasts from when a player is to act until another is (or the next hand is dealt): the
    draw and the discard are one turn.
    """

    turn: timedelta
    then: TimeUp = TimeUp.PLAY_ON

    def __post_init__(self) -> None:
        if self.turn % timedelta(seconds=1) or not any(
            shortest <= self.turn <= longest for shortest, longest in SPANS.values()
        ):
            raise MalformedClock(f"no clock gives {self.turn} a turn")

    @property
    def pace(self) -> Pace:
        """Live, or by correspondence."""
        is_live = self.turn <= SPANS[Pace.LIVE][1]
        return Pace.LIVE if is_live else Pace.CORRESPONDENCE

    @property
    def warning(self) -> timedelta | None:
        """How long before the time is up a player is reminded; None where he isn't."""
        if self.turn < WARNED_FROM:
            return None
        return min(self.turn / 5, EARLIEST_WARNING)

    def dump(self) -> str:
        """The clock as one line of text, as it is kept: ``live 120 play-on``."""
        return f"{self.pace} {self.turn // timedelta(seconds=1)} {self.then}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what :meth:`dump` wrote; raise :class:`MalformedClock` for anything else."""
        match text.split(" "):
            case [pace, seconds, then] if (
                seconds.isascii() and seconds.isdigit() and len(seconds) < 8 and then in set(TimeUp)
            ):
                clock = cls(timedelta(seconds=int(seconds)), TimeUp(then))
                if clock.pace == pace:
                    return clock
        raise MalformedClock(f"{text!r} is not a clock")
