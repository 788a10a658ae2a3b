"""``check``, ``rebuild``, ``backup`` and ``restore``: what an operator can do for the database."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.care import retention
from bot.care.housekeeping import look_after
from bot.now import utc_now
from bot.play.tables import NewTable, Tables
from db.errors import AlreadyRunning, DatabaseUnusable, NewerDatabase
from db.ids import ChannelId, MatchId, PersonId, ServerId
from db.lock import HouseLock
from db.rows import MatchStatus, NewChallenge, NewEntry
from db.store import Store
from gin import Cancel, Resign
from gin.rules import Rules
from tests.db.house import NOW, new_match

ADA, BEN = PersonId(1), PersonId(2)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three matches: one resigned, one cancelled, one running."""
    place = tmp_path_factory.mktemp("new") / "house.db"
    address = f"sqlite+aiosqlite:///{place}"

    async def fill() -> None:
        store = await Store.open(address)
        tables = Tables(store, utc_now)
        for number in range(3):
            now = datetime.now(UTC)
            async with store.transaction() as tx:
                challenge = await tx.challenges.create(
                    NewChallenge(
                        server_id=ServerId(9),
                        channel_id=ChannelId(8),
                        challenger=ADA,
                        opponents=(BEN,),
                        rules=Rules().dump(),
                        created_at=now,
                        expires_at=now + timedelta(hours=1),
                        rematch_of=None,
                    )
                )
                table = await tables.open(
                    tx,
                    NewTable(
                        server=ServerId(9),
                        channel=ChannelId(8),
                        people=(ADA, BEN),
                        rules=Rules(),
                        challenge=challenge,
                    ),
                )
            if number == 0:
                await tables.act(table.id, ADA, lambda _match, seat: Resign(seat))
            if number == 1:
                await tables.act(table.id, ADA, lambda _match, _seat: Cancel())
        await store.close()

    asyncio.run(fill())
    return place


@pytest.fixture
def url(new: Path, tmp_path: Path) -> str:
    """That database, to be spoilt."""
    shutil.copy(new, tmp_path / "house.db")
    return f"sqlite+aiosqlite:///{tmp_path / 'house.db'}"


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite+aiosqlite:///"))


def spoil(url: str, statement: str) -> None:
    with closing(sqlite3.connect(file_of(url))) as connection, connection:
        connection.execute(statement)


def standings(url: str) -> list[tuple[int, int, int, int]]:
    async def read() -> list[tuple[int, int, int, int]]:
        store = await Store.open(url)
        async with store.reading() as tx:
            rows = (await tx.league.page(ServerId(9), limit=10)).lines
        await store.close()
        return [(row.person_id, row.played, row.won, row.points) for row in rows]

    return asyncio.run(read())


def test_a_sound_database_is_found_sound(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert look_after(url, "check", None) == 0
    assert "3 matches" in capsys.readouterr().out


SPOILED: dict[str, str] = {
    "UPDATE results SET total = total + 7 WHERE seat = 1": "its results differ",
    "DELETE FROM results WHERE match_id = 1": "its results differ",
    "UPDATE matches SET status = 'running', ended_at = NULL WHERE id = 1": "stored as running",
    "UPDATE matches SET head = head + 1 WHERE id = 3": "its head is",
    "INSERT INTO results SELECT 2, seat, server_id, person_id, place, points, total, hands_won, "
    "hands_played, won FROM results WHERE match_id = 1": "match 2: its results differ",
    "UPDATE standings SET points = points + 7 WHERE person_id = 1": (
        "server 9: the league table has person 1 otherwise than the results do"
    ),
    "DELETE FROM standings WHERE person_id = 2": "the league table has person 2 otherwise",
    "INSERT INTO standings (person_id, server_id, played, won, points) VALUES (3, 9, 1, 1, 200)": (
        "the league table has person 3 otherwise"
    ),
}


@pytest.mark.parametrize("statement", SPOILED)
def test_whatever_differs_from_the_log_is_reported_and_put_right(
    url: str, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = standings(url)
    spoil(url, statement)
    assert look_after(url, "check", None) == 1
    assert SPOILED[statement] in capsys.readouterr().err
    assert look_after(url, "rebuild", None) == 0
    assert look_after(url, "check", None) == 0
    assert standings(url) == before


def test_what_differs_is_told_in_words_and_counted(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ada, in seat A, resigned match 1 before anything was scored, so Ben in seat B won it."""
    spoil(url, "UPDATE results SET won = 1, points = 7 WHERE match_id = 1 AND seat = 0")
    spoil(url, "DELETE FROM results WHERE match_id = 1 AND seat = 1")
    spoil(url, "UPDATE matches SET head = 77 WHERE id = 3")
    spoil(url, "UPDATE standings SET played = 9 WHERE person_id = 2")
    looked = f"Looked through {file_of(url)}."
    results = (
        "its results differ: seat A points: 7, by the log 0; "
        "seat A won: yes, by the log no; seat B is missing"
    )
    head = "its head is 77, the log has 2 entries"
    league = [
        f"server 9: the league table has person {person} otherwise than the results do"
        for person in (1, 2)
    ]
    assert look_after(url, "check", None) == 1
    assert capsys.readouterr().err.splitlines() == [
        looked,
        f"match 1: {results}",
        f"match 3: {head}",
        *league,
        "3 matches, 8 entries: 4 differences.",
    ]
    assert look_after(url, "rebuild", None) == 0
    assert capsys.readouterr().out.splitlines() == [
        looked,
        f"match 1: put right: {results}",
        f"match 3: put right: {head}",
        *(f"put right: {line}" for line in league),
        "3 matches compared with the log: 2 put right, 2 lines of the league table put right.",
    ]
    assert look_after(url, "rebuild", None) == 0
    assert "3 matches compared with the log: all was right." in capsys.readouterr().out


def test_one_difference_is_one_and_what_is_left_is_no_match_derived(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(url, "UPDATE entries SET text = 'A discard KD' WHERE match_id = 3 AND seq = 2")
    assert look_after(url, "check", None) == 1
    assert capsys.readouterr().err.splitlines()[-1].endswith(": 1 difference.")
    assert look_after(url, "rebuild", None) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "3 matches compared with the log: 1 left as it is."
    )


def test_a_log_that_cannot_be_replayed_is_named_without_its_cards(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(url, "UPDATE entries SET text = 'A discard KD' WHERE match_id = 3 AND seq = 2")
    assert look_after(url, "check", None) == 1
    said = capsys.readouterr().err
    assert "match 3: its log can't be replayed" in said
    assert "KD" not in said
    assert look_after(url, "rebuild", None) == 1
    assert "left as it is" in capsys.readouterr().err


def test_a_void_by_an_administrator_stands_through_check_and_rebuild(url: str) -> None:
    spoil(url, "UPDATE matches SET status = 'void' WHERE id = 1")
    spoil(url, "DELETE FROM results WHERE match_id = 1")
    spoil(url, "DELETE FROM standings")
    assert look_after(url, "check", None) == 0
    assert look_after(url, "rebuild", None) == 0
    assert standings(url) == []


def test_a_backup_made_while_the_bot_writes_is_whole(url: str, tmp_path: Path) -> None:
    target = tmp_path / "copies" / "one.db"
    target.parent.mkdir()

    async def write_meanwhile() -> None:
        store = await Store.open(url)
        async with store.transaction() as tx:
            await tx.people.seen(ADA, "Ada", datetime.now(UTC))
        # The row stands in the journal only; the store stays open.
        assert await asyncio.to_thread(look_after, url, "backup", target) == 0
        await store.close()

    asyncio.run(write_meanwhile())
    assert [path.name for path in target.parent.iterdir()] == ["one.db"]
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("SELECT name FROM people").fetchall() == [("Ada",)]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_restored_backup_brings_back_what_was_and_keeps_what_stood_there(
    url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    assert look_after(url, "backup", copy) == 0
    before = standings(url)
    spoil(url, "DELETE FROM results")
    spoil(url, "DELETE FROM standings")
    assert standings(url) == []
    assert look_after(url, "restore", copy) == 0
    assert standings(url) == before
    assert look_after(url, "check", None) == 0
    assert file_of(url).with_name("house.db.before-restore").exists()


def test_whatever_is_restored_one_after_the_other_each_database_that_was_there_is_kept(
    url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    assert look_after(url, "backup", copy) == 0
    for points in (111, 222, 333):
        put_points(url, points)
        assert look_after(url, "restore", copy) == 0
    kept = [f"house.db.before-restore{number}" for number in ("", "-2", "-3")]
    assert [points_in(file_of(url).with_name(name)) for name in kept] == [{111}, {222}, {333}]


def put_points(url: str, points: int) -> None:
    with closing(sqlite3.connect(file_of(url))) as connection, connection:
        connection.execute("UPDATE standings SET points = ?", (points,))


def points_in(file: Path) -> set[int]:
    with closing(sqlite3.connect(file)) as connection:
        return {points for (points,) in connection.execute("SELECT points FROM standings")}


def test_a_backup_replaces_an_older_backup_of_the_same_house(url: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.touch()  # made by `mktemp`, say
    assert look_after(url, "backup", copy) == 0
    spoil(url, "INSERT INTO facts VALUES ('house', '1f2e3d4c')")
    for points in (111, 222):
        put_points(url, points)
        assert look_after(url, "backup", copy) == 0
        assert points_in(copy) == {points}


def notes(path: Path) -> None:
    path.write_text("precious")


def live(path: Path) -> None:
    """The database of a bot that was stopped: its lock file stays."""
    asyncio.run(_new_house(path))
    with HouseLock.acquire(path.with_name(path.name + ".lock")):
        pass


def elsewhere(path: Path) -> None:
    """A backup that another house has made."""
    asyncio.run(_new_house(path))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("INSERT INTO facts VALUES ('house', '0badc0de')")


async def _new_house(path: Path) -> None:
    await (await Store.open(f"sqlite+aiosqlite:///{path}")).close()


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE entries (id INTEGER)")
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")


def no_database(path: Path) -> None:
    path.write_text("hello " * 1000)


def empty(path: Path) -> None:
    path.touch()


@pytest.mark.parametrize("make", [foreign, newer, no_database, empty])
def test_a_file_that_is_no_backup_of_ours_is_refused_and_nothing_changes(
    url: str, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    before = standings(url)
    wrong = tmp_path / "wrong.db"
    make(wrong)
    with pytest.raises(NewerDatabase if make is newer else DatabaseUnusable) as caught:
        look_after(url, "restore", wrong)
    assert str(wrong) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert standings(url) == before
    assert not file_of(url).with_name("house.db.before-restore").exists()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (notes, "exists already and is no backup of Ginhouse"),
        (foreign, "exists already and is no backup of Ginhouse"),
        (live, "is the database of a Ginhouse, not a backup"),
        (elsewhere, "is the backup of another Ginhouse"),
    ],
)
@pytest.mark.parametrize("by_a_link", [False, True])
def test_a_backup_replaces_nothing_but_a_backup(
    url: str, tmp_path: Path, make: Callable[[Path], None], said: str, by_a_link: bool
) -> None:
    dear = tmp_path / "others" / "dear"
    dear.parent.mkdir()
    make(dear)
    before = {path.name: path.read_bytes() for path in dear.parent.iterdir()}
    target = dear
    if by_a_link:
        target = tmp_path / "link"
        target.symlink_to(dear)
    with pytest.raises(DatabaseUnusable) as caught:
        look_after(url, "backup", target)
    assert str(caught.value) == f"{target} {said}; name another file."
    assert {path.name: path.read_bytes() for path in dear.parent.iterdir()} == before


def test_a_copy_clears_away_what_a_killed_one_left_but_no_other_file_of_that_name(
    url: str, tmp_path: Path
) -> None:
    target, beside = tmp_path / "film.db", tmp_path / "film.db.part"
    for left in (b"", bytes(4096), file_of(url).read_bytes()[:4096]):
        beside.write_bytes(left)
        assert look_after(url, "backup", target) == 0
        assert not beside.exists()
    beside.write_text("half of a film")
    with pytest.raises(DatabaseUnusable, match=rf"^{beside} is in the way of the copy"):
        look_after(url, "backup", target)
    assert beside.read_text() == "half of a film"


def test_a_backup_of_another_program_is_called_that_and_no_setting_is_blamed(
    url: str, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.db"
    foreign(wrong)
    with pytest.raises(DatabaseUnusable) as caught:
        look_after(url, "restore", wrong)
    assert str(caught.value) == (
        f"The backup {wrong} is the database of another program; name a backup of Ginhouse."
    )


def test_nothing_is_put_in_the_place_of_a_database_that_a_bot_serves(
    url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    look_after(url, "backup", copy)
    lock = HouseLock.beside(url)
    assert lock is not None
    try:
        for command in ("restore", "rebuild"):
            with pytest.raises(AlreadyRunning):
                look_after(url, command, copy)
    finally:
        lock.release()


def test_a_database_that_is_not_there_is_not_made_by_looking(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'none.db'}"
    for command in ("check", "rebuild", "backup"):
        with pytest.raises(DatabaseUnusable, match=r"There is no database"):
            look_after(url, command, tmp_path / "copy.db")
    assert not (tmp_path / "none.db").exists()


def test_every_match_is_looked_at_however_many_there_are(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.care.audit.AT_ONCE", 2)
    spoil(url, "UPDATE matches SET head = 77 WHERE id = 3")
    assert look_after(url, "check", None) == 1
    assert f"match {MatchId(3)}: its head is 77" in capsys.readouterr().err


# -------------------------------------------------------------------------- packed logs


def pack(url: str) -> None:
    """Pack the logs of both matches that have ended."""

    async def packed() -> int:
        store = await Store.open(url)
        count = await retention.pack(store, datetime.now(UTC) + timedelta(days=1))
        await store.close()
        return count

    assert asyncio.run(packed()) == 2


@pytest.mark.parametrize("statement", SPOILED)
def test_whatever_differs_from_a_packed_log_is_reported_and_put_right(
    url: str, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = standings(url)
    pack(url)
    assert look_after(url, "check", None) == 0
    spoil(url, statement)
    assert look_after(url, "check", None) == 1
    assert SPOILED[statement] in capsys.readouterr().err
    assert look_after(url, "rebuild", None) == 0
    assert look_after(url, "check", None) == 0
    assert standings(url) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE packed_logs SET content = x'00' WHERE match_id = 2",
        "DELETE FROM packed_logs WHERE match_id = 2",
    ],
)
def test_a_packed_log_that_is_damaged_or_gone_is_named(
    url: str, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pack(url)
    spoil(url, statement)
    assert look_after(url, "check", None) == 1
    said = capsys.readouterr().err
    assert said.splitlines()[1].startswith("match 2: its ")
    assert "Traceback" not in said
    assert look_after(url, "rebuild", None) == 1
    assert "match 2" in capsys.readouterr().err


async def test_the_watch_packs_a_week_after_the_end_and_goes_on_later_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "FOUND_AT_ONCE", 3)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'many.db'}")
    ends = [NOW + timedelta(days=day) for day in (0, 5, 0, 0, 6, 0)]
    for end in ends:
        match = await new_match(store)
        async with store.transaction() as tx:
            await tx.matches.append(match, 0, [NewEntry("cancel")], end)
            await tx.matches.finish(match, MatchStatus.CANCELLED, end)
    for after, packed in ((6, 0), (8, 4), (8, 0), (13, 2)):
        now = NOW + timedelta(days=after, hours=1)
        assert await retention.pack(store, now - retention.PACKED_AFTER) == packed
    await store.close()
