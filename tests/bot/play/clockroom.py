"""A room with a clock: one process on a database, with time as the test has it.

Ada (seat A) deals; Ben (seat B) is to act first. The up-card is JD, the stock begins JS, QS.
"""

from __future__ import annotations

from datetime import timedelta

from bot.clock import Clock
from bot.play.alarm import Alarm
from bot.play.clocks import Clocks
from bot.play.presence import Presence
from bot.play.table import Table
from bot.play.tables import NewTable, Tables
from bot.play.vacations import Vacations
from db.ids import MatchId, PersonId
from db.rows import CLOCK, DeadlineRow
from db.store import Store
from gin import Discard, Draw, Pass, Pile, Play, Seat, view
from gin.rules import Rules
from tests.bot.moments import Notes, Time
from tests.db.house import ANN, BOB, CLUB, LOUNGE

ADA, BEN = ANN, BOB
SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)
LIVE = Clock(2 * MINUTE)
SLOW = Clock(2 * DAY)


class Room:
    """One process on a database; time and what is told are the test's."""

    def __init__(self, store: Store, time: Time) -> None:
        self.store = store
        self.time = time
        self.notes = Notes()
        self.begin()

    def begin(self) -> None:
        """Begin the process (anew)."""
        self.alarm = Alarm(self.time)
        self.tables = Tables(self.store, self.time, self.alarm)
        self.presence = Presence(self.store, self.time)
        self.clocks = Clocks(
            self.store, self.tables, self.notes, self.presence, self.time, self.alarm
        )
        self.time.seen_to_pass = self.clocks.lost_time.awake.begin
        self.vacations = Vacations(self.store, self.notes, self.presence, self.time, self.alarm)

    async def match(self, clock: Clock | None, *people: PersonId) -> MatchId:
        async with self.store.transaction() as tx:
            table = await self.tables.open(
                tx, NewTable(CLUB, LOUNGE, people or (ADA, BEN), Rules(), clock=clock)
            )
        return table.id

    async def table(self, match: MatchId) -> Table:
        table = await self.tables.load(match)
        assert table is not None
        return table

    async def log(self, match: MatchId) -> list[str]:
        """The log after cut and first deal; deals without their cards, acts of the clock marked."""
        async with self.store.reading() as tx:
            entries = await tx.matches.log(match)
        return [
            ("clock: " if entry.actor == CLOCK else "")
            + (entry.text if not entry.text.startswith("deal") else "deal")
            for entry in entries[2:]
        ]

    async def deadline(self, match: MatchId) -> DeadlineRow | None:
        async with self.store.reading() as tx:
            return await tx.deadlines.get(match)

    async def left(self, match: MatchId) -> timedelta:
        row = await self.deadline(match)
        assert row is not None
        return row.due - self.time()

    async def passes(self, span: timedelta) -> list[str]:
        """Let time pass, and what is due be done; what was told meanwhile."""
        self.time.passes(span)
        await self.clocks.do_what_is_due()
        await self.clocks.settle()
        return self.notes.words()

    async def refuses(self, match: MatchId, person: PersonId) -> None:
        await self.tables.act(match, person, lambda _match, seat: Play(seat, Pass()))

    async def draws(self, match: MatchId, person: PersonId) -> None:
        await self.tables.act(match, person, lambda _match, seat: Play(seat, Draw(Pile.STOCK)))

    async def lays_away(self, match: MatchId, person: PersonId) -> None:
        def drawn(state: object, seat: Seat) -> Play:
            hand = view(state, seat).hand  # type: ignore[arg-type]
            assert hand is not None
            assert hand.drawn is not None
            return Play(seat, Discard(hand.drawn))

        await self.tables.act(match, person, drawn)
