"""Backups by schedule: when, how many, and what happens when one can't be made."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal  # Any: structlog's own event dictionaries

import pytest
from structlog.testing import capture_logs

from bot import metrics
from bot.care.backups import AGAIN_AFTER, FIRST_LOOK, Backups, Schedule, before_upgrade
from db import backup
from db.errors import DatabaseUnusable
from db.ids import PersonId
from db.store import Store
from tests.db.kept import FOLDER

ADA = PersonId(1)
START = datetime(2026, 2, 28, 22, 30, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Clock:
    """A time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = START
        self.sleeps: list[timedelta] = []

    def __call__(self) -> datetime:
        return self.now

    async def sleep(self, pause: timedelta) -> None:
        self.sleeps.append(pause)
        self.now += pause
        await asyncio.sleep(0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite+aiosqlite:///{file}")
    async with opened.transaction() as tx:
        await tx.people.seen(ADA, "Ada", START)
        await tx.facts.put("house", "1f2e3d4c")
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def schedule(keep: int = 7, folder: Path | None = None) -> Schedule:
    return Schedule(every=DAY, keep=keep, folder=folder)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def named(time: str) -> str:
    return f"house-1f2e3d4c-{time}.db"


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


async def watch(made: Backups, clock: Clock, until: datetime) -> None:
    """Let the watch run until that time."""

    async def sleep(pause: timedelta) -> None:
        if clock.now + pause > until:
            raise asyncio.CancelledError
        await clock.sleep(pause)

    with pytest.raises(asyncio.CancelledError):
        await made.watch(sleep)


async def test_the_first_one_is_made_soon_after_the_start_and_then_one_a_day(
    store: Store, file: Path, clock: Clock
) -> None:
    await watch(Backups(store, schedule(), clock), clock, START + 2 * DAY + HOUR)
    assert clock.sleeps[0] == FIRST_LOOK
    newest = metrics.registry.get_sample_value("ginhouse_backup_timestamp_seconds")
    assert newest == datetime(2026, 3, 2, 22, 35, tzinfo=UTC).timestamp()
    assert names(file.parent / "backups") == [
        named("20260228T223500Z"),
        named("20260301T223500Z"),
        named("20260302T223500Z"),
    ]


async def test_a_backup_is_a_whole_database_with_all_that_was_committed(
    store: Store, file: Path, clock: Clock
) -> None:
    assert await Backups(store, schedule(), clock).make()
    copy = file.parent / "backups" / named("20260228T223000Z")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT name FROM people").fetchall() == [("Ada",)]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert names(copy.parent) == [copy.name]


async def test_after_a_restart_the_next_one_is_due_a_day_after_the_last(
    store: Store, file: Path, clock: Clock
) -> None:
    write(file.parent / "backups" / named("20260228T123000Z"))
    made = Backups(store, schedule(), clock)
    assert await made.wait() == timedelta(hours=14)
    await watch(made, clock, START + 13 * HOUR)
    assert names(made.folder) == [named("20260228T123000Z")]
    await watch(made, clock, START + 15 * HOUR)
    assert names(made.folder) == [named("20260228T123000Z"), named("20260301T123000Z")]


async def test_a_bot_that_is_started_every_few_hours_makes_no_more_than_one_a_day(
    store: Store, file: Path, clock: Clock
) -> None:
    for start in range(8):
        clock.now = START + start * 6 * HOUR
        await watch(Backups(store, schedule(), clock), clock, clock.now + HOUR)
    assert len(names(file.parent / "backups")) == 2


async def test_the_oldest_goes_when_there_are_too_many(
    store: Store, file: Path, clock: Clock
) -> None:
    made = Backups(store, schedule(keep=2), clock)
    for _ in range(4):
        assert await made.make()
        clock.now += DAY
    assert names(made.folder) == [named("20260302T223000Z"), named("20260303T223000Z")]


OTHERS = (
    "house.db",
    "house-1f2e3d4c-20260101T000000Z.db.gz",
    "house-1f2e3d4c-20260199T000000Z.db",
    "house-0badc0de-20260101T000000Z.db",
    "tavern-1f2e3d4c-20260101T000000Z.db",
    "house-1f2e3d4c-before-the-party.db",
    "house-0badc0de-20260101T000000Z.db.part",
    "notes.part",
)


async def test_only_files_that_it_has_made_itself_are_ever_removed(
    store: Store, file: Path, clock: Clock, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    for name in OTHERS:
        write(folder / name, "dear to somebody")
    made = Backups(store, schedule(keep=1, folder=folder), clock)
    for _ in range(3):
        assert await made.make()
        clock.now += DAY
    assert names(folder) == sorted([*OTHERS, named("20260302T223000Z")])
    assert (folder / "house.db").read_text() == "dear to somebody"


async def test_two_databases_of_one_name_can_share_a_folder(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    other = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'elsewhere' / 'house.db'}")
    for one in (store, other):
        assert await Backups(one, schedule(keep=1, folder=folder), clock).make()
    await other.close()
    assert len(names(folder)) == 2


async def test_what_a_kill_left_of_a_backup_is_cleared_away(
    store: Store, file: Path, clock: Clock
) -> None:
    torn = write(file.parent / "backups" / (named("20260227T223000Z") + ".part"), "half")
    assert await Backups(store, schedule(), clock).make()
    assert not torn.exists()


async def test_a_folder_that_cannot_be_made_is_said_once_and_tried_again(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    in_the_way = write(tmp_path / "no folder", "a file")
    made = Backups(store, schedule(folder=in_the_way / "backups"), clock)
    with capture_logs() as logs:
        await watch(made, clock, START + HOUR)
        in_the_way.unlink()
        await watch(made, clock, START + 2 * HOUR)
    assert clock.sleeps[1:4] == [AGAIN_AFTER] * 3
    said = errors(logs)
    assert len(said) == 1
    assert f"The folder {in_the_way / 'backups'} for backups cannot be created" in said[0]
    assert "BACKUP_FOLDER" in said[0]
    assert len(names(made.folder)) == 1


async def test_a_full_disk_is_said_once_and_leaves_what_was_there(
    store: Store, file: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Backups(store, schedule(keep=1), clock)
    assert await made.make()
    full_disk(monkeypatch)
    clock.now += DAY
    with capture_logs() as logs:
        assert not await made.make()
        assert not await made.make()
    (said,) = errors(logs)
    assert "database or disk is full" in said
    assert names(made.folder) == [named("20260228T223000Z")]
    monkeypatch.undo()
    assert await made.make()
    assert names(made.folder) == [named("20260301T223000Z")]


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file that is copied to be full after four pages."""
    connect = sqlite3.connect

    def opened(
        path: Path | str,
        timeout: float = 5,
        isolation_level: Literal["IMMEDIATE"] | None = "IMMEDIATE",
        check_same_thread: bool = True,
    ) -> sqlite3.Connection:
        connection = connect(
            path,
            timeout=timeout,
            isolation_level=isolation_level,
            check_same_thread=check_same_thread,
        )
        if str(path).endswith(".part"):
            connection.execute("PRAGMA max_page_count = 4")
        return connection

    monkeypatch.setattr(sqlite3, "connect", opened)


def errors(logs: list[Any]) -> list[str]:
    return [str(one["why"]) for one in logs if one["log_level"] == "error"]


async def test_a_bot_that_stops_gives_its_backup_up_and_leaves_nothing_of_it(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)
    made = Backups(store, schedule(), clock)
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    copy = backup.copy

    def slowly(original: Path, target: Path, stop: Callable[[], bool]) -> int:
        loop.call_soon_threadsafe(begun.set)
        while not stop():
            pass
        return copy(original, target, stop)

    monkeypatch.setattr(backup, "copy", slowly)
    making = asyncio.create_task(made.make())
    await begun.wait()
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert names(made.folder) == []


async def test_people_go_on_playing_while_a_copy_is_made(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit after every page that is copied: the copy shows one moment all the same."""
    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 1)
    made = Backups(store, schedule(), clock)
    making = asyncio.create_task(made.make())
    written = 0
    while not making.done():
        written += 1
        async with store.transaction() as tx:
            await tx.people.seen(PersonId(100 + written), "x" * 1000, START)
            await tx.people.seen(PersonId(100_000 + written), "x" * 1000, START)
    assert await making
    with closing(sqlite3.connect(made.folder / names(made.folder)[0])) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (people,) = connection.execute("SELECT count(*) FROM people").fetchone()
    assert people % 2 == 1  # Ada, and whole transactions


async def test_a_clock_that_was_ahead_once_changes_nothing_of_the_schedule(
    store: Store, file: Path, clock: Clock
) -> None:
    ahead = write(file.parent / "backups" / named("20990101T000000Z"))
    await watch(Backups(store, schedule(), clock), clock, START + 2 * DAY + HOUR)
    assert ahead.exists()
    assert len(names(ahead.parent)) == 1 + 3
    assert await Backups(store, schedule(), clock).wait() > timedelta(0)


async def test_a_database_that_cannot_be_read_is_said_once_and_tried_again(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def locked(_store: Backups) -> str:
        raise DatabaseUnusable("The database is locked by another program.")

    made = Backups(store, schedule(), clock)
    monkeypatch.setattr(Backups, "_house", locked)
    with capture_logs() as logs:
        await watch(made, clock, START + HOUR)
    assert errors(logs) == ["The database is locked by another program."]
    monkeypatch.undo()
    await watch(made, clock, START + 2 * HOUR)
    assert len(names(made.folder)) == 1


async def test_a_damaged_original_is_named_not_the_copy(
    store: Store, file: Path, clock: Clock, tmp_path: Path
) -> None:
    damaged = write(tmp_path / "damaged.db", "no database at all " * 100)
    with pytest.raises(DatabaseUnusable, match=rf"The file {damaged} is not a database"):
        backup.copy(damaged, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def kept(tmp_path: Path, revision: str) -> Path:
    """A database that an older version left."""
    place = tmp_path / "old" / "house.db"
    place.parent.mkdir()
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript((FOLDER / f"{revision}.sql").read_text(encoding="utf-8"))
    return place


def test_before_the_schema_changes_a_copy_is_made_that_the_old_version_can_use(
    tmp_path: Path,
) -> None:
    place = kept(tmp_path, "0003")
    url = f"sqlite+aiosqlite:///{place}"
    copy = before_upgrade(url, schedule(), START)
    assert copy == place.parent / "backups" / "house-schema-0003-20260228T223000Z.db"
    assert backup.revision_of(copy) == "0003"

    async def upgrade() -> None:
        await (await Store.open(url)).close()

    asyncio.run(upgrade())
    assert before_upgrade(url, schedule(), START + DAY) is None
    assert names(copy.parent) == [copy.name]


def test_a_schema_that_cannot_be_changed_again_and_again_fills_no_disk(
    tmp_path: Path,
) -> None:
    """The bot is started anew every few seconds, and fails each time."""
    place = kept(tmp_path, "0003")
    url = f"sqlite+aiosqlite:///{place}"
    made = [before_upgrade(url, schedule(), START + count * HOUR) for count in range(3)]
    assert [copy is not None for copy in made] == [True, False, False]

    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("UPDATE people SET name = 'Adele'")
    os.utime(place, (later := time.time() + 60, later))
    assert before_upgrade(url, schedule(), START + DAY) is not None  # it has been played since


def test_a_copy_of_another_database_of_that_name_is_no_copy_of_this_one(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    place = kept(tmp_path, "0003")
    url = f"sqlite+aiosqlite:///{place}"
    for count, house in enumerate(("1f2e3d4c", "0badc0de")):
        with closing(sqlite3.connect(place)) as connection, connection:
            connection.execute("INSERT OR REPLACE INTO facts VALUES ('house', ?)", (house,))
        os.utime(place, (1, 1))
        assert before_upgrade(url, schedule(folder=folder), START + count * HOUR) is not None


def test_what_a_kill_left_of_a_copy_before_an_upgrade_is_cleared_away(tmp_path: Path) -> None:
    place = kept(tmp_path, "0003")
    folder = place.parent / "backups"
    torn = write(folder / "house-schema-0003-20260227T223000Z.db.part", "half")
    dear = write(folder / "house-schema-0003-before-the-party.db.part", "dear to somebody")
    assert before_upgrade(f"sqlite+aiosqlite:///{place}", schedule(), START) is not None
    assert not torn.exists()
    assert dear.exists()


async def test_a_copy_from_before_an_upgrade_stays(store: Store, file: Path, clock: Clock) -> None:
    old = write(file.parent / "backups" / "house-schema-0003-20260101T000000Z.db")
    made = Backups(store, schedule(keep=1), clock)
    assert await made.wait() <= timedelta(0)
    assert await made.make()
    assert old.exists()


def test_where_there_is_nothing_to_upgrade_no_copy_is_made(tmp_path: Path) -> None:
    place = tmp_path / "house.db"
    url = f"sqlite+aiosqlite:///{place}"
    assert before_upgrade(url, schedule(), START) is None
    for content in ("", "no database at all " * 100):
        write(place, content)
        assert before_upgrade(url, schedule(), START) is None
    newer = kept(tmp_path, "0003")
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert before_upgrade(f"sqlite+aiosqlite:///{newer}", schedule(), START) is None
    assert not (tmp_path / "backups").exists()


def test_without_room_for_that_copy_the_schema_stays_as_it_is(tmp_path: Path) -> None:
    place = kept(tmp_path, "0003")
    in_the_way = write(tmp_path / "no folder", "a file")
    with pytest.raises(DatabaseUnusable, match=r"for backups cannot be created"):
        before_upgrade(
            f"sqlite+aiosqlite:///{place}", schedule(folder=in_the_way / "backups"), START
        )
    assert backup.revision_of(place) == "0003"
