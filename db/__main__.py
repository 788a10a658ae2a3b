"""For those who change the schema: ``python -m db new "why"`` writes the next migration.

Change ``db/schema.py`` first. What is written is the difference that Alembic sees between the
migrations so far and the schema: a draft, to be read and put in order.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from alembic import command
from sqlalchemy import Connection

from db import migrate, sqlite
from db.store import PATIENCE


def _draft(connection: Connection, why: str) -> None:
    migrate.upgrade(connection, "for drafting")
    number = f"{int(migrate.newest()) + 1:04}"
    command.revision(migrate.configuration(connection), why, autogenerate=True, rev_id=number)


async def _new(why: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine = sqlite.migrator(Path(folder) / "draft.db", PATIENCE)
        async with engine.begin() as connection:
            await connection.run_sync(_draft, why)
        await engine.dispose()


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and write a migration's draft."""
    parser = argparse.ArgumentParser("python -m db", description="Draft the next migration.")
    parser.add_argument("command", choices=["new"])
    parser.add_argument("why", help="what changes, in a few words")
    asyncio.run(_new(parser.parse_args(arguments).why))


if __name__ == "__main__":
    main()
