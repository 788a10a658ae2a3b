"""When a turn begins: its deadline, written in the transaction of the act that began it."""

from __future__ import annotations

from datetime import datetime

from bot.clock import Clock, MalformedClock, Pace
from bot.play.table import Table
from db.ids import PersonId
from db.rows import DeadlineRow, MatchRow
from db.store import Transaction


async def begin(tx: Transaction, table: Table, now: datetime) -> DeadlineRow | None:
    """Write the deadline of the turn that begins ``now``, in place of the one before.

    None where nobody's time is counted: the match has no clock, or nobody is to act any more.
    Whoever is on vacation has a correspondence clock stand still from the start.
    """
    clock, turn = table.clock, table.turn
    if clock is None:
        return None
    if turn is None:
        await tx.deadlines.drop(table.id)
        return None
    seat, since = turn
    until = None
    if clock.pace is Pace.CORRESPONDENCE:
        until = await tx.vacations.until(table.people[seat], now)
    due = now + clock.turn
    remind_at = None if clock.warning is None else due - clock.warning
    row = DeadlineRow(
        match_id=table.id,
        seat=int(seat),
        turn=since,
        began=now,
        due=due,
        remind_at=remind_at,
        next_at=until or remind_at or due,
        stopped_at=None if until is None else now,
    )
    await tx.deadlines.put(row)
    return row


async def vacation(
    tx: Transaction, match: MatchRow, person: PersonId, now: datetime
) -> datetime | None:
    """Until when a vacation of this person keeps the match's clock still; None where none does."""
    if not by_correspondence(match):
        return None
    return await tx.vacations.until(person, now)


def by_correspondence(match: MatchRow) -> bool:
    """Whether a match has a clock that stands still on vacation."""
    try:
        return match.clock is not None and Clock.parse(match.clock).pace is Pace.CORRESPONDENCE
    except MalformedClock:  # nobody can play that match, and no clock of it runs
        return False


async def of_turn(tx: Transaction, table: Table) -> DeadlineRow | None:
    """The deadline of the turn that a match is in, or None."""
    if table.row.clock is None or table.is_over:
        return None
    row = await tx.deadlines.get(table.id)
    return None if row is None or table.turn != (row.seat, row.turn) else row
