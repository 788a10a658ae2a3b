"""Bringing the schema up to date from inside the program, by Alembic.

Alembic keeps the migration that it is running in a global, so one database at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from db import sqlite
from db.errors import DatabaseUnusable, NewerDatabase

FOLDER: Final = Path(__file__).parent / "migrations"


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, for running on ``connection``."""
    config = Config()
    # Percent signs are special to the configuration's parser.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    if connection is not None:
        config.attributes["connection"] = connection
    return config


def newest() -> str:
    """Return the newest revision that this program knows."""
    head = ScriptDirectory.from_config(configuration()).get_current_head()
    assert head is not None  # noqa: S101 - the first migration is always there
    return head


def known() -> frozenset[str]:
    """Return every revision that this program knows."""
    script = ScriptDirectory.from_config(configuration())
    return frozenset(step.revision for step in script.walk_revisions())


def current(connection: Connection) -> str | None:
    """Return the revision of a database, None where it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, place: object, to: str = "head") -> None:
    """Bring a database up to a revision, within the transaction that ``connection`` is in.

    Raises `NewerDatabase` if its revision isn't known here; ``place`` names it in the sentence.
    """
    found = current(connection)
    if found == newest() and to == "head":
        return
    if found is not None and found not in known():
        raise NewerDatabase(
            f"The database {place} was written by a newer version of Ginhouse (schema {found}, "
            f"this version knows {newest()}); start that version again, or restore a backup made "
            "before the update."
        )
    command.upgrade(configuration(connection), to)
    _check_references(connection, place)


def downgrade(connection: Connection, place: object, to: str) -> None:
    """Take a database back to an older revision (``base``: empty), within the transaction."""
    command.downgrade(configuration(connection), to)
    _check_references(connection, place)


def _check_references(connection: Connection, place: object) -> None:
    if connection.dialect.name == "sqlite" and (broken := sqlite.broken_references(connection)):
        raise DatabaseUnusable(
            f"In the database {place} {broken} rows refer to rows that are missing, so its schema "
            "was left as it is; restore the latest backup."
        )
