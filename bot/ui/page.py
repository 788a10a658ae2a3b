"""What is sent to Discord: a layout of components and the pictures that belong to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import discord

from bot.clock import Clock
from gin.actions import Seat
from gin.proof import Checked, Finding
from gin.rules import Rules
from gin.views import MatchView


class Layout(discord.ui.LayoutView):
    """A tree of components that discord.py sends and forgets.

    discord.py keeps every view that is not finished, to call its objects later. Ours are routed
    by custom id (:mod:`bot.ui.controls`), so it always says that it is finished; ``stop()`` alone
    would not do for a layout that is built outside the event loop.
    """

    def __init__(self) -> None:
        super().__init__(timeout=None)

    def is_finished(self) -> bool:
        """Always: discord.py then stores nothing."""
        return True

    def to_components(self) -> list[dict[str, Any]]:  # Any: Discord's JSON, as discord.py has it
        """The components as Discord's API takes them."""
        return [item.to_component_dict() for item in self.children]


class Form(discord.ui.Modal):
    """A modal that discord.py sends and forgets, like :class:`Layout`."""

    def is_finished(self) -> bool:
        """Always: discord.py then stores nothing."""
        return True


@dataclass(frozen=True, slots=True)
class Picture:
    """What is attached to a message: a picture still to be drawn, or a file to be kept.

    ``render`` gives its bytes (PNG for pictures); it is pure and picklable, meant for a worker
    thread. ``name`` and ``alt`` say no more than the viewer may know.
    """

    name: str
    alt: str
    render: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Page:
    """One message: ``layout`` refers to ``pictures`` as ``attachment://<name>``."""

    layout: Layout
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesShown:
    """The rules that somebody reads about: of a match, or those that are usual on a server."""

    rules: Rules
    house: str | None = None
    """The name of the house set that they are based on, not escaped."""
    clock: str = ""
    """What is agreed on of a turn's time (:func:`bot.ui.clocks.clock_terms`)."""
    match_id: int = 0
    """The match that is played by them; 0 for those of the server."""
    note: str = ""
    """Whose rules they are (markdown of ours)."""


@dataclass(frozen=True, slots=True)
class PersonShown:
    """A person as shown: the Discord id and the name last seen, not escaped."""

    id: int
    name: str

    @property
    def has_gone(self) -> bool:
        """Whether this is a former player, whose number Discord doesn't know: no mention of it."""
        return self.id < 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a moderator made of a match."""

    is_void: bool
    """Whether its result was taken out; else the match was ended without one."""
    reason: str = ""
    """Not escaped."""


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match as one viewer sees it: ``view`` holds nothing that he may not know."""

    match_id: int
    version: int
    """The head of the match's log that the view shows."""
    view: MatchView
    people: tuple[PersonShown, ...]
    """By seat."""
    table_url: str | None
    """Link to the table message, if there is one."""
    deadline: datetime | None = None
    """Until when the player to act has time, or had, where ``time_is_up``; None where nobody's
    time is counted, and while the clock stands still."""
    four_colours: bool = False
    """Whether the reader wants a colour for each suit."""
    house: str | None = None
    """The name of the house set whose rules these are, not escaped."""
    clock: Clock | None = None
    """What a turn's time is, by the terms of the match."""
    time_is_up: bool = False
    """Whether the deadline has passed and everybody waits."""
    back_by: datetime | None = None
    """Until when the clock stands still at most, since the player to act is on vacation."""
    vacation_over: bool = False
    """Whether the player to act was on vacation in this turn, and his clock runs again."""
    server_away: bool = False
    """Whether the clock stands still since the server of the match can't be served."""
    stood_in: Seat | None = None
    """For whom the house did what was done last, since his time was up."""
    may_close: bool = False
    """Whether nobody has played for so long that either player may close the match."""
    has_table: bool = True
    """Whether the table can be shown at present."""
    channel_gone: bool = False
    """Whether it can't since its channel is gone, so that somebody has to move it."""
    ruling: Ruling | None = None
    """What a moderator made of the match, if one did."""
    closed_idle: Seat | None = None
    """Who closed the match, after nobody had played for two weeks."""
    left: tuple[Seat, ...] = ()
    """Who had left the server when the others called the match off."""
    generation: int = 0
    """The database's generation: controls from before it was set back count no more."""

    def person(self, seat: Seat) -> PersonShown:
        """Who sits there."""
        return self.people[seat]


@dataclass(frozen=True, slots=True)
class ChallengeShown:
    """An invitation to play."""

    challenge_id: int
    challenger: PersonShown
    opponents: tuple[PersonShown, ...]
    rules: Rules
    expires_at: datetime
    accepted: tuple[int, ...] = ()
    """Ids of the opponents who have accepted already (three players)."""
    note: str | None = field(default=None)
    """One more sentence of ours, such as that this is a rematch."""
    commitment: str = ""
    """The SHA-256 of the secret behind the shuffles, as 64 hexadecimal digits."""
    words: tuple[int, ...] = ()
    """Ids of the people who have added a word of their own."""
    house: str | None = None
    """The name of the house set whose rules these are, not escaped."""
    clock: Clock | None = None
    added: tuple[AddedWord, ...] = ()
    """What each player mixed in, by the order of the players; shown once the challenge is accepted,
    before the deal."""


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that still waits for an answer, and where it stands."""

    shown: ChallengeShown
    url: str | None = None


class UnusedPromise(NamedTuple):
    """A promise that led to no match."""

    commitment: str
    became: str
    """What became of its challenge: ``declined``, ``withdrawn`` or ``expired``."""
    when: datetime


class AddedWord(NamedTuple):
    """What one player mixed into the shuffles."""

    person: PersonShown
    word: str
    """Not escaped; where it is not his own, the number of the interaction it was made from."""
    is_own: bool
    """Whether he typed it himself."""


@dataclass(frozen=True, slots=True)
class VerifyShown:
    """All that people see of how a match was shuffled."""

    match_id: int
    people: tuple[PersonShown, ...]
    """By seat."""
    commitment: str
    """64 hexadecimal digits, published before anybody added a word; empty where none was."""
    is_over: bool
    """Whether the match is over, and so its secret revealed."""
    contributions: tuple[AddedWord, ...]
    findings: tuple[Finding, ...] | None
    """What was found; None where the record can't be checked."""
    hands: int
    """How many hands have been dealt."""
    abandoned: tuple[UnusedPromise, ...] = ()
    """Promises on this server that led to no match, newest first."""
    file_name: str | None = None
    """Such as ``ginhouse-17.json``."""
    file: bytes | None = None

    @property
    def holds(self) -> bool:
        """Whether everything that was checked is as it should be."""
        return self.findings is not None and all(found.holds for found in self.findings)

    @property
    def hands_checked(self) -> int:
        """How many hands' decks were checked."""
        found = self.findings or ()
        return sum(one.checked is Checked.DECK for one in found)


@dataclass(frozen=True, slots=True)
class HouseSet:
    """A server's named house rules."""

    name: str
    """Not escaped."""
    rules: Rules
    is_default: bool = False
    clock: Clock | None = None
    """The clock of a challenge that chooses none."""


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """One line of the leaderboard; ranks are 1-2-2-4."""

    rank: int
    person: PersonShown
    played: int
    won: int
    points: int
