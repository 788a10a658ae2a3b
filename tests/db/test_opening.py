"""Opening a database: what is created, and one sentence for whatever is in the way."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from db import DatabaseUnusable, NewerDatabase, PersonId, Store
from db.address import parse_address
from db.schema import metadata
from tests.db.house import ANN, CLUB, NOW

NOBODY = 65534
MIGRATIONS = Path(__file__).parents[2] / "db" / "migrations" / "versions"


async def refusal(url: str) -> str:
    """Open a database that cannot be used and return the sentence, which must be one."""
    with pytest.raises(DatabaseUnusable) as refused:
        await Store.open(url, patience=timedelta(milliseconds=50))
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert ". " not in sentence
    return sentence


def write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def read(file: Path) -> bytes:
    return file.read_bytes()


async def test_a_missing_folder_is_created(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "down here" / "100% ours.db"
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
    await store.close()
    again = await Store.open(f"sqlite:///{file}")
    async with again.reading() as tx:
        assert (await tx.people.get_many([ANN]))[ANN].name == "Ann"
    await again.close()
    # Closed properly, everything is in the one file.
    assert [path.name for path in file.parent.iterdir()] == [file.name]


async def test_a_relative_path_is_kept_whole_even_if_the_program_changes_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await Store.open("sqlite+aiosqlite:///data/ginhouse.db")
    monkeypatch.chdir("/")
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
    await store.close()
    assert (tmp_path / "data" / "ginhouse.db").exists()


async def test_an_empty_file_becomes_a_database(file: Path, url: str) -> None:
    write(file, b"")
    await (await Store.open(url)).close()
    with closing(sqlite3.connect(file)) as opened:
        versions = opened.execute("SELECT version_num FROM alembic_version").fetchall()
        tables = {name for (name,) in opened.execute("SELECT name FROM sqlite_master")}
    assert versions == [(max(file.stem[:4] for file in MIGRATIONS.glob("[0-9]*.py")),)]
    assert {"alembic_version", *metadata.tables} <= tables


@pytest.mark.parametrize("content", [b"not a database, but long enough" * 100, b"x" * 20])
async def test_a_file_that_is_no_database_is_named_and_left_alone(
    file: Path, url: str, content: bytes
) -> None:
    write(file, content)
    sentence = await refusal(url)
    assert f"{file} is not a database" in sentence
    assert read(file) == content


async def test_the_database_of_another_program_is_left_alone(file: Path, url: str) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    assert f"{file} is the database of another program" in await refusal(url)
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    file: Path, url: str
) -> None:
    await (await Store.open(url)).close()
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    before = read(file)
    with pytest.raises(NewerDatabase):
        await Store.open(url)
    sentence = await refusal(url)
    assert str(file) in sentence
    assert "newer version" in sentence
    assert "9999" in sentence
    assert read(file) == before


async def test_a_folder_in_the_place_of_the_database_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path} is a folder" in await refusal(f"sqlite+aiosqlite:///{tmp_path}")


async def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    sentence = await refusal(f"sqlite+aiosqlite:///{tmp_path}/data/ginhouse.db")
    assert f"The folder {tmp_path / 'data'}" in sentence


async def test_a_database_that_another_program_has_locked_is_named(file: Path, url: str) -> None:
    await (await Store.open(url)).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert f"{file} is locked by another program" in await refusal(url)
        other.execute("ROLLBACK")
    await (await Store.open(url)).close()


async def test_a_lock_taken_while_the_program_runs_fails_one_transaction_only(
    file: Path, url: str
) -> None:
    store = await Store.open(url, patience=timedelta(milliseconds=50))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseUnusable, match="locked by another program"):
            async with store.transaction() as tx:
                await tx.people.seen(ANN, "Ann", NOW)
        other.execute("ROLLBACK")
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
    await store.close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "not a database address"),
        ("", "not a database address"),
        ("sqlite+aiosqlite://", "names no file"),
        ("sqlite+aiosqlite:///:memory:", "names no file"),
        ("mysql://gin:secret@localhost/gin", "'mysql'"),
    ],
)
async def test_an_address_that_is_no_use_is_explained_by_its_settings_name(
    url: str, says: str
) -> None:
    sentence = await refusal(url)
    assert "DATABASE_URL" in sentence
    assert says in sentence
    assert "secret" not in sentence


def test_a_password_is_never_shown() -> None:
    pytest.importorskip("asyncpg", reason="no driver for PostgreSQL here")
    assert "secret" not in str(parse_address("postgresql://gin:secret@localhost/gin"))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may reach (pytest's own are closed to others)."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """Act as a user to whom the rights of files apply; root may do everything."""
    if sys.platform == "win32":
        pytest.skip("rights of files work differently here")
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    yield
    if root:
        os.seteuid(0)


@pytest.fixture
def readonly_file(open_folder: Path) -> Path:
    file = open_folder / "house.db"
    file.touch(0o444)
    open_folder.chmod(0o777)
    return file


@pytest.fixture
def readonly_folder(open_folder: Path) -> Path:
    open_folder.chmod(0o555)
    return open_folder


async def test_a_file_without_the_right_to_write_is_named(
    readonly_file: Path, as_nobody: None
) -> None:
    sentence = await refusal(f"sqlite+aiosqlite:///{readonly_file}")
    assert f"{readonly_file} may not be read and written" in sentence


async def test_a_folder_without_the_right_to_write_is_named(
    readonly_folder: Path, as_nobody: None
) -> None:
    sentence = await refusal(f"sqlite+aiosqlite:///{readonly_folder}/house.db")
    assert f"The folder {readonly_folder}" in sentence
    sentence = await refusal(f"sqlite+aiosqlite:///{readonly_folder}/deeper/house.db")
    assert f"The folder {readonly_folder}/deeper" in sentence


async def test_a_full_disk_is_named_and_nothing_is_half_written(store: Store, file: Path) -> None:
    async with store._write.connect() as connection:
        used = (await connection.exec_driver_sql("PRAGMA page_count")).scalar()
        await connection.exec_driver_sql(f"PRAGMA max_page_count = {used}")
        await connection.commit()

    async def write_much() -> None:
        async with store.transaction() as tx:
            await tx.people.seen(ANN, "Ann", NOW)
            await tx.servers.seen(CLUB, "x" * 1_000_000, NOW)

    # A program that didn't notice would otherwise go on outside of any transaction.
    async def write_much_and_go_on() -> None:
        async with store.transaction() as tx:
            with suppress(OperationalError):
                await tx.servers.seen(CLUB, "x" * 1_000_000, NOW)
            with pytest.raises(RuntimeError, match="failed already"):
                await tx.people.seen(ANN, "Ann", NOW)

    for write_too_much in (write_much, write_much_and_go_on):
        with pytest.raises(DatabaseUnusable, match=f"no room left on the disk for .* {file}"):
            await write_too_much()
    async with store.reading() as tx:
        assert await tx.people.get_many([ANN]) == {}
    # With room again, on goes the same store.
    async with store._write.connect() as connection:
        await connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        await connection.commit()
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
    async with store.reading() as tx:
        assert (await tx.people.get_many([ANN]))[ANN].name == "Ann"


WRITE_UNTIL_FULL = """
import asyncio, resource, sys
from datetime import UTC, datetime
from db import DatabaseUnusable, PersonId, Store

async def main() -> None:
    store = await Store.open(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    for number in range(1, 10_000):
        try:
            async with store.transaction() as tx:
                await tx.people.seen(PersonId(number), "x" * 1000, datetime.now(UTC))
        except DatabaseUnusable as error:
            print(error)
            return
        print(number, flush=True)

asyncio.run(main())
"""


def said_by(program: str, url: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", program, url], capture_output=True, text=True, timeout=60
    )
    assert ran.stdout, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on a file's size here")
async def test_when_the_system_takes_no_more_every_acknowledged_row_is_kept(
    file: Path, url: str
) -> None:
    *acknowledged, sentence = said_by(WRITE_UNTIL_FULL, url)
    assert str(file) in sentence
    store = await Store.open(url)
    async with store.reading() as tx:
        kept = await tx.people.get_many(PersonId(int(number)) for number in acknowledged)
    await store.close()
    assert len(kept) == len(acknowledged) > 10
