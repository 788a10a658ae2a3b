"""An aiosqlite connection on which a whole statement is one trip to its thread.

SQLAlchemy opens a cursor, executes, fetches and closes; aiosqlite sends each of the four to its
thread and back, about a tenth of a millisecond of processor apiece. Rows are read completely in
any case, so they may as well come along with the first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import aiosqlite


class OneTripCursor:
    """What SQLAlchemy needs of a cursor: the result of the last statement, complete."""

    # What SQLite's columns and the parameters hold is known to the statement only, hence Any.

    def __init__(self, connection: OneTripConnection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: tuple[tuple[Any, ...], ...] | None = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Execute a statement and fetch all of its rows."""
        await self._connection.run(self._execute, sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> Self:
        """Execute a statement once for each set of parameters."""
        await self._connection.run(self._executemany, sql, parameters)
        return self

    async def fetchall(self) -> Sequence[Any]:
        """Return the rows, which are here already."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Do nothing: the true cursor was closed with the statement."""

    def _execute(self, connection: sqlite3.Connection, sql: str, parameters: Iterable[Any]) -> None:
        cursor = connection.execute(sql, tuple(parameters))
        self._rows = cursor.fetchall()
        self._take(cursor)

    def _executemany(
        self, connection: sqlite3.Connection, sql: str, parameters: Iterable[Sequence[Any]]
    ) -> None:
        self._take(connection.executemany(sql, parameters))

    def _take(self, cursor: sqlite3.Cursor) -> None:
        self.description = cursor.description
        self.rowcount = cursor.rowcount
        self.lastrowid = cursor.lastrowid
        cursor.close()


class OneTripConnection(aiosqlite.Connection):
    """A connection whose cursors are `OneTripCursor`."""

    only_reads = False
    """Whether nothing is ever written over this connection."""
    _begins: str | None = None
    """The statement that begins a transaction, before the first other one took it along."""

    def cursor(self) -> OneTripCursor:  # type: ignore[override]  # SQLAlchemy asks for no more
        """Return a cursor, without a trip."""
        return OneTripCursor(self)

    def begin(self, how: str) -> None:
        """Begin a transaction by the statement ``how``, on one trip with the first other one."""
        self._begins = how

    async def run(self, work: Callable[..., None], *arguments: object) -> None:
        """Call ``work`` with SQLite's connection, in its thread."""
        how, self._begins = self._begins, None
        if how is not None:
            work = partial(_begin_and, how, work)
        # The driver's own way to its thread; it has no public one for a function of ours.
        await self._execute(work, self._conn, *arguments)  # type: ignore[no-untyped-call]

    async def commit(self) -> None:
        """Commit, where anything was begun."""
        if self._begins is None:
            await super().commit()
        self._begins = None

    async def rollback(self) -> None:
        """Undo everything, where anything was begun; not waited for where nothing was written.

        The thread does it before whatever it is asked next, and what has only been read is not
        worth a trip to hear that it is over. Should it fail, the next transaction does it.
        """
        if self._begins is None and self.only_reads:
            self._tx.put_nowait((None, self._conn.rollback))
        elif self._begins is None:
            await super().rollback()
        self._begins = None


async def connect(
    file: Path, pragmas: Sequence[str], *, only_reads: bool = False
) -> OneTripConnection:
    """Open a connection to ``file`` and execute ``pragmas`` on it."""
    connection = OneTripConnection(partial(_open, file, pragmas), iter_chunk_size=64)
    connection.only_reads = only_reads
    # A program that ends without closing its database shall not wait for the thread for ever.
    connection._thread.daemon = True  # noqa: SLF001
    await connection
    return connection


def _open(file: Path, pragmas: Sequence[str]) -> sqlite3.Connection:
    # The driver would begin transactions of its own accord, late and only before some statements
    # (not before DDL); with None it leaves that to us.
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        for pragma in pragmas:
            connection.execute(pragma).close()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _begin_and(
    how: str, work: Callable[..., None], connection: sqlite3.Connection, *arguments: object
) -> None:
    if connection.in_transaction:  # nobody waited for the end of the one before, and it failed
        connection.rollback()
    connection.execute(how).close()
    work(connection, *arguments)
