"""``check`` and ``rebuild``: refold every match from its log, and compare or rewrite the rest.

The log is the truth (design, idea 3). What is stored beside it is compared entry by entry here;
an administrator's void stands, since it isn't in the log but a decision about it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.clock import MalformedClock
from bot.now import Now
from bot.play import deadlines
from bot.play.derived import results_of, status_of
from bot.play.table import Table
from db.errors import DamagedLog
from db.ids import MatchId, PersonId, ServerId
from db.rows import DeadlineRow, LogEntry, MatchRow, MatchStatus, SeatResult
from db.store import Store, Transaction
from gin import GinError, Seat

AT_ONCE: Final = 200
"""Matches read in one go."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A match as its log tells it, beside the row and the results that are stored."""

    row: MatchRow
    entries: tuple[LogEntry, ...]
    results: tuple[SeatResult, ...]
    table: Table | None
    """None where the log can't be replayed."""
    problem: str = ""
    """Why not."""
    deadline: DeadlineRow | None = None

    def differences(self) -> list[str]:
        """What doesn't agree, a sentence each; empty when all is well."""
        if self.table is None:
            return [self.problem]
        found: list[str] = []
        if [entry.seq for entry in self.entries] != list(range(1, len(self.entries) + 1)):
            found.append("the log's entries are not numbered 1, 2, 3 …")
        if self.row.head != len(self.entries):
            has = _count(len(self.entries), "entry", "entries")
            found.append(f"its head is {self.row.head}, the log has {has}")
        status = status_of(self.table.match)
        if self.row.status not in (status, MatchStatus.VOID):
            found.append(f"it is stored as {self.row.status}, the log says {status}")
        if (self.row.ended_at is None) != (self.row.status is MatchStatus.RUNNING):
            found.append("its end is missing, or stands there too early")
        if unlike := _unlike(self.results, self.right_results()):
            found.append(f"its results differ: {'; '.join(unlike)}")
        if not self.has_right_deadline():
            found.append("its deadline is missing, or that of another turn")
        return found

    def has_right_deadline(self) -> bool:
        """Whether the turn has a deadline where one is counted, and none stands elsewhere."""
        if self.table is None or self.row.clock is None or self.table.turn is None:
            return self.deadline is None
        return self.deadline is not None and self.table.turn == (
            self.deadline.seat,
            self.deadline.turn,
        )

    def right_results(self) -> list[SeatResult]:
        """The results that should be stored: none for a match that was voided."""
        if self.table is None or self.row.status is MatchStatus.VOID:
            return []
        return results_of(self.row.people, self.table.match)


async def fold_all(store: Store) -> AsyncIterator[Folded]:
    """Every match of the database, refolded, in order of their numbers."""
    last = MatchId(0)
    while True:
        async with store.reading() as tx:
            ids = await tx.matches.ids(last, AT_ONCE)
            folded = [
                await _folded(tx, row)
                for match in ids
                if (row := await tx.matches.get(match)) is not None
            ]
        for one in folded:
            yield one
        if len(ids) < AT_ONCE:
            return
        last = ids[-1]


async def _folded(tx: Transaction, row: MatchRow) -> Folded:
    results = await tx.matches.results(row.id)
    try:
        entries = await tx.matches.log(row.id)
    except DamagedLog as damaged:
        return Folded(row, (), results, None, str(damaged))
    try:
        table = Table.fresh(row).replayed(entries)
    except MalformedClock:
        return Folded(row, entries, results, None, "its clock can't be read")
    except GinError as error:
        # Only the kind of error: its text may name a card.
        return Folded(
            row, entries, results, None, f"its log can't be replayed ({type(error).__name__})"
        )
    if not entries:
        return Folded(row, entries, results, None, "its log is empty")
    return Folded(row, entries, results, table, deadline=await tx.deadlines.get(row.id))


async def check(store: Store) -> tuple[bool, list[str]]:
    """Compare everything; return whether all is well, and a report line by line."""
    lines: list[str] = []
    matches = entries = 0
    async for folded in fold_all(store):
        matches += 1
        entries += len(folded.entries)
        lines += [f"match {folded.row.id}: {said}" for said in folded.differences()]
    async with store.reading() as tx:
        wrong = await tx.league.differences()
    lines += [_of_the_league(server, person) for server, person in wrong]
    well = not lines
    lines.append(
        f"{_count(matches, 'match', 'matches')}, {_count(entries, 'entry', 'entries')}: "
        + (
            "everything follows from the log."
            if well
            else f"{_count(len(lines), 'difference', 'differences')}."
        )
    )
    return well, lines


async def rebuild(store: Store, now: Now) -> tuple[bool, list[str]]:
    """Derive everything anew from the log; return whether that was possible, and a report."""
    lines: list[str] = []
    matches = right = left = 0
    async with store.reading() as tx:
        wrong = set(await tx.league.differences())
    async for folded in fold_all(store):
        matches += 1
        differences = folded.differences()
        if not differences:
            continue
        if folded.table is None:
            left += 1
            lines.append(f"match {folded.row.id}: {folded.problem}; left as it is")
            continue
        # The league table's lines of those who played it are counted anew with its results.
        await _rewrite(store, folded, folded.table, now)
        right += 1
        lines += [f"match {folded.row.id}: put right: {said}" for said in differences]
    async with store.transaction() as tx:
        still = await tx.league.differences()
        for server, person in still:
            await tx.league.count(server, (person,))
    wrong.update(still)
    lines += [f"put right: {_of_the_league(server, person)}" for server, person in sorted(wrong)]
    lines.append(_told(matches, right, left, len(wrong)))
    return not left, lines


def _told(matches: int, right: int, left: int, league: int) -> str:
    """What was done, all together."""
    done = [
        f"{right} put right" if right else "",
        f"{left} left as {'it is' if left == 1 else 'they are'}" if left else "",
        f"{_count(league, 'line', 'lines')} of the league table put right" if league else "",
    ]
    said = ", ".join(part for part in done if part) or "all was right"
    return f"{_count(matches, 'match', 'matches')} compared with the log: {said}."


_FIELDS: Final[Mapping[str, str]] = {
    "person_id": "person",
    "place": "place",
    "points": "points",
    "total": "total",
    "hands_won": "hands won",
    "hands_played": "hands played",
    "won": "won",
}
"""What a result tells of a seat, in words."""


def _unlike(stored: Sequence[SeatResult], right: Sequence[SeatResult]) -> list[str]:
    """What the stored results have otherwise than the log, for each seat."""
    has, wanted = ({line.seat: line for line in lines} for lines in (stored, right))
    found = []
    for seat in sorted({*has, *wanted}):
        its = f"seat {Seat(seat) if seat in set(Seat) else seat}"
        if seat not in has:
            found.append(f"{its} is missing")
        elif seat not in wanted:
            found.append(f"{its} has one, by the log there is none")
        else:
            found += [
                f"{its} {word}: {_value(here)}, by the log {_value(there)}"
                for name, word in _FIELDS.items()
                if (here := getattr(has[seat], name)) != (there := getattr(wanted[seat], name))
            ]
    return found


def _value(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _of_the_league(server: ServerId, person: PersonId) -> str:
    return f"server {server}: the league table has person {person} otherwise than the results do"


async def _rewrite(store: Store, folded: Folded, table: Table, now: Now) -> None:
    void = folded.row.status is MatchStatus.VOID
    status = MatchStatus.VOID if void else status_of(table.match)
    ended_at = folded.row.ended_at or (
        None if status is MatchStatus.RUNNING else folded.entries[-1].at
    )
    async with store.transaction() as tx:
        await tx.matches.derive(
            folded.row.id,
            head=len(folded.entries),
            status=status,
            ended_at=None if status is MatchStatus.RUNNING else ended_at,
            results=folded.right_results(),
        )
        if not folded.has_right_deadline():
            await tx.deadlines.drop(table.id)
            await deadlines.begin(tx, table, now())
