"""Vacations: a person's correspondence clocks stand still, for a bounded time.

At most two weeks at a time and thirty days in any year, each vacation counted as a day at least.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.now import Now
from bot.play import deadlines
from bot.play.alarm import Alarm
from bot.play.clocks import Crier
from bot.play.presence import Presence
from bot.refusals import NotPossibleNow
from bot.ui.language import _
from bot.ui.times import until as in_time
from db.ids import PersonId
from db.rows import DeadlineRow, VacationRow
from db.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

AT_A_TIME: Final = timedelta(days=14)
A_YEAR: Final = timedelta(days=30)
"""In any 365 days."""
YEAR: Final = timedelta(days=365)
COUNTED: Final = timedelta(days=1)
"""What each vacation counts at least."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """How a person stands with vacations."""

    until: datetime | None
    """When the present one ends; None while he is there."""
    left: timedelta
    """What he may still take, of the year's."""


class Vacations:
    """Takes people on vacation and back."""

    def __init__(
        self, store: Store, crier: Crier, presence: Presence, now: Now, alarm: Alarm
    ) -> None:
        self._store = store
        self._presence = presence
        self._crier = crier
        self._now = now
        self._alarm = alarm

    async def of(self, person: PersonId) -> Vacation:
        """How this person stands."""
        async with self._store.reading() as tx:
            return await self._of(tx, person, self._now())

    @staticmethod
    async def _of(tx: Transaction, person: PersonId, now: datetime) -> Vacation:
        taken = await tx.vacations.since(person, now - YEAR)
        return Vacation(await tx.vacations.until(person, now), left(taken))

    async def begin(self, person: PersonId) -> datetime:
        """Let the clocks of this person's turns stand still; return until when at most.

        Raise :class:`NotPossibleNow` where he has taken all of the year's.
        """
        now = self._now()
        async with self._store.transaction() as tx:
            stands = await self._of(tx, person, now)
            if stands.until is not None:
                return stands.until
            if stands.left < COUNTED:
                raise NotPossibleNow(await self._used_up(tx, person, now))
            ends = now + min(AT_A_TIME, stands.left)
            await tx.vacations.begin(VacationRow(person, now, ends))
            stopped = [
                row
                for row in await tx.deadlines.of_person(person)
                if row.stopped_at is None
                and row.next_at is not None
                and await self._by_correspondence(tx, row)
                and await tx.deadlines.stop(row, now, ends)
            ]
        self._changed(stopped)
        log.info("vacation begins", stopped=len(stopped))
        return ends

    async def end(self, person: PersonId) -> None:
        """Let the clocks go on where they stood; nothing to do for somebody who is there."""
        now = self._now()
        async with self._store.transaction() as tx:
            await tx.vacations.end(person, now)
            gone_on = [
                row
                for row in await tx.deadlines.of_person(person)
                if await self._can_be_served(tx, row) and await tx.deadlines.go_on(row, now)
            ]
        self._changed(gone_on)
        self._alarm.ring()
        log.info("vacation ends", gone_on=len(gone_on))

    @staticmethod
    async def _by_correspondence(tx: Transaction, row: DeadlineRow) -> bool:
        match = await tx.matches.get(row.match_id)
        return match is not None and deadlines.by_correspondence(match)

    async def _can_be_served(self, tx: Transaction, row: DeadlineRow) -> bool:
        """Whether a clock may go on; on a server that can't be served it does when that is back."""
        match = await tx.matches.get(row.match_id)
        return match is not None and not self._presence.is_suspended(match.server_id)

    @staticmethod
    async def _used_up(tx: Transaction, person: PersonId, now: datetime) -> str:
        oldest = (await tx.vacations.since(person, now - YEAR))[0]
        return _(
            "You have taken {days} days of vacation in the last twelve months, and that is all "
            "there are. The first of them come back {when}."
        ).format(days=A_YEAR.days, when=in_time(oldest.ends + YEAR))

    def _changed(self, rows: list[DeadlineRow]) -> None:
        for row in rows:
            self._crier.redraw(row.match_id)


def left(taken: tuple[VacationRow, ...]) -> timedelta:
    """What is left of a year's vacations after these; one that goes on counts in full."""
    used = sum((max(COUNTED, row.ends - row.began) for row in taken), timedelta(0))
    return max(timedelta(0), A_YEAR - used)
