"""A match as it is beside what of it stands on Discord: which parts are behind."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.table import Table
from db.rows import TABLE_SEAT, ShownKind, ShownRow
from gin import Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """One look at a match. A part is a seat's hand, by its number, or the table (`TABLE_SEAT`)."""

    table: Table
    rows: dict[tuple[ShownKind, int], ShownRow]

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

    def ping(self, seat: Seat) -> ShownRow | None:
        """The call in the channel for a seat whose direct messages are closed."""
        return self.rows.get((ShownKind.PING, seat))

    def ping_is_over(self, seat: Seat) -> bool:
        """Whether the call for this seat has done its work."""
        ping = self.ping(seat)
        return ping is not None and (
            not self.table.awaits(seat) or ping.version < self.table.turn_since(seat)
        )

    def hand_is_due(self, seat: Seat) -> bool:
        """Whether a seat's hand shows less than it must."""
        row = self.hand(seat)
        return row is None or row.version < self.table.due(seat)

    def table_is_due(self) -> bool:
        """Whether the table message is behind the log, or stands where it was moved away from."""
        row = self.on_table
        return row is None or row.version < self.table.head or self.is_elsewhere(row)

    def is_elsewhere(self, row: ShownRow) -> bool:
        """Whether a running match's table message stands in another channel than the table."""
        return not self.table.is_over and row.channel_id != self.table.channel

    def parts_behind(self) -> list[int]:
        """The parts on which there is something to do; whoever is to act comes first."""
        seats = [Seat(number) for number in range(len(self.table.people))]
        seats.sort(key=lambda seat: not self.table.awaits(seat))
        parts: list[int] = [
            seat for seat in seats if self.hand_is_due(seat) or self.ping_is_over(seat)
        ]
        return [*parts, TABLE_SEAT] if self.table_is_due() else parts
