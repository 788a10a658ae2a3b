"""A clock that a test moves, and a crier that only notes what he is told to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from bot.play.table import Table
from db.ids import MatchId, PersonId
from gin import Seat

START = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
"""Half an hour before the clocks of Europe are put forward: nothing here may care."""


class Time:
    """The time as a test has it."""

    def __init__(self, at: datetime = START) -> None:
        self.at = at
        self.seen_to_pass: Callable[[], None] = lambda: None
        """Called when time has passed: who looks at it all the time has seen it."""

    def __call__(self) -> datetime:
        return self.at

    def passes(self, span: timedelta) -> None:
        self.at += span
        self.seen_to_pass()

    def jumps(self, span: timedelta) -> None:
        """Let it be later (or earlier) of a sudden: the machine slept, or its clock was set."""
        self.at += span


class Notes:
    """Who was told what, in order."""

    def __init__(self) -> None:
        self.said: list[tuple[str, MatchId, Seat | None]] = []

    def changed(self, match: MatchId) -> None:
        self.said.append(("changed", match, None))

    def redraw(self, match: MatchId) -> None:
        self.said.append(("redraw", match, None))

    def outdate(self, match: MatchId) -> None:
        self.said.append(("outdate", match, None))

    async def repair(self, matches: Sequence[MatchId]) -> None:
        self.said += [("repair", match, None) for match in matches]

    async def remind(self, table: Table, seat: Seat, due: datetime) -> None:  # noqa: ARG002
        self.said.append(("remind", table.id, seat))

    async def vacation_over(self, person: PersonId, tables: Sequence[Table]) -> None:
        seat = tables[0].seat_of(person)
        self.said.append((f"vacation over in {len(tables)}", tables[0].id, seat))

    async def time_is_up(self, table: Table, seat: Seat) -> None:
        self.said.append(("time is up", table.id, seat))

    async def ask_to_close(self, table: Table) -> None:
        self.said.append(("ask to close", table.id, None))

    def words(self) -> list[str]:
        """What was said since the last time, without the matches."""
        said, self.said = self.said, []
        return [word if seat is None else f"{word} {seat}" for word, _match, seat in said]
