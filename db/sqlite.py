"""All that is SQLite's own: its file, its pragmas, how a transaction begins, its errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from db.errors import DatabaseUnusable
from db.onetrip import OneTripConnection, connect

ERRORS: Final = (sqlite3.Error,)
"""What the driver raises outside of SQLAlchemy."""

OURS: Final = frozenset({"alembic_version", "entries"})
"""Tables by which a database is known as Ginhouse's."""

READERS: Final = 4
"""Connections kept open for reading."""


def writer(file: Path, patience: timedelta) -> AsyncEngine:
    """Return the engine of the one connection that writes."""
    return _engine(file, "BEGIN IMMEDIATE", _pragmas(patience), size=1)


def readers(file: Path, patience: timedelta) -> AsyncEngine:
    """Return the engine of the connections that only read, each a snapshot of its own."""
    pragmas = (*_pragmas(patience), "PRAGMA query_only = ON")
    return _engine(file, "BEGIN", pragmas, size=READERS, only_reads=True)


def migrator(file: Path, patience: timedelta) -> AsyncEngine:
    """Return an engine for changing the schema.

    Foreign keys are not enforced on it: SQLite changes a table by building it anew and dropping
    the old one, which would take the referring rows along. `broken_references` looks afterwards.
    """
    pragmas = (*_pragmas(patience), "PRAGMA foreign_keys = OFF")
    return _engine(file, "BEGIN IMMEDIATE", pragmas, size=1)


def broken_references(connection: Connection) -> int:
    """Count the rows that refer to a row that isn't there."""
    return len(connection.exec_driver_sql("PRAGMA foreign_key_check").all())


def _pragmas(patience: timedelta) -> tuple[str, ...]:
    return (
        f"PRAGMA busy_timeout = {patience // timedelta(milliseconds=1)}",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
    )


def _engine(
    file: Path, begin: str, pragmas: Sequence[str], *, size: int, only_reads: bool = False
) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
        async_creator=partial(connect, file, pragmas, only_reads=only_reads),
        # Errors are logged, and the values of a refused statement may be a whole deck.
        hide_parameters=True,
        pool_size=size,
        max_overflow=0,
        pool_timeout=60,
        # Every transaction is ended by us before its connection goes back, so the pool need not
        # spend a trip to the connection's thread on a further rollback.
        pool_reset_on_return=None,
    )

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        assert isinstance(driver, OneTripConnection)  # noqa: S101 - `connect` made it
        driver.begin(begin)

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
    refuse_no_file(file)
    if file.exists() and not _may(file, os.R_OK | os.W_OK):
        raise DatabaseUnusable(
            f"The database {file} may not be read and written by this user; "
            "give the file that right, or set DATABASE_URL to another place."
        )
    if not _may(file.parent, os.R_OK | os.W_OK | os.X_OK):
        raise DatabaseUnusable(
            f"The folder {file.parent} of the database may not be written by this user, and SQLite "
            "keeps its journal there; give it that right, or set DATABASE_URL to another place."
        )


def refuse_no_file(file: Path) -> None:
    """Refuse what can't be a database: a folder, a device; raises `DatabaseUnusable`."""
    if file.is_dir():
        raise DatabaseUnusable(
            f"The database {file} is a folder; set DATABASE_URL to a file in it, "
            f"for example {file / 'ginhouse.db'}."
        )
    if file.exists() and not file.is_file():
        raise DatabaseUnusable(
            f"The database {file} is no file but a device, a pipe or the like; set DATABASE_URL to "
            "a file."
        )


def refuse_foreign(file: Path, patience: timedelta) -> None:
    """Refuse a file that is an SQLite database of another program; raises `DatabaseUnusable`.

    Run in a worker thread.
    """
    if is_foreign(file, patience):
        raise DatabaseUnusable(
            f"The file {file} is the database of another program; "
            "set DATABASE_URL to a file of Ginhouse's own."
        )


def is_foreign(file: Path, patience: timedelta) -> bool:
    """Whether a file is an SQLite database of another program. Run in a worker thread."""
    if not file.exists() or file.stat().st_size == 0:
        return False
    with closing(sqlite3.connect(file, timeout=patience.total_seconds())) as connection:
        tables = tables_of(connection)
    # Alembic's table alone is what is left of a database that was taken back to its beginning.
    return bool(tables - {"alembic_version", "sqlite_sequence"}) and not tables >= OURS


def tables_of(connection: sqlite3.Connection) -> set[str]:
    """The names of a database's tables."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in found}


def refuse_foreign_unless_damaged(file: Path, patience: timedelta) -> None:
    """The same, but of a file that can't be read it isn't known whose it is."""
    try:
        refuse_foreign(file, patience)
    except sqlite3.Error as error:
        if not is_damaged(error):
            raise


def look_through(file: Path, patience: timedelta) -> None:
    """Look for damage in the whole file (SQLite's quick check); raises `DatabaseUnusable`.

    A hundred megabytes take about a quarter of a second. Run in a worker thread.
    """
    if not file.exists():
        return
    with closing(sqlite3.connect(file, timeout=patience.total_seconds())) as connection:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != ("ok",):
        raise DatabaseUnusable(_SENTENCES[sqlite3.SQLITE_CORRUPT].format(file=file))


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether the error says that a file is no database, or a damaged one."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in (
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CORRUPT,
    )


def is_failing_disk(error: BaseException) -> bool:
    """Whether the error says that the disk refused to read or write."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) == sqlite3.SQLITE_IOERR


def sentence(error: BaseException, place: object) -> str | None:
    """Say in one sentence what is wrong with the database and what to do.

    None where the error doesn't speak of the database's file but of a statement.
    """
    if not isinstance(error, sqlite3.Error):
        return None
    # An extended code holds the plain one in its low byte.
    code: int = getattr(error, "sqlite_errorcode", 0) & 0xFF
    text = _SENTENCES.get(code)
    return None if text is None else text.format(file=place)


_SENTENCES: Final = {
    sqlite3.SQLITE_NOTADB: (
        "The file {file} is not a database; set DATABASE_URL to another file, "
        "or restore a backup in its place."
    ),
    sqlite3.SQLITE_CORRUPT: (
        "The database {file} is damaged; stop the bot and put the latest backup in its place with "
        "`python -m bot restore FILE`."
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


def may_be_read(file: Path) -> bool:
    """Whether this user has the right to read a file that is there."""
    return _may(file, os.R_OK)


def _may(path: Path, rights: int) -> bool:
    return os.access(path, rights, effective_ids=os.access in os.supports_effective_ids)


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
