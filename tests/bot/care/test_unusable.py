"""A database that can't be used: start and housekeeping say one sentence, and change nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.care.housekeeping import HOUSEKEEPING
from db import backup, sqlite
from db.onetrip import OneTripConnection
from db.store import Store
from tests.db.kept import FOLDER as SCHEMAS

TOKEN = "MTIzNDU2.Gh1jKl.a-token-of-the-right-shape"
START = "start"
ALL = (START, *HOUSEKEEPING)
pytestmark = pytest.mark.usefixtures("as_it_was")
TEMPORARY = (".part", "-journal", "-wal", "-shm")
LATER = "SELECT count(*) FROM facts WHERE name = 'after the backup'"


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database just made, to be copied."""
    place = tmp_path_factory.mktemp("new") / "house.db"
    create(place)
    return place


@pytest.fixture
def file(new: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of ours, with a backup beside it."""
    place = folder / "data" / "house.db"
    place.parent.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{place}")
    shutil.copy(new, place)
    backup.copy(place, folder / "backup.db")
    return place


def create(place: Path) -> None:
    async def open_once() -> None:
        await (await Store.open(f"sqlite+aiosqlite:///{place}")).close()

    asyncio.run(open_once())


def run(command: str, copy: Path) -> int:
    """Start, or run a housekeeping command, as a person who types it."""
    if command == START:
        return main([])
    return main([command, str(copy)] if command in ("backup", "restore") else [command])


def refused(command: str, copy: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence that a command says, without having left anything half-written."""
    before = {path: path.read_bytes() for path in held(copy.parent)}
    capsys.readouterr()
    assert run(command, copy) == 1
    said = capsys.readouterr()
    assert said.out == ""
    (sentence,) = said.err.splitlines()
    assert sentence.endswith(".")
    assert ". " not in sentence
    assert {path: path.read_bytes() for path in held(copy.parent)} == before
    return sentence


def held(folder: Path) -> list[Path]:
    """Every file below a folder but the lock, which stays by design."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert not [path for path in found if path.name.endswith(".part")]
    return [path for path in found if not path.name.endswith(TEMPORARY)]


def no_database(place: Path) -> str:
    place.write_bytes(b"Dear diary, " * 1000)
    return "is not a database"


def foreign(place: Path) -> str:
    place.unlink()
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    return "is the database of another program"


def newer(place: Path) -> str:
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    return "newer version of Ginhouse"


def damaged(place: Path) -> str:
    """The page of one table holds nonsense; nothing tells but a look at it."""
    with closing(sqlite3.connect(place)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'results'"
        ).fetchone()
    content = bytearray(place.read_bytes())
    content[(root - 1) * size : root * size] = b"\xa5" * size
    place.write_bytes(content)
    return "is damaged"


@pytest.mark.parametrize("command", ["start", "check", "rebuild", "backup"])
@pytest.mark.parametrize("spoil", [no_database, foreign, newer, damaged])
def test_a_file_that_cannot_be_used_is_named_with_what_to_do(
    file: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], str],
    command: str,
) -> None:
    said = spoil(file)
    if (spoil, command) == (newer, "backup"):
        assert run(command, folder / "copy.db") == 0  # a copy of it does no harm
        return
    sentence = refused(command, folder / "copy.db", capsys)
    assert str(file) in sentence
    assert said in sentence


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("command", [START, "check", "rebuild", "backup", "restore"])
@pytest.mark.parametrize("is_folder", [False, True], ids=["a pipe", "a folder"])
def test_what_is_no_file_is_named_and_stays_what_it_is(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str], command: str, *, is_folder: bool
) -> None:
    copy = folder / ("backup.db" if command == "restore" else "copy.db")
    file.unlink()
    if is_folder:
        file.mkdir()
    else:
        os.mkfifo(file)
    assert f"The database {file} is " in refused(command, copy, capsys)
    assert file.is_dir() if is_folder else file.is_fifo()


def test_a_folder_a_pipe_and_nothing_are_no_backups_and_called_what_they_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "copies").mkdir()
    assert f"{folder / 'copies'} is a folder;" in refused("restore", folder / "copies", capsys)
    assert f"There is no backup {folder / 'b.db'};" in refused("restore", folder / "b.db", capsys)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
        said = refused("restore", folder / "pipe", capsys)
        assert f"{folder / 'pipe'} is no file but a pipe" in said


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_backup_without_a_name_is_told_that_one_is_wanted(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, ""])
    assert ended.value.code == 2
    assert "the name of a file is wanted" in capsys.readouterr().err


@pytest.mark.parametrize("spoil", [no_database, foreign, newer, damaged])
def test_a_backup_that_cannot_be_used_is_named_and_not_restored(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], str]
) -> None:
    spoil(folder / "backup.db")
    assert str(folder / "backup.db") in refused("restore", folder / "backup.db", capsys)


@pytest.mark.parametrize("spoil", [no_database, newer, damaged])
def test_a_backup_takes_the_place_of_whatever_is_wrong_with_the_database(
    file: Path, folder: Path, spoil: Callable[[Path], str]
) -> None:
    spoil(file)
    wrong = file.read_bytes()
    assert run("restore", folder / "backup.db") == 0
    assert run("check", folder / "backup.db") == 0
    kept = file.with_name("house.db.before-restore")
    assert len(kept.read_bytes()) == len(wrong)
    if spoil is no_database:
        assert kept.read_bytes() == wrong


def test_a_backup_does_not_take_the_place_of_another_programs_database(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign(file)
    assert f"{file} is the database of another program" in refused(
        "restore", folder / "backup.db", capsys
    )


def test_a_backup_comes_alone_without_a_journal_of_what_was_there(file: Path, folder: Path) -> None:
    """A killed bot leaves a journal; replayed into another database it would ruin that one."""
    with closing(sqlite3.connect(file)) as running:
        running.execute("PRAGMA journal_mode = WAL")
        running.execute("INSERT INTO facts VALUES ('after the backup', 'yes')")
        running.commit()
        journal = file.with_name("house.db-wal").read_bytes()
        content = file.read_bytes()
    file.write_bytes(content)
    file.with_name("house.db-wal").write_bytes(journal)
    assert run("restore", folder / "backup.db") == 0
    kept = file.with_name("house.db.before-restore")
    for place, facts in ((file, 0), (kept, 1)):
        with closing(sqlite3.connect(place)) as connection:
            (count,) = connection.execute(LATER).fetchone()
        assert count == facts


@pytest.mark.parametrize("command", ALL)
def test_a_database_that_another_program_holds_is_named(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO facts VALUES ('busy', 'yes')")
        sentence = refused(command, folder / "backup.db", capsys)
        other.execute("ROLLBACK")
    assert f"{file} is locked by another program" in sentence


@pytest.mark.parametrize("command", [START, "check", "rebuild", "restore"])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_may_not_be_written_is_named(
    file: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    as_nobody: Callable[[], None],
    command: str,
    what: str,
) -> None:
    place = file if what == "file" else file.parent
    file.parent.chmod(0o777 if what == "file" else 0o555)
    file.chmod(0o444 if what == "file" else 0o666)
    as_nobody()
    sentence = refused(command, folder / "backup.db", capsys)
    assert str(place) in sentence
    assert "right" in sentence


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_what_may_not_be_read_is_named_and_not_what_it_is_copied_to(
    file: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    as_nobody: Callable[[], None],
    command: str,
) -> None:
    folder.chmod(0o777)
    file.parent.chmod(0o777)
    file.chmod(0o666)
    original = file if command == "backup" else folder / "backup.db"
    copy = folder / ("copy.db" if command == "backup" else "backup.db")
    original.chmod(0)
    as_nobody()
    capsys.readouterr()
    assert run(command, copy) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    what = "database" if command == "backup" else "backup"
    assert sentence.startswith(f"The {what} {original} may not be read by this user; ")
    assert command == "restore" or not copy.exists()


def test_a_link_to_the_database_stays_when_a_backup_is_restored(
    file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = folder / "link.db"
    link.symlink_to(file)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{link}")
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("INSERT INTO facts VALUES ('after the backup', 'yes')")
    assert run("restore", folder / "backup.db") == 0
    assert link.readlink() == file
    for place, facts in ((file, 0), (file.with_name("house.db.before-restore"), 1)):
        with closing(sqlite3.connect(place)) as opened:
            (count,) = opened.execute(LATER).fetchone()
        assert count == facts
    assert not folder.joinpath("link.db.before-restore").exists()


def test_a_folder_for_a_backup_that_may_not_be_written_is_named(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str], as_nobody: Callable[[], None]
) -> None:
    file.parent.chmod(0o777)
    file.chmod(0o666)
    as_nobody()
    sentence = refused("backup", folder / "copy.db", capsys)
    assert str(folder / "copy.db") in sentence


@pytest.mark.parametrize("command", ALL)
def test_a_folder_in_which_one_may_not_even_look_is_named(
    file: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    as_nobody: Callable[[], None],
    command: str,
) -> None:
    file.parent.chmod(0)
    folder.chmod(0o777)
    as_nobody()
    assert run(command, folder / "backup.db") == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert str(file.parent) in sentence
    assert "permission denied" in sentence
    assert not list(folder.glob("*.part"))


def test_a_folder_that_is_not_there_is_named(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("backup", folder / "nowhere" / "copy.db") == 1
    assert f"There is no folder {folder / 'nowhere'} for the backup" in capsys.readouterr().err
    assert not (folder / "nowhere").exists()


@pytest.mark.parametrize("command", ["check", "rebuild", "backup"])
def test_looking_after_what_is_not_there_says_so_and_makes_nothing(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    shutil.rmtree(file.parent)
    assert f"There is no database {file}" in refused(command, folder / "copy.db", capsys)
    assert not file.exists()


def test_a_backup_is_restored_also_where_there_is_no_folder_yet(file: Path, folder: Path) -> None:
    shutil.rmtree(file.parent)
    assert run("restore", folder / "backup.db") == 0
    assert run("check", folder / "backup.db") == 0


@pytest.mark.parametrize("command", [START, "check"])
def test_a_disk_without_room_for_the_schema_is_named_at_the_start(
    file: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    """An older database, which is to be brought up to date."""
    monkeypatch.setenv("BACKUP_EVERY_HOURS", "0")
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((SCHEMAS / "0004.sql").read_text(encoding="utf-8"))
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("VACUUM")
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    pragmas = sqlite._pragmas
    monkeypatch.setattr(
        sqlite, "_pragmas", lambda patience: (*pragmas(patience), f"PRAGMA max_page_count={pages}")
    )
    sentence = refused(command, folder / "copy.db", capsys)
    assert f"no room left on the disk for the database {file}" in sentence


def test_a_disk_that_is_full_when_something_is_put_right_is_named(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO matches (server_id, channel_id, rules, status, head, created_at, acted_at)"
            " VALUES (1, 2, 'rules v1', 'running', 7, 0, 0)"
        )
        connection.execute("INSERT INTO seats VALUES (1, 0, 5), (1, 1, 6)")
        connection.execute("INSERT INTO entries VALUES (1, 1, 'cut KD 7H', NULL, NULL, NULL, 0)")

    async def full(_connection: OneTripConnection) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(OneTripConnection, "commit", full)
    sentence = refused("rebuild", folder / "copy.db", capsys)
    assert f"no room left on the disk for the database {file}" in sentence


@pytest.mark.parametrize(("command", "target"), [("backup", "copy.db"), ("restore", "backup.db")])
def test_a_disk_without_room_for_a_copy_is_named_and_nothing_is_left(
    file: Path,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    target: str,
) -> None:
    connect = sqlite3.connect

    def opened(
        path: Path | str, timeout: float = 5, isolation_level: None = None, uri: bool = False
    ) -> sqlite3.Connection:
        connection = connect(path, timeout=timeout, isolation_level=isolation_level, uri=uri)
        if str(path).endswith(".part"):
            connection.execute("PRAGMA max_page_count = 4")
        return connection

    monkeypatch.setattr(sqlite3, "connect", opened)
    sentence = refused(command, folder / target, capsys)
    assert "database or disk is full" in sentence
    if command == "backup":
        assert f"The copy to {folder / target} failed" in sentence
    else:
        assert f"the database {file} is as it was" in sentence
