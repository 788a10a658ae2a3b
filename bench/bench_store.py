"""What a transaction costs, beside bare aiosqlite doing the same on the same file."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

import aiosqlite

from db import (
    ChannelId,
    InteractionId,
    MatchId,
    MessageId,
    NewEntry,
    NewMatch,
    PersonId,
    ServerId,
    ShownKind,
    ShownRow,
    Store,
)
from db.rows import TABLE_SEAT

ROUNDS = 400
NOW = datetime(2025, 1, 1, tzinfo=UTC)
MICROSECONDS = int(NOW.timestamp()) * 1_000_000


class Ours:
    """Transactions of the store."""

    def __init__(self, store: Store, match_id: MatchId) -> None:
        self._store = store
        self._match_id = match_id

    async def one(self, turn: int) -> None:
        """Write one row."""
        async with self._store.transaction() as tx:
            await tx.people.seen(PersonId(1), f"Ann {turn}", NOW)

    async def three(self, turn: int) -> None:
        """Accept a move: compare and set the head, add the entry, note what is shown."""
        async with self._store.transaction() as tx:
            await tx.matches.append(
                self._match_id,
                turn,
                [NewEntry("A discard 7H", 0, PersonId(1), InteractionId(10_000_000 + turn))],
                NOW,
            )
            await tx.shown.put(
                ShownRow(
                    self._match_id,
                    ShownKind.TABLE,
                    TABLE_SEAT,
                    ChannelId(2),
                    MessageId(3),
                    turn,
                    NOW,
                )
            )

    async def read(self, turn: int) -> None:  # noqa: ARG002
        """Ask for the head of a match."""
        async with self._store.reading() as tx:
            await tx.matches.head(self._match_id)


class Bare:
    """The same rows by aiosqlite alone."""

    def __init__(self, connection: aiosqlite.Connection, match_id: MatchId) -> None:
        self._connection = connection
        self._match_id = match_id

    async def one(self, turn: int) -> None:
        """Write one row."""
        await self._connection.execute("BEGIN IMMEDIATE")
        await self._connection.execute(
            "UPDATE people SET name = ?, seen_at = ? WHERE id = 1", (f"Bob {turn}", MICROSECONDS)
        )
        await self._connection.commit()

    async def three(self, turn: int) -> None:
        """Accept a move: compare and set the head, add the entry, note what is shown."""
        await self._connection.execute("BEGIN IMMEDIATE")
        await self._connection.execute(
            "UPDATE matches SET head = ?, acted_at = ? WHERE id = ? AND head = ?",
            (turn + 1, MICROSECONDS, self._match_id, turn),
        )
        await self._connection.execute(
            "INSERT INTO entries (match_id, seq, text, seat, actor, interaction_id, at) "
            "VALUES (?, ?, 'A discard 7H', 0, 1, ?, ?)",
            (self._match_id, turn + 1, 20_000_000 + turn, MICROSECONDS),
        )
        await self._connection.execute(
            "INSERT INTO shown VALUES (?, 'table', -1, 2, 3, ?, ?) "
            "ON CONFLICT DO UPDATE SET version = excluded.version",
            (self._match_id, turn, MICROSECONDS),
        )
        await self._connection.commit()

    async def read(self, turn: int) -> None:  # noqa: ARG002
        """Ask for the head of a match."""
        await self._connection.execute_fetchall(
            "SELECT head FROM matches WHERE id = ?", (self._match_id,)
        )


async def measure(ours: Ours, bare: Bare) -> None:
    """Time both turn by turn, so that whatever else the machine does falls on both."""
    rows: tuple[tuple[str, Callable[[int], Awaitable[None]], Callable[[int], Awaitable[None]]], ...]
    rows = (
        ("one statement", ours.one, bare.one),
        ("three statements", ours.three, bare.three),
        ("a read", ours.read, bare.read),
    )
    for name, store, driver in rows:
        times: tuple[list[float], list[float]] = ([], [])
        for turn in range(ROUNDS):
            for work, spent in zip((store, driver), times, strict=True):
                start = perf_counter()
                await work(turn)
                spent.append(perf_counter() - start)
        store_ms, driver_ms = (median(spent) * 1000 for spent in times)
        print(
            f"store, {name:17} {store_ms:6.2f} ms   bare aiosqlite {driver_ms:6.2f} ms   "
            f"ratio {store_ms / driver_ms:4.1f}"
        )


async def run(folder: Path) -> None:
    """Prepare a database with two matches, one for each side, and measure."""
    file = folder / "bench.db"
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    people = (PersonId(1), PersonId(2))
    async with store.transaction() as tx:
        await tx.people.seen(PersonId(1), "Ann", NOW)
        first, second = [
            await tx.matches.create(NewMatch(ServerId(1), ChannelId(2), "standard", people, NOW))
            for _ in range(2)
        ]
    async with aiosqlite.connect(file, isolation_level=None) as connection:
        await connection.execute("PRAGMA synchronous = FULL")
        await connection.execute("PRAGMA foreign_keys = ON")
        await measure(Ours(store, first), Bare(connection, second))
    await store.close()


def main() -> None:
    """Print medians and their ratios, of one run."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


if __name__ == "__main__":
    main()
