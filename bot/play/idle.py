"""Idle matches: where no clock ends what nobody plays on, either player may close it, unscored."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final, Protocol

import structlog

from bot.clock import TimeUp
from bot.now import Now
from bot.play import deadlines
from bot.play.table import Table
from bot.play.tables import Tables
from db.ids import MatchId
from db.rows import DeadlineRow
from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

IDLE_AFTER: Final = timedelta(days=14)
BETWEEN_LOOKS: Final = timedelta(hours=1)
AT_ONCE: Final = 50


class Asks(Protocol):
    """Who asks the players of an idle match."""

    async def ask_to_close(self, table: Table) -> None:
        """Tell everybody at the table that each of them may close the match."""


def may_be_closed(table: Table, deadline: DeadlineRow | None, now: Now) -> bool:
    """Whether either player may close this match: nobody played for two weeks, and no clock will.

    With a clock that only tells, the turn's time must be up as well; so it isn't while the clock
    stands still.
    """
    if table.is_over or now() - table.acted_at < IDLE_AFTER:
        return False
    clock = table.clock
    if clock is None:
        return True
    return clock.then is TimeUp.WAIT and deadline is not None and deadline.next_at is None


class IdleMatches:
    """Finds idle matches, and has their players asked once."""

    def __init__(self, store: Store, tables: Tables, asks: Asks, now: Now) -> None:
        self._store = store
        self._tables = tables
        self._asks = asks
        self._now = now

    async def may_be_closed(self, table: Table) -> bool:
        """Whether either player may close this match now."""
        if self._now() - table.acted_at < IDLE_AFTER:
            return False
        async with self._store.reading() as tx:
            row = await deadlines.of_turn(tx, table)
        return may_be_closed(table, row, self._now)

    async def watch(self) -> None:
        """Look now and then; runs as long as the bot does."""
        while True:
            try:
                await self.look()
            except Exception:  # one failed look must not end the watch
                log.exception("idle matches")
            await asyncio.sleep(BETWEEN_LOOKS.total_seconds())

    async def look(self) -> None:
        """Have the players of every match asked that has become idle."""
        last = MatchId(0)
        while True:
            async with self._store.reading() as tx:
                found = await tx.deadlines.idle(self._now() - IDLE_AFTER, AT_ONCE, after=last)
            for table in await self._tables.load_all(found):
                await self._ask(table)
            if not found:
                return
            last = found[-1]

    async def _ask(self, table: Table) -> None:
        async with self._store.transaction() as tx:
            row = await tx.matches.get(table.id)
            if row is None or not await tx.deadlines.asked(table.id, row.acted_at, self._now()):
                return
        if await self.may_be_closed(table):
            log.info("idle", match=table.id)
            await self._asks.ask_to_close(table)
