"""The values that go into storage and come out of it. Every time in them is aware."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from db.ids import (
    ChallengeId,
    ChannelId,
    InteractionId,
    MatchId,
    MessageId,
    PersonId,
    ServerId,
)
from gin import Seat

TABLE_SEAT: Final = -1
"""The seat of a shown message that belongs to nobody: the table itself."""
_NUMBERS: Final = 700_000_001
"""Three times as many fit into 31 bits; no two old messages of one match will share one."""


CLOCK: Final = PersonId(0)
"""Who acts in the log where a player's time was up."""


class MatchStatus(StrEnum):
    """Whether a match goes on, and if not, whether it counts."""

    RUNNING = "running"
    FINISHED = "finished"
    """It has results and counts."""
    CANCELLED = "cancelled"
    """Called off by agreement: kept, without results."""
    VOID = "void"
    """Taken out by an administrator: kept, without results."""


class ChallengeStatus(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class Loss(StrEnum):
    """Why a table stands no more where it stood."""

    MOVED = "moved"
    """Its thread is gone or closed; it stands in the channel of the thread since."""
    GONE = "gone"
    """Its channel is gone: it stands nowhere until somebody moves it."""
    RIGHTS = "rights"
    """A permission is missing there; it stands again once that is back."""


class ShownKind(StrEnum):
    """What a message shows."""

    TABLE = "table"
    """The public table."""
    HAND = "hand"
    """A player's own hand."""
    OLD = "old"
    """A message of any of the other kinds that has to go: it's over, or another came for it."""
    PING = "ping"
    """A call in the channel to a player whose direct messages are closed."""
    GONE = "gone"
    """A word to the others that the player who is to act has left; it goes when he acted.

    One stands in the channel, or one in the direct messages of each, see `word_to`.
    """
    REMINDER = "reminder"
    """A word to a player that his time runs out, or is up; it goes when he has acted."""
    WAITING = "waiting"
    """A word to the others that a player's time is up; it goes when that turn is over."""
    BACK = "back"
    """A word to a player that his vacation is over; it goes when he has acted."""
    IDLE = "idle"
    """That the match may be closed, since nobody plays; it goes when somebody does."""
    NOTICE = "notice"
    """A word to a player that the match has no table; it goes when there is one again."""
    QUESTION = "question"
    """Whether a player agrees to call the match off; it goes when that is settled."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match about to be created; ``people`` by seat, ``rules`` as one line of text."""

    server_id: ServerId
    channel_id: ChannelId
    rules: str
    people: tuple[PersonId, ...]
    created_at: datetime
    challenge_id: ChallengeId | None = None
    rematch_of: MatchId | None = None
    thread_id: ChannelId | None = None
    house: str | None = None
    """The name of the house set whose rules these are."""
    clock: str | None = None
    """As one line of text; None where nobody's time is counted."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match without its log; ``head`` is the number of entries in the log."""

    id: MatchId
    server_id: ServerId
    channel_id: ChannelId
    thread_id: ChannelId | None
    rules: str
    status: MatchStatus
    head: int
    created_at: datetime
    acted_at: datetime
    ended_at: datetime | None
    challenge_id: ChallengeId | None
    rematch_of: MatchId | None
    people: tuple[PersonId, ...]
    house: str | None = None
    """The name of the house set whose rules these are, as it was when they were agreed to."""
    clock: str | None = None


@dataclass(frozen=True, slots=True)
class NewEntry:
    """One event to be added to a match's log; an interaction stands on its first entry only."""

    text: str
    seat: int | None = None
    actor: PersonId | None = None
    interaction_id: InteractionId | None = None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One event of a match's log; ``seq`` counts from 1 without a gap."""

    seq: int
    text: str
    seat: int | None
    actor: PersonId | None
    interaction_id: InteractionId | None
    at: datetime


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a finished match ended for one seat.

    ``points`` are the hand points, ``total`` is what the match settled at, with boxes and bonuses.
    """

    seat: int
    person_id: PersonId
    place: int
    points: int
    total: int
    hands_won: int
    hands_played: int
    won: bool


@dataclass(frozen=True, slots=True)
class NewChallenge:
    """A challenge about to be made; ``rules`` as one line of text."""

    server_id: ServerId
    channel_id: ChannelId
    challenger: PersonId
    opponents: tuple[PersonId, ...]
    rules: str
    created_at: datetime
    expires_at: datetime
    rematch_of: MatchId | None = None
    house: str | None = None
    """The name of the house set whose rules these are, at most 32 characters."""
    clock: str | None = None
    parent_id: ChannelId | None = None
    """The channel to which it belongs, where the challenge stands in a thread."""


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge; ``accepted`` are those of the opponents who have agreed so far."""

    id: ChallengeId
    server_id: ServerId
    channel_id: ChannelId
    message_id: MessageId | None
    challenger: PersonId
    opponents: tuple[PersonId, ...]
    accepted: tuple[PersonId, ...]
    rules: str
    status: ChallengeStatus
    created_at: datetime
    expires_at: datetime
    settled_at: datetime | None
    match_id: MatchId | None
    rematch_of: MatchId | None
    house: str | None = None
    """The name of the house set whose rules these are, as it was when the challenge was made."""
    clock: str | None = None
    parent_id: ChannelId | None = None
    declined_by: PersonId | None = None
    """Who of the challenged declined it, where that is known."""


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """Until when the player to act has time."""

    match_id: MatchId
    seat: int
    turn: int
    """The version of the match at which this turn began."""
    began: datetime
    due: datetime
    """When the time is up; as it was when the clock stopped, while that stands still."""
    remind_at: datetime | None
    """When the player is to be reminded; None once he was, or where he won't be."""
    next_at: datetime | None
    """When something is to be done about it; None: nothing more."""
    stopped_at: datetime | None = None
    """Since when the clock stands still; ``next_at`` is until when, then."""


@dataclass(frozen=True, slots=True)
class VacationRow:
    """A time in which a person's correspondence clocks stand still."""

    person_id: PersonId
    began: datetime
    ends: datetime
    parent_id: ChannelId | None = None


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person as last heard of; ``name`` is empty where none was ever heard."""

    id: PersonId
    name: str
    dm_channel_id: ChannelId | None
    dm_closed: bool


@dataclass(frozen=True, slots=True)
class ServerRow:
    """A server as last heard of."""

    id: ServerId
    name: str
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A message on Discord and the version of the match that it shows."""

    match_id: MatchId
    kind: ShownKind
    seat: int
    """`TABLE_SEAT` for the table; where several may stand a number of its own, see `whose`."""
    channel_id: ChannelId
    message_id: MessageId
    version: int
    posted_at: datetime
    """For an old message: since when it has to go."""

    @property
    def whose(self) -> int:
        """The seat of the player for whom it stands, or of whom it says that he has left.

        `TABLE_SEAT` for the table.
        """
        if self.kind not in (ShownKind.OLD, ShownKind.GONE):
            return self.seat
        return TABLE_SEAT if self.seat < 0 else self.seat % len(Seat)

    @property
    def reader(self) -> int | None:
        """The seat to which a word that somebody has left was sent; None for one to everybody."""
        is_to_one = self.kind is ShownKind.GONE and self.seat >= len(Seat)
        return self.seat // len(Seat) - 1 if is_to_one else None

    def as_old(self, now: datetime) -> ShownRow:
        """The same message as one that has to go: several may, so its id makes the number.

        Those of the table have the negative ones.
        """
        number = self.message_id % _NUMBERS
        number = ~number if self.seat == TABLE_SEAT else number * len(Seat) + self.whose
        return replace(self, kind=ShownKind.OLD, seat=number, version=0, posted_at=now)


def word_to(reader: int, left: int) -> int:
    """The number of the word to one player, by direct message, that another has left."""
    return (reader + 1) * len(Seat) + left


@dataclass(frozen=True, slots=True)
class LostPlace:
    """A place that a match's table has lost, and the seats of those who were told of it."""

    match_id: MatchId
    channel_id: ChannelId
    """Where it can't stand."""
    why: Loss
    told: frozenset[int]
    at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a server's league table; ``points`` is the sum of the matches' totals."""

    rank: int
    person_id: PersonId
    name: str
    played: int
    won: int
    points: int


@dataclass(frozen=True, slots=True)
class UnusedPromiseRow:
    """A commitment that led to no match: what became of its challenge, and when."""

    commitment: str
    status: ChallengeStatus
    settled_at: datetime


@dataclass(frozen=True, slots=True)
class PromiseRow:
    """The secret behind a challenge's shuffles (32 bytes), and its SHA-256 as published."""

    challenge_id: ChallengeId
    secret: bytes
    commitment: str

    def __repr__(self) -> str:
        return f"PromiseRow({self.challenge_id}, <secret>, {self.commitment!r})"


@dataclass(frozen=True, slots=True)
class WordRow:
    """What a player mixes into the shuffles; ``is_own`` if he typed it himself."""

    person_id: PersonId
    word: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class HouseSetRow:
    """A server's named house rules, as one line of text."""

    server_id: ServerId
    name: str
    rules: str
    is_default: bool
    changed_by: PersonId
    changed_at: datetime
    clock: str | None = None


class AdminAct(StrEnum):
    """What an administrator did."""

    MATCH_MOVE = "match-move"
    MATCH_END = "match-end"
    MATCH_VOID = "match-void"
    BLOCK = "block"
    UNBLOCK = "unblock"
    LIMITS = "limits"
    HOUSE_SET = "house-set"
    HOUSE_RESET = "house-reset"
    HOUSE_SAVE = "house-save"
    HOUSE_DEFAULT = "house-default"


@dataclass(frozen=True, slots=True)
class NewAdminAct:
    """An act of an administrator about to be written down."""

    server_id: ServerId
    actor: PersonId
    act: AdminAct
    at: datetime
    match_id: MatchId | None = None
    person_id: PersonId | None = None
    note: str = ""
    """The reason he gave, or what he set."""


@dataclass(frozen=True, slots=True)
class AdminActRow:
    """An act of an administrator as it was written down."""

    id: int
    server_id: ServerId
    actor: PersonId
    act: AdminAct
    at: datetime
    match_id: MatchId | None
    person_id: PersonId | None
    note: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server allows each person."""

    challenges: int = 5
    """Open challenges that one person may have made."""
    matches: int = 25
    """Running matches in which one person may play."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a person wants things."""

    calls: bool = True
    """Whether it notifies him when his turn comes."""
    four_colours: bool = False
    """Whether each suit has a colour of its own on his cards."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a database is."""

    size: int
    """Bytes of the file; 0 where there is none."""
    revision: str
    is_sound: bool | None
    """None where it was too large to be looked through at once."""
