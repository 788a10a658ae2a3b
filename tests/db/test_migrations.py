"""The schema's history: up, down, and the same as the tables that the program speaks of."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Text, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine

from db import Store, migrate, sqlite
from db.__main__ import main as draft_a_migration
from db.schema import metadata
from db.store import PATIENCE
from tests.db.house import ANN, BOB, CLUB, NOW, a_challenge, lost, play_to_the_end, won

REVISIONS = [
    step.revision
    for step in reversed(
        list(ScriptDirectory.from_config(migrate.configuration()).walk_revisions())
    )
]


@pytest.fixture
async def engine(file: Path) -> AsyncIterator[AsyncEngine]:
    made = sqlite.migrator(file, PATIENCE)
    yield made
    await made.dispose()


def schema_of(file: Path) -> dict[str, str]:
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {
            name: " ".join(sql.split())
            for name, sql in rows
            if not name.startswith(("sqlite_", "alembic_"))
        }


def content(file: Path) -> bytes:
    return file.read_bytes()


async def go(engine: AsyncEngine, to: str) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(migrate.upgrade, "here", to)


async def back(engine: AsyncEngine, to: str) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(migrate.downgrade, "here", to)


async def test_every_migration_goes_up_down_and_up_again(engine: AsyncEngine, file: Path) -> None:
    assert REVISIONS[-1] == migrate.newest()
    before = "base"
    for revision in REVISIONS:
        old = schema_of(file)
        await go(engine, revision)
        new = schema_of(file)
        assert new != old
        await back(engine, before)
        assert schema_of(file) == old
        await go(engine, revision)
        assert schema_of(file) == new
        before = revision


async def test_a_database_full_of_rows_goes_all_the_way_down_and_up(
    url: str, file: Path, engine: AsyncEngine
) -> None:
    store = await Store.open(url)
    await play_to_the_end(store, [won(0, ANN, 200), lost(1, BOB, 10)])
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
        await tx.challenges.create(a_challenge())
    await store.close()
    for revision in [*reversed(REVISIONS[:-1]), "base"]:
        await back(engine, revision)
    assert schema_of(file) == {}
    await engine.dispose()
    again = await Store.open(url)
    async with again.reading() as tx:
        assert await tx.matches.running_ids() == ()
    await again.close()


async def test_migrations_lead_to_the_tables_that_the_program_speaks_of(
    engine: AsyncEngine,
) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    await go(engine, "head")
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_what_only_sqlite_knows_of_a_table_is_the_same_too(
    engine: AsyncEngine, file: Path, tmp_path: Path
) -> None:
    await go(engine, "head")
    plain = tmp_path / "plain.db"
    made = create_engine(f"sqlite:///{plain}")
    metadata.create_all(made)
    made.dispose()

    def kinds(of: Path) -> dict[str, tuple[bool, bool]]:
        return {
            name: ("WITHOUT ROWID" in sql, "AUTOINCREMENT" in sql)
            for name, sql in schema_of(of).items()
        }

    assert kinds(file) == kinds(plain)


async def test_an_open_database_is_at_the_newest_revision_and_opening_it_again_changes_nothing(
    url: str, file: Path
) -> None:
    await (await Store.open(url)).close()
    before = content(file)
    await (await Store.open(url)).close()
    assert content(file) == before


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(connection: Connection, place: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrate, "_check_references", broken)
    with pytest.raises(RuntimeError, match="power cut"):
        await Store.open(url)
    assert schema_of(file) == {}
    monkeypatch.undo()
    await (await Store.open(url)).close()


async def test_rows_that_refer_to_nothing_stop_a_migration(engine: AsyncEngine) -> None:
    await go(engine, "head")
    async with engine.begin() as connection:
        await connection.exec_driver_sql("INSERT INTO seats VALUES (99, 0, 1)")

        def check(connection: Connection) -> None:
            migrate._check_references(connection, "house.db")

        with pytest.raises(Exception, match=r"house\.db 1 rows refer to rows that are missing"):
            await connection.run_sync(check)


async def test_a_log_survives_the_database_being_opened_again(url: str) -> None:
    store = await Store.open(url)
    match_id = await play_to_the_end(store, [won(0, ANN, 200)])
    await store.close()
    again = await Store.open(url)
    async with again.reading() as tx:
        assert [entry.text for entry in await tx.matches.log(match_id)] == ["A resign"]
        assert len((await tx.league.page(CLUB, 5)).lines) == 1
    await again.close()


def test_a_draft_of_the_next_migration_holds_what_the_schema_has_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    monkeypatch.setattr(migrate, "FOLDER", folder)
    column = Column("topic", Text)
    metadata.tables["servers"].append_column(column)
    try:
        draft_a_migration(["new", "Servers have a topic"])
    finally:
        metadata.tables["servers"]._columns.remove(column)
    (draft,) = (folder / "versions").glob("*_servers_have_a_topic.py")
    text = draft.read_text()
    assert "Column('topic', sa.Text(), nullable=True)" in text
    assert "drop_column('topic')" in text
    assert f"down_revision = '{REVISIONS[-1]}'" in text
