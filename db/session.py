"""Running statements inside one transaction, in the words that both databases understand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from typing import TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, Insert, Row, Select, Table, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import Delete

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Values = Mapping[str, object]
"""Columns and what they shall hold."""


async def to_the_end(work: Coroutine[object, object, T]) -> T:
    """Carry ``work`` to its end even when the calling task is cancelled meanwhile.

    The cancellation is raised afterwards. So the database is never left in the middle of
    something, and whoever catches the cancellation can know how the work ended.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    result = task.result()
    if cancelled is not None:
        raise cancelled
    return result


class Session:
    """One transaction's connection. ``writes`` is False where only reading is allowed.

    Once the database has refused a statement the transaction can only be undone: PostgreSQL says
    so itself; SQLite may have undone it already and would go on without one. ``failure`` is what
    it said. ``has_written`` is whether any row was touched.
    """

    __slots__ = ("_connection", "_writes", "failure", "has_written")

    def __init__(self, connection: AsyncConnection, *, writes: bool) -> None:
        self._connection = connection
        self._writes = writes
        self.failure: DBAPIError | None = None
        self.has_written = False

    async def rows(
        self, statement: Select[*Ts], values: Values | None = None
    ) -> Sequence[Row[*Ts]]:
        """Return every row of a query; ``values`` are those of its `bindparam`s."""
        return (await self._run(self._connection.execute(statement, values))).all()

    async def first(self, statement: Select[*Ts], values: Values | None = None) -> Row[*Ts] | None:
        """Return the first row of a query, or None; ``values`` are those of its `bindparam`s."""
        return (await self._run(self._connection.execute(statement, values))).first()

    async def change(
        self, statement: Insert | Update | Delete, values: Sequence[Values] | Values | None = None
    ) -> int:
        """Write, and return how many rows were touched (for several inserts it may say -1)."""
        self._check()
        touched = (await self._run(self._connection.execute(statement, values))).rowcount
        self.has_written = self.has_written or touched != 0
        return touched

    async def insert(self, table: Table, values: Values) -> int:
        """Insert one row and return the id that the database gave it."""
        self._check()
        result = await self._run(self._connection.execute(table.insert(), values))
        self.has_written = True
        key = result.inserted_primary_key
        assert key is not None  # noqa: S101 - every table of ours has a primary key
        return int(key[0])

    async def upsert(
        self,
        table: Table,
        key: Values,
        values: Values,
        *,
        defaults: Values | None = None,
        unless: ColumnElement[bool] | None = None,
    ) -> None:
        """Insert a row, or set ``values`` on the one that has this key.

        ``defaults`` are given to a new row only; where ``unless`` is true of the row that is
        there, it stays as it is.
        """
        self._check()
        new = {**(defaults or {}), **values, **key}
        where = None if unless is None else ~unless
        dialect = self._connection.engine.dialect.name
        statement: Insert
        if dialect == "sqlite":
            statement = (
                sqlite.insert(table)
                .values(new)
                .on_conflict_do_update(index_elements=list(key), set_=values, where=where)
            )
        else:
            statement = (
                postgresql.insert(table)
                .values(new)
                .on_conflict_do_update(index_elements=list(key), set_=values, where=where)
            )
        result = await self._run(self._connection.execute(statement))
        self.has_written = self.has_written or result.rowcount != 0

    async def quick_check(self) -> bool:
        """Whether the database finds nothing wrong with its own file; True where it can't say."""
        if self._connection.engine.dialect.name != "sqlite":
            return True
        found = await self._run(self._connection.exec_driver_sql("PRAGMA quick_check(1)"))
        return [tuple(row) for row in found] == [("ok",)]

    def _check(self) -> None:
        if not self._writes:
            raise RuntimeError("this transaction was opened for reading only")

    async def _run(self, work: Coroutine[object, object, T]) -> T:
        if self.failure is not None:
            work.close()
            raise RuntimeError("this transaction has failed already") from self.failure
        try:
            return await to_the_end(self._begun(work))
        except DBAPIError as error:
            self.failure = error
            raise

    async def _begun(self, work: Coroutine[object, object, T]) -> T:
        """Do ``work``; the first of it takes a connection and begins the transaction."""
        if self._connection.sync_connection is None:
            try:
                await self._connection.start()
                await or_discard(self._connection, self._connection.begin())
            except BaseException:
                work.close()
                raise
        return await work


async def or_discard(connection: AsyncConnection, step: Awaitable[object]) -> None:
    """Do a step; if that fails, see that nobody gets this connection again."""
    try:
        await step
    except BaseException:
        await connection.invalidate()
        raise
