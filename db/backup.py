"""Copies of the database: a consistent one while the bot runs, and one put back in its place.

Both go by SQLite's own backup: a plain copy of the file could be torn, and lacks what still
stands in its journal.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import create_engine

from db import migrate, sqlite
from db.address import parse_address
from db.errors import DatabaseUnusable, NewerDatabase

PATIENCE: Final = timedelta(seconds=10)


def back_up(url: str, target: Path) -> int:
    """Copy the database at ``url`` to the file ``target``, also while the bot runs.

    The target appears whole or not at all; an older one of that name is replaced. Returns its
    size in bytes. Raises `DatabaseUnusable` with one sentence.
    """
    source = _file_of(url)
    if not source.exists():
        raise DatabaseUnusable(f"There is no database {source} to back up.")
    if target.is_dir():
        raise DatabaseUnusable(f"{target} is a folder; name a file for the backup.")
    if target.exists() and source.samefile(target):
        raise DatabaseUnusable(f"{target} is the database itself; name another file.")
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        with (
            closing(sqlite3.connect(source, timeout=PATIENCE.total_seconds())) as old,
            closing(sqlite3.connect(part)) as new,
        ):
            old.backup(new)
            # A backup is one file: nothing of it may stand in a journal beside.
            new.execute("PRAGMA journal_mode = DELETE")
        _to_disk(part)
        part.replace(target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise DatabaseUnusable(_sentence(error, target)) from error
    return target.stat().st_size


def restore(url: str, backup: Path) -> Path | None:
    """Put a backup in the place of the database at ``url``; the bot must be stopped.

    What stood there is kept beside it under a name ending in ``.before-restore``, which is
    returned (None if nothing was there). A file that is damaged, foreign or of a newer version is
    refused and nothing changes. Raises `DatabaseUnusable` with one sentence.
    """
    place = _file_of(url)
    if not backup.is_file():
        raise DatabaseUnusable(f"There is no backup {backup}.")
    if place.exists() and place.samefile(backup):
        raise DatabaseUnusable(f"{backup} is the database itself; name a backup.")
    _refuse(backup)
    part = place.with_name(place.name + ".part")
    kept = place.with_name(place.name + ".before-restore")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(backup)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
        _to_disk(part)
        if place.exists():
            with closing(sqlite3.connect(place, timeout=PATIENCE.total_seconds())) as now:
                now.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            place.replace(kept)
        part.replace(place)
        for journal in ("-wal", "-shm"):  # of the database that was there before
            place.with_name(place.name + journal).unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise DatabaseUnusable(_sentence(error, place)) from error
    return kept if kept.exists() else None


def _refuse(backup: Path) -> None:
    """Raise `DatabaseUnusable` for a file that is no backup of ours, or of a newer version."""
    try:
        sqlite.refuse_foreign(backup, PATIENCE)
        with closing(sqlite3.connect(f"file:{backup}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()
            if found != ("ok",):
                raise DatabaseUnusable(f"The backup {backup} is damaged; use another one.")
            empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    except sqlite3.Error as error:
        raise DatabaseUnusable(_sentence(error, backup)) from error
    if empty:
        raise DatabaseUnusable(f"The file {backup} is no backup of Ginhouse: it is empty.")
    engine = create_engine(f"sqlite:///{backup}")
    try:
        with engine.connect() as connection:
            revision = migrate.current(connection)
    finally:
        engine.dispose()
    if revision not in migrate.known():
        raise NewerDatabase(
            f"The backup {backup} was made by a newer version of Ginhouse (schema {revision}, this "
            f"version knows {migrate.newest()}); restore it with that version."
        )


def _file_of(url: str) -> Path:
    file = parse_address(url).file
    if file is None:
        raise DatabaseUnusable(
            "DATABASE_URL names a PostgreSQL database; use pg_dump and pg_restore for it."
        )
    return file


def _to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sentence(error: Exception, place: Path) -> str:
    if isinstance(error, sqlite3.Error):
        return sqlite.sentence(error, place) or f"The copy to {place} failed ({error})."
    reason = getattr(error, "strerror", None) or type(error).__name__
    return f"The copy to {place} failed ({str(reason).lower()}); see that there is room and right."
