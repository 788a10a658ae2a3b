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
    left: Seat | None = None
    """Who is awaited, and isn't on the server any more."""
    back: Seat | None = None
    """Who is awaited, and is there again though the others were told that he had left."""
    beside: frozenset[int] = frozenset()
    """Parts beside whose message another may stand that nobody has noted."""

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

    def words_of(self, seat: Seat) -> list[ShownRow]:
        """The words to the others that this seat's player has left."""
        rows = self.rows.values()
        return [row for row in rows if row.kind is ShownKind.GONE and row.whose == seat]

    def untold(self, seat: Seat) -> list[Seat]:
        """Who has to be told yet that this seat's player has left."""
        if self.left != seat:
            return []
        told = {row.reader for row in self.words_of(seat)}
        others = [Seat(number) for number in range(len(self.table.people)) if number != seat]
        return [] if None in told else [other for other in others if other not in told]

    def is_called_back(self, seat: Seat) -> bool:
        """Whether a player is back whom nothing has called since the others heard that he left."""
        words = self.words_of(seat)
        calls = (self.hand(seat), self.ping(seat))
        return self.back == seat and not any(
            call is not None and all(call.message_id > word.message_id for word in words)
            for call in calls
        )

    def calls_over(self, seat: Seat) -> list[ShownRow]:
        """The calls, words, reminders and questions for this seat that have done their work."""
        own = [row for row in self.rows.values() if row.seat == seat]
        return [
            *(row for row in own if self._is_over(seat, row)),
            *(word for word in self.words_of(seat) if self._has_acted_since(seat, word)),
        ]

    def _is_over(self, seat: Seat, word: ShownRow) -> bool:
        """Whether what a message for ``seat`` asks for is done, or can't be done any more."""
        match word.kind:
            case ShownKind.PING | ShownKind.REMINDER | ShownKind.BACK:
                return self._is_called_in_vain(seat, word)
            case ShownKind.WAITING:
                turn = None if self.table.is_over else self.table.turn
                return turn is None or word.version < turn[1]
            case ShownKind.IDLE:
                return self.table.is_over or word.version < self.table.head
            case ShownKind.QUESTION:
                return self._is_settled(seat, word)
            case ShownKind.NOTICE:
                return self.table.is_over
            case _:
                return False

    def _is_called_in_vain(self, seat: Seat, call: ShownRow) -> bool:
        """Whether a call to a seat is of another turn, or the seat's player was found gone since.

        Then the others are told.
        """
        return (
            not self.table.awaits(seat)
            or call.version < self.table.turn_since(seat)
            or any(word.message_id > call.message_id for word in self.words_of(seat))
        )

    def _has_acted_since(self, seat: Seat, word: ShownRow) -> bool:
        """Whether a word that a player has left needn't stand: what a clock does for him is no act.

        Else the others would be told again at each of his turns.
        """
        act = self.table.own_act.get(seat)
        return self.table.is_over or (act is not None and act[0] > word.version)

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
            or self.untold(seat)
            or self.back == seat
            or self._has_more(seat)
        ]
        is_behind = self.table_is_due() or self._has_more(TABLE_SEAT)
        return [*parts, TABLE_SEAT] if is_behind else parts

    def _has_more(self, part: int) -> bool:
        """Whether messages stand beside that of a part that have to go."""
        return part in self.beside or bool(self.old(part))
