"""All that is SQLite's own: its file, its pragmas, how a transaction begins, its errors."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import AsyncAdaptedQueuePool, Connection, NullPool, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import await_only

from db.address import Address
from db.errors import DatabaseUnusable

ERRORS: Final = (sqlite3.Error,)
"""What the driver raises outside of SQLAlchemy."""

_Begin = Literal["BEGIN", "BEGIN IMMEDIATE"]

READERS: Final = 4
"""Connections kept open for reading."""


def writer(address: Address, patience: timedelta) -> AsyncEngine:
    """Return the engine of the one connection that writes."""
    return _engine(address, patience, "BEGIN IMMEDIATE", size=1)


def readers(address: Address, patience: timedelta) -> AsyncEngine:
    """Return the engine of the connections that only read, each a snapshot of its own."""
    return _engine(address, patience, "BEGIN", size=READERS, query_only=True)


def migrator(address: Address, patience: timedelta) -> AsyncEngine:
    """Return an engine for changing the schema.

    Foreign keys are not enforced on it: SQLite changes a table by building it anew and dropping
    the old one, which would take the referring rows along. `broken_references` looks afterwards.
    """
    return _engine(address, patience, "BEGIN IMMEDIATE", size=0, foreign_keys=False)


def broken_references(connection: Connection) -> int:
    """Count the rows that refer to a row that isn't there."""
    return len(connection.exec_driver_sql("PRAGMA foreign_key_check").all())


def _engine(
    address: Address,
    patience: timedelta,
    begin: _Begin,
    *,
    size: int,
    foreign_keys: bool = True,
    query_only: bool = False,
) -> AsyncEngine:
    # Every transaction is ended by us before its connection goes back, so the pool need not spend
    # a trip to the connection's thread on a further rollback.
    engine = (
        create_async_engine(
            address.url,
            poolclass=AsyncAdaptedQueuePool,
            pool_size=size,
            max_overflow=0,
            pool_timeout=60,
            pool_reset_on_return=None,
        )
        if size
        else create_async_engine(address.url, poolclass=NullPool)
    )
    pragmas = [
        f"PRAGMA busy_timeout = {patience // timedelta(milliseconds=1)}",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}",
        f"PRAGMA query_only = {'ON' if query_only else 'OFF'}",
    ]

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        # The driver would begin transactions of its own accord, late and only before some
        # statements (not before DDL); with None it leaves that to us.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
            cursor.fetchall()
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Connection) -> None:
        # Straight to the driver: one trip to its thread, where a statement by way of SQLAlchemy
        # takes three or four.
        driver = connection.connection.driver_connection
        if driver is not None:
            await_only(driver.execute(begin))

    return engine


def prepare(file: Path) -> None:
    """Create the folder and see that the file can be used; raises `DatabaseUnusable`.

    Run in a worker thread: it touches the disk.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnusable(
            f"The folder {file.parent} for the database cannot be created "
            f"({_reason(error)}); create it, or set DATABASE_URL to another place."
        ) from error
    if file.is_dir():
        raise DatabaseUnusable(
            f"The database {file} is a folder; set DATABASE_URL to a file in it, "
            f"for example {file / 'ginhouse.db'}."
        )
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        raise DatabaseUnusable(
            f"The database {file} may not be read and written by this user; "
            "give the file that right, or set DATABASE_URL to another place."
        )
    if not os.access(file.parent, os.R_OK | os.W_OK | os.X_OK):
        raise DatabaseUnusable(
            f"The folder {file.parent} of the database may not be written by this user, and SQLite "
            "keeps its journal there; give it that right, or set DATABASE_URL to another place."
        )


def refuse_foreign(file: Path) -> None:
    """Refuse a file that is an SQLite database of another program; raises `DatabaseUnusable`.

    Run in a worker thread.
    """
    if not file.exists() or file.stat().st_size == 0:
        return
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        tables = {
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    if tables and not {"alembic_version", "entries"} <= tables:
        raise DatabaseUnusable(
            f"The file {file} is the database of another program; "
            "set DATABASE_URL to a file of Ginhouse's own."
        )


def sentence(error: BaseException, address: Address) -> str | None:
    """Say in one sentence what is wrong with the database and what to do.

    None where the error doesn't speak of the database's file but of a statement.
    """
    if not isinstance(error, sqlite3.Error):
        return None
    # An extended code holds the plain one in its low byte.
    code: int = getattr(error, "sqlite_errorcode", 0) & 0xFF
    text = _SENTENCES.get(code)
    return None if text is None else text.format(file=address)


_SENTENCES: Final = {
    sqlite3.SQLITE_NOTADB: (
        "The file {file} is not a database; set DATABASE_URL to another file, "
        "or restore a backup in its place."
    ),
    sqlite3.SQLITE_CORRUPT: (
        "The database {file} is damaged; stop the bot and restore the latest backup."
    ),
    sqlite3.SQLITE_READONLY: (
        "The database {file} cannot be written; give this user the right to write the file and "
        "its folder."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The database {file} cannot be opened; see that its folder exists and that this user may "
        "write there."
    ),
    sqlite3.SQLITE_FULL: (
        "There is no room left on the disk for the database {file}; free some, and start again."
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk refuses to read or write the database {file}; see whether it is full or failing."
    ),
    sqlite3.SQLITE_BUSY: (
        "The database {file} is locked by another program; close that, and start again."
    ),
    sqlite3.SQLITE_LOCKED: (
        "The database {file} is locked by another program; close that, and start again."
    ),
}


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
