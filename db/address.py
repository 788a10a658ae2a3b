"""Reading ``DATABASE_URL``: which database, and for SQLite which file.

The bot's settings let an address of SQLite through only; PostgreSQL is a door for later.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from db.errors import DatabaseUnusable

_EXAMPLE = "sqlite+aiosqlite:///data/ginhouse.db"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the database is; ``file`` is its absolute path for SQLite, None for PostgreSQL."""

    url: URL
    file: Path | None

    def __str__(self) -> str:
        """The path or the address, without a password: fit for a sentence to the operator."""
        return str(self.file) if self.file else self.url.render_as_string(hide_password=True)


def parse_address(url: str) -> Address:
    """Read a database's address; raises `DatabaseUnusable` with the reason."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise DatabaseUnusable(
            f"DATABASE_URL is not a database address; write it like {_EXAMPLE}."
        ) from None
    match parsed.get_backend_name():
        case "sqlite":
            return _sqlite(parsed)
        case "postgresql":
            if find_spec("asyncpg") is None:
                raise DatabaseUnusable(
                    "DATABASE_URL names a PostgreSQL database, which can't be used; "
                    f"use a file of SQLite: {_EXAMPLE}."
                )
            return Address(parsed.set(drivername="postgresql+asyncpg"), None)
        case other:
            raise DatabaseUnusable(
                f"DATABASE_URL names a database of the kind {other!r}; "
                f"use a file of SQLite: {_EXAMPLE}."
            )


def _sqlite(url: URL) -> Address:
    name = url.database
    if not name or name == ":memory:" or name.startswith("file:"):
        raise DatabaseUnusable(
            f"DATABASE_URL names no file, so nothing would be kept; write it like {_EXAMPLE}."
        )
    file = Path(name).expanduser().absolute()
    return Address(URL.create("sqlite+aiosqlite", database=str(file)), file)
