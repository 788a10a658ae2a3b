"""One match as it stands in memory: the row, the replayed state, and who acted when."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from db.ids import ChannelId, MatchId, PersonId
from db.rows import LogEntry, MatchRow
from gin import Deal, Match, MatchView, Seat, view
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
    """By seat: version and time of the newest entry that this seat made."""
    dealt_at: int = 0
    """The version at which the newest hand was dealt (0 before the first deal)."""

    @classmethod
    def fresh(cls, row: MatchRow) -> Table:
        """A match before its first entry."""
        return cls(row, Match.start(Rules.parse(row.rules)), 0)

    def replayed(self, entries: tuple[LogEntry, ...]) -> Table:
        """The match after more entries of its log."""
        match, head, acts, dealt_at = self.match, self.head, dict(self.last_act), self.dealt_at
        for entry in entries:
            event = parse_event(entry.text)
            match = match.after(event)
            head = entry.seq
            if isinstance(event, Deal):
                dealt_at = head
            if entry.seat is not None:
                acts[Seat(entry.seat)] = (entry.seq, entry.at)
        return replace(self, match=match, head=head, last_act=acts, dealt_at=dealt_at)

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

    def turn_since(self, seat: Seat) -> int:
        """The version at which this seat's present turn began: the newest act of another seat."""
        others = [seq for other, (seq, _at) in self.last_act.items() if other != seat]
        return max([self.dealt_at, *others])
