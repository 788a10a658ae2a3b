"""A statement is one trip to the thread: how a transaction that only read comes to its end."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from db.onetrip import OneTripConnection, connect


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[OneTripConnection]:
    file = tmp_path / "one.db"
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE numbers (number INTEGER)")
    connection = await connect(file, ("PRAGMA query_only = ON",), only_reads=True)
    yield connection
    await connection.close()


async def count(reader: OneTripConnection) -> int:
    cursor = await reader.cursor().execute("SELECT count(*) FROM numbers")
    ((number,),) = await cursor.fetchall()
    return int(number)


def add_one(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "one.db")) as other, other:
        other.execute("INSERT INTO numbers VALUES (1)")


async def test_a_reading_is_one_moment_until_it_is_over_and_then_the_next_is_another(
    reader: OneTripConnection, tmp_path: Path
) -> None:
    reader.begin("BEGIN")
    assert await count(reader) == 0
    add_one(tmp_path)
    assert await count(reader) == 0
    await reader.rollback()
    reader.begin("BEGIN")
    assert await count(reader) == 1


async def test_a_reading_whose_end_failed_unheard_is_ended_by_the_next(
    reader: OneTripConnection, tmp_path: Path
) -> None:
    reader.begin("BEGIN")
    assert await count(reader) == 0
    add_one(tmp_path)
    reader.begin("BEGIN")  # no rollback came through
    assert await count(reader) == 1
