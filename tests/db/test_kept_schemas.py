"""Every database that an older version left comes up to date with all its matches."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.care import audit, retention
from bot.now import utc_now
from bot.play.tables import Tables
from db import migrate, sqlite
from db.ids import PersonId
from db.rows import MatchStatus
from db.schema import metadata
from db.store import PATIENCE, Store
from gin import Resign
from tests.db.house import NOW
from tests.db.kept import (
    ANN,
    BEGAN,
    BOB,
    CANCELLED,
    CAT,
    CLUB,
    FINISHED,
    FOLDER,
    HOLLYWOOD,
    ROTATION,
    RUNNING,
    VOIDED,
    fill,
)
from tests.db.test_migrations import REVISIONS

KEPT = sorted(path.stem for path in FOLDER.glob("*.sql"))
GIVEN_AS = {
    "people": "profile",
    "wishes": "wishes",
    "blocks": "blocked",
    "server_blocks": "blocked_on_servers",
    "challenges": "challenges",
    "challenge_people": "challenges",
    "words": "words",
    "seats": "matches",
    "results": "results",
    "standings": "standings",
    "entries": "acts",
    "vacations": "vacations",
    "house_sets": "house_rules_changed",
    "admin_acts": "admin_acts",
    "cancel_offers": "offers_to_call_off",
}
"""Under which name of the export what a table knows of a person is found."""
FIRST_WITH_OFFERS = "0002"
FIRST_WITH_VOIDS = "0004"
KINDS = {
    FINISHED: MatchStatus.FINISHED,
    HOLLYWOOD: MatchStatus.FINISHED,
    ROTATION: MatchStatus.FINISHED,
    VOIDED: MatchStatus.VOID,
    CANCELLED: MatchStatus.CANCELLED,
    RUNNING: MatchStatus.RUNNING,
}


@pytest.fixture(params=KEPT)
def revision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def file(tmp_path: Path, revision: str) -> Path:
    """A database as that revision's code left it."""
    place = tmp_path / "house.db"
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript((FOLDER / f"{revision}.sql").read_text(encoding="utf-8"))
        assert logs(connection) >= 4
    return place


def logs(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(DISTINCT match_id) FROM entries").fetchone()
    return int(count)


def test_no_schema_is_missing_among_those_that_are_kept() -> None:
    """One is added with each release: `python -m tests.db.kept`."""
    assert len(KEPT) >= 4
    assert REVISIONS[: len(KEPT)] == KEPT


async def test_an_old_database_comes_up_to_date_with_every_match_as_it_was(
    file: Path, revision: str
) -> None:
    with closing(sqlite3.connect(file)) as connection:
        heads = dict(connection.execute("SELECT id, head FROM matches"))
        results = connection.execute("SELECT * FROM results ORDER BY match_id, seat").fetchall()
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    try:
        is_well, report = await audit.check(store)
        assert is_well, report
        tables = Tables(store, utc_now)
        for number, status in KINDS.items():
            table = await tables.load(number)
            assert table is not None
            if number == VOIDED and revision < FIRST_WITH_VOIDS:
                status = MatchStatus.FINISHED
            assert table.row.status is status
            assert table.head == heads[number] > 10
            assert (table.match.outcome is None) == (status is MatchStatus.RUNNING)
        async with store.reading() as tx:
            assert await tx.privacy.revision() == migrate.newest()
            assert len((await tx.league.page(CLUB, 5)).lines) == 3
            assert len(await tx.challenges.open_of(CAT)) == 1
        await tables.act(RUNNING, BOB, lambda _match, seat: Resign(seat))
        assert (await audit.check(store))[0]
    finally:
        await store.close()
    with closing(sqlite3.connect(file)) as connection:
        kept = connection.execute("SELECT * FROM results ORDER BY match_id, seat").fetchall()
    assert kept[: len(results)] == results


async def test_who_had_left_when_a_match_was_called_off_made_no_offer_in_an_old_database_either(
    file: Path, revision: str
) -> None:
    """Before a column said so, the version did, with -1."""
    if revision < FIRST_WITH_OFFERS:
        pytest.skip("nobody could offer to call a match off")
    with closing(sqlite3.connect(file)) as connection:
        (head,) = connection.execute(
            "SELECT head FROM matches WHERE id = ?", (CANCELLED,)
        ).fetchone()
        offers = [(CANCELLED, ANN, head - 1), (CANCELLED, BOB, -1)]
        connection.executemany("INSERT INTO cancel_offers VALUES (?, ?, ?)", offers)
        connection.commit()
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    async with store.reading() as tx:
        assert await tx.offers.of_match(CANCELLED) == {ANN: head - 1}
        assert await tx.offers.left(CANCELLED) == {BOB}
        given = await tx.privacy.everything_of(BOB)
        kept = {"match_id": CANCELLED, "version": head, "had_left_the_server": True}
        assert kept in given["offers_to_call_off"]
    await store.close()
    engine = sqlite.migrator(file, PATIENCE)
    async with engine.begin() as connection_:
        await connection_.run_sync(migrate.downgrade, "here", "0011")
    await engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT * FROM cancel_offers WHERE match_id = ?", (CANCELLED,))
        assert sorted(rows) == offers


async def test_the_logs_of_an_old_database_can_be_packed(file: Path) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    await retention.pack(store, NOW.replace(year=2027))
    with closing(sqlite3.connect(file)) as connection:
        assert logs(connection) == 1
    is_well, report = await audit.check(store)
    await store.close()
    assert is_well, report


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A database of the present schema with rows of every kind."""
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'present.db'}")
    await fill(opened)
    yield opened
    await opened.close()


async def test_what_will_be_kept_of_the_present_schema_is_sound_and_leaves_no_table_empty(
    store: Store,
) -> None:
    is_well, report = await audit.check(store)
    assert is_well, report
    assert store.address.file is not None
    with closing(sqlite3.connect(store.address.file)) as connection:
        empty = [
            name
            for name in metadata.tables
            if connection.execute(f'SELECT count(*) FROM "{name}"').fetchone() == (0,)  # noqa: S608
        ]
    assert empty == []


@pytest.mark.parametrize("person", [ANN, BOB, CAT])
async def test_no_table_there_is_still_names_a_person_who_went(
    store: Store, person: PersonId
) -> None:
    """Whatever table is added: its rows of people have to go, or to take the number."""
    async with store.transaction() as tx:
        await tx.privacy.forget(person, PersonId(-7), BEGAN)
    assert store.address.file is not None
    with closing(sqlite3.connect(store.address.file)) as connection:
        for name in metadata.tables:
            for row in connection.execute(f'SELECT * FROM "{name}"'):  # noqa: S608
                assert person not in row, name
    is_well, report = await audit.check(store)
    assert is_well, report


@pytest.mark.parametrize("person", [ANN, BOB])
async def test_what_a_person_is_given_of_himself_comes_from_every_table_that_names_him(
    store: Store, person: PersonId
) -> None:
    """Not so for Cat, whom Ann has on her list: that isn't hers to know."""
    async with store.reading() as tx:
        given = await tx.privacy.everything_of(person)
    assert store.address.file is not None
    with closing(sqlite3.connect(store.address.file)) as connection:
        naming = {
            name
            for name in metadata.tables
            for row in connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608
            if person in row
        }
    assert {GIVEN_AS[name] for name in naming} <= {name for name in given if given[name]}
