"""One match as it stands in memory: the row, the replayed state, and who acted when."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.clock import Clock
from db.ids import ChannelId, MatchId, PersonId
from db.rows import CLOCK, LogEntry, MatchRow
from gin import Deal, Draw, Match, MatchView, Play, Seat, view
from gin.notation import parse_event
from gin.rules import Rules


@dataclass(frozen=True, slots=True)
class Table:
    """A match at one version. A cache of what the log says, never more than that."""

    row: MatchRow
    match: Match
    head: int
    """The version: the number of the newest entry of the log."""
    last_act: dict[Seat, tuple[int, datetime]] = field(default_factory=dict)
    """By seat: version and time of the newest entry that this seat made, or the clock for it."""
    dealt_at: int = 0
    """The version at which the newest hand was dealt (0 before the first deal)."""
    own_act: dict[Seat, tuple[int, datetime]] = field(default_factory=dict)
    """The same of those entries only that the player made himself."""
    missed: dict[Seat, int] = field(default_factory=dict)
    """By seat: the turns in a row that ran out before the player came; none is left out."""
    stood_in: Seat | None = None
    """For whom the clock made the newest act, if it did."""
    entered_at: datetime | None = None
    """When the newest entry was made; None before the first."""
    rested: timedelta = timedelta(0)
    """How long nothing had happened before the newest entry."""

    @classmethod
    def fresh(cls, row: MatchRow) -> Table:
        """A match before its first entry.

        Raises `GinError` or `MalformedClock` for rules or a clock that can't be read.
        """
        if row.clock is not None:
            Clock.parse(row.clock)
        return cls(row, Match.start(Rules.parse(row.rules)), 0)

    def replayed(self, entries: tuple[LogEntry, ...]) -> Table:
        """The match after more entries of its log."""
        match, head, dealt_at, stood_in = self.match, self.head, self.dealt_at, self.stood_in
        entered_at, rested = self.entered_at, self.rested
        acts, own, missed = dict(self.last_act), dict(self.own_act), dict(self.missed)
        for entry in entries:
            event = parse_event(entry.text)
            match = match.after(event)
            if entered_at is not None:
                rested = entry.at - entered_at
            head, entered_at = entry.seq, entry.at
            if isinstance(event, Deal):
                dealt_at = head
            if entry.seat is None:
                if entry.actor is not None:  # an administrator; a deal has nobody
                    stood_in = None
                continue
            seat = Seat(entry.seat)
            acts[seat] = (entry.seq, entry.at)
            if entry.actor == CLOCK:
                stood_in = seat
                if not (isinstance(event, Play) and isinstance(event.action, Draw)):
                    missed[seat] = missed.get(seat, 0) + 1  # each turn has one act but the draw
            else:
                stood_in = None
                own[seat] = (entry.seq, entry.at)
                missed.pop(seat, None)
        return replace(
            self,
            match=match,
            head=head,
            last_act=acts,
            dealt_at=dealt_at,
            own_act=own,
            missed=missed,
            stood_in=stood_in,
            entered_at=entered_at,
            rested=rested,
        )

    @property
    def id(self) -> MatchId:
        """The match's number."""
        return self.row.id

    @property
    def people(self) -> tuple[PersonId, ...]:
        """Who plays, by seat."""
        return self.row.people

    @property
    def channel(self) -> ChannelId:
        """Where the table stands: its thread, or the channel."""
        return self.row.thread_id or self.row.channel_id

    def seat_of(self, person: PersonId) -> Seat | None:
        """The person's seat, or None for a spectator."""
        return Seat(self.people.index(person)) if person in self.people else None

    @property
    def acted_at(self) -> datetime:
        """When something last happened in the match."""
        return self.entered_at or self.row.acted_at

    @property
    def clock(self) -> Clock | None:
        """What a turn's time is, by the terms of the match; None where nobody's is counted."""
        return None if self.row.clock is None else Clock.parse(self.row.clock)

    def view(self, seat: Seat | None) -> MatchView:
        """What this seat (None: everybody) may see."""
        return view(self.match, seat)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    def awaits(self, seat: Seat) -> bool:
        """Whether it is this seat's turn to act."""
        return not self.is_over and self.match.to_move == seat

    def due(self, seat: Seat) -> int:
        """The version that this seat's private hand must show at least.

        Everything when the seat is to act or the match is over; else its own newest act, since
        what others do in between stands on the table.
        """
        if self.is_over or self.match.to_move == seat:
            return self.head
        return max(self.last_act.get(seat, (0,))[0], self.dealt_at)

    @property
    def turn(self) -> tuple[Seat, int] | None:
        """Whose turn it is, and the version at which it began; None where nobody is to act."""
        seat = self.match.to_move
        return None if seat is None else (seat, self.turn_since(seat))

    def turn_since(self, seat: Seat) -> int:
        """The version at which this seat's present turn began: the newest act of another seat."""
        others = [seq for other, (seq, _at) in self.last_act.items() if other != seat]
        return max([self.dealt_at, *others])
