"""A match as it is beside what of it stands on Discord: which parts are behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.now import Now
from bot.play.table import Table
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from gin import Seat

EDITABLE_FOR: Final = timedelta(minutes=50)
"""Discord throttles edits of messages older than an hour."""


def is_old(row: ShownRow, now: Now) -> bool:
    """Whether a message is too old to be edited at every move."""
    return now() - row.posted_at > EDITABLE_FOR


@dataclass(frozen=True, slots=True)
class Standing:
    """One look at a match. A part is a seat's hand, by its number, or the table (`TABLE_SEAT`)."""

    table: Table
    rows: dict[tuple[ShownKind, int], ShownRow]
    again: frozenset[int] = frozenset()
    """Parts to be shown once more, though nothing happened: what they say of the clock is old."""
    private: frozenset[int] = frozenset()
    """Seats to which a private answer shows less than it must, or what is hidden again by now."""

    @classmethod
    def of(cls, table: Table, rows: tuple[ShownRow, ...]) -> Standing:
        """Put a match and its messages together."""
        return cls(table, {(row.kind, row.seat): row for row in rows})

    @property
    def on_table(self) -> ShownRow | None:
        """The table message."""
        return self.rows.get((ShownKind.TABLE, TABLE_SEAT))

    def hand(self, seat: Seat) -> ShownRow | None:
        """The message with a seat's hand."""
        return self.rows.get((ShownKind.HAND, seat))

    def old(self, part: int) -> list[ShownRow]:
        """The messages that showed a part, or were for its player, and have to go."""
        rows = self.rows.values()
        return [row for row in rows if row.kind is ShownKind.OLD and row.whose == part]

    def ping(self, seat: Seat) -> ShownRow | None:
        """The call in the channel for a seat whose direct messages are closed."""
        return self.rows.get((ShownKind.PING, seat))

    def gone(self, seat: Seat) -> ShownRow | None:
        """The word to the others that this seat's player has left."""
        return self.rows.get((ShownKind.GONE, seat))

    def calls_over(self, seat: Seat) -> list[ShownRow]:
        """The calls, reminders and questions for this seat that have done their work."""
        called = (self.ping(seat), self.gone(seat), self.rows.get((ShownKind.REMINDER, seat)))
        asked = self.rows.get((ShownKind.QUESTION, seat))
        settled = [asked] if asked is not None and self._is_settled(seat, asked) else []
        return settled + [
            row
            for row in called
            if row is not None
            and (not self.table.awaits(seat) or row.version < self.table.turn_since(seat))
        ]

    def _is_settled(self, seat: Seat, question: ShownRow) -> bool:
        """Whether the match is over, or all who can have asked ``seat`` have played on since."""
        others = [Seat(n) for n in range(len(self.table.people)) if n != seat]
        acts = [self.table.own_act.get(other) for other in others]
        return self.table.is_over or all(
            act is not None and act[0] > question.version for act in acts
        )

    def shows_everything(self, part: int) -> bool:
        """Whether a part shows all that has happened, so that only the clock can be new."""
        if part == TABLE_SEAT:
            row, due = self.on_table, self.table.head
        else:
            row, due = self.hand(Seat(part)), self.table.due(Seat(part))
        return row is not None and row.version >= due

    def hand_is_due(self, seat: Seat) -> bool:
        """Whether a seat's hand shows less than it must."""
        return not self.shows_everything(seat) or seat in self.again

    def table_is_due(self) -> bool:
        """Whether the table message is behind the log, or stands where it was moved away from."""
        row = self.on_table
        return (
            row is None
            or not self.shows_everything(TABLE_SEAT)
            or TABLE_SEAT in self.again
            or self.is_elsewhere(row)
        )

    def is_elsewhere(self, row: ShownRow) -> bool:
        """Whether a running match's table message stands in another channel than the table."""
        return not self.table.is_over and row.channel_id != self.table.channel

    def parts_behind(self) -> list[int]:
        """The parts on which there is something to do; whoever is to act comes first."""
        seats = [Seat(number) for number in range(len(self.table.people))]
        seats.sort(key=lambda seat: not self.table.awaits(seat))
        parts: list[int] = [
            seat
            for seat in seats
            if self.hand_is_due(seat)
            or seat in self.private
            or self.calls_over(seat)
            or self.old(seat)
        ]
        is_behind = self.table_is_due() or self.old(TABLE_SEAT)
        return [*parts, TABLE_SEAT] if is_behind else parts
