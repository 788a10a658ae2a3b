"""Restoring a backup: numbers never come again, and what stands on Discord is seen to (row 7)."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db import backup, migrate
from db.ids import ChallengeId, ChannelId, MatchId, MessageId
from db.rows import TABLE_SEAT, ChallengeStatus, Loss, MatchStatus, ShownKind, ShownRow
from db.setback import Chore, Task
from db.store import Store
from tests.db.house import ANN, BOB, CELLAR, LOUNGE, NOW, a_challenge, a_match
from tests.db.kept import FOLDER, RUNNING
from tests.db.test_migrations import REVISIONS

TODAY = datetime(2026, 11, 30, 14, tzinfo=UTC)
DM = ChannelId(1_300_000_000_000_000_099)
NUMBERED = {"admin_acts", "challenges", "matches"}


class House:
    """A database file, and what is done to it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "house.db"
        self.copy = folder / "copy.db"
        self.url = f"sqlite+aiosqlite:///{self.file}"

    async def matches(self, count: int = 1) -> MatchId:
        """Begin so many matches in the lounge; give the number of the last."""
        store = await Store.open(self.url)
        async with store.transaction() as tx:
            for _ in range(count):
                last = await tx.matches.create(a_match(ANN, BOB))
        await store.close()
        return last

    async def challenge(self, message: int) -> ChallengeId:
        store = await Store.open(self.url)
        async with store.transaction() as tx:
            number = await tx.challenges.create(a_challenge(ANN, BOB))
            await tx.challenges.set_message(number, MessageId(message))
        await store.close()
        return number

    async def shown(
        self, match: MatchId, kind: ShownKind, message: int, seat: int = TABLE_SEAT
    ) -> None:
        channel = LOUNGE if seat == TABLE_SEAT else DM
        store = await Store.open(self.url)
        async with store.transaction() as tx:
            await tx.shown.put(ShownRow(match, kind, seat, channel, MessageId(message), 5, NOW))
        await store.close()

    def back_up(self) -> None:
        backup.back_up(self.url, self.copy)

    def restore(self, now: datetime = TODAY) -> None:
        backup.restore(self.url, self.copy, now)

    def change(self, statement: str, *values: object) -> None:
        with closing(sqlite3.connect(self.file)) as connection, connection:
            connection.execute(statement, values)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(query).fetchall()

    async def generation(self) -> int:
        store = await Store.open(self.url)
        await store.close()
        return store.generation

    async def chores(self) -> set[Chore]:
        store = await Store.open(self.url)
        async with store.reading() as tx:
            chores = await tx.set_back.chores()
        await store.close()
        return set(chores)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


# ---------------------------------------------------------------------------------- numbers


async def test_a_number_given_out_after_the_backup_is_never_given_again(house: House) -> None:
    await house.matches(3)
    await house.challenge(71)
    house.back_up()
    await house.matches(4)
    await house.challenge(72)
    house.change("DELETE FROM challenges WHERE id = 2")  # the number was given all the same
    house.restore()
    assert house.rows("SELECT max(id) FROM matches") == [(3,)]
    assert await house.matches() == 8
    assert await house.challenge(73) == 3


async def test_numbers_of_every_database_that_was_replaced_before_count_too(house: House) -> None:
    await house.matches(1)
    house.back_up()
    await house.matches(9)
    house.restore()
    # By hand, without a restore, an older file comes into the place.
    shutil.copyfile(house.copy, house.file)
    house.restore()
    assert await house.matches() == 11


def _nothing(house: House) -> None:
    house.file.unlink()


def _damaged(house: House) -> None:
    house.file.write_bytes(b"SQLite format 3\0" + bytes(8192))


@pytest.mark.parametrize("spoil", [_nothing, _damaged])
async def test_where_nobody_knows_which_numbers_were_given_they_jump_by_a_wide_margin(
    house: House, spoil: Callable[[House], None]
) -> None:
    await house.matches(2)
    house.back_up()
    spoil(house)
    house.restore()
    assert await house.matches() == 10_003


@pytest.mark.parametrize("is_of_the_same_house", [False, True])
async def test_a_database_that_was_begun_anew_tells_nothing_of_the_numbers(
    house: House, *, is_of_the_same_house: bool
) -> None:
    await house.matches(2)
    house.change("INSERT INTO facts VALUES ('house', 'ab12')")
    house.back_up()
    house.file.unlink()
    await house.matches(5)
    if is_of_the_same_house:
        house.change("INSERT INTO facts VALUES ('house', 'ab12')")
    house.restore()
    assert await house.matches() == (6 if is_of_the_same_house else 10_006)


async def test_a_replaced_database_with_smaller_numbers_is_not_what_became_of_the_backup(
    house: House,
) -> None:
    await house.matches()
    house.change("UPDATE sqlite_sequence SET seq = 20000 WHERE name = 'matches'")
    house.back_up()
    house.file.unlink()
    await house.matches(1)
    house.restore()
    assert await house.matches() == 40_001


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_database_gives_no_number_of_a_deleted_row_again(
    tmp_path: Path, revision: str
) -> None:
    house = House(tmp_path)
    _kept(house.file, revision)
    await house.generation()  # brought up to date
    numbered = "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'"
    assert {str(name) for (name,) in house.rows(numbered)} == NUMBERED


def _kept(file: Path, revision: str) -> None:
    """The newest database that was kept up to this revision."""
    kept = max(path for path in FOLDER.glob("*.sql") if path.stem <= revision)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(kept.read_text())


# ------------------------------------------------------------------------------ generations


async def test_a_generation_is_never_that_of_a_database_before(house: House) -> None:
    await house.matches(1)
    assert await house.generation() == 0
    house.back_up()
    house.restore()
    first = await house.generation()
    assert first == int(TODAY.timestamp())
    house.restore()  # in the same second
    assert await house.generation() == first + 1
    house.restore(TODAY - timedelta(days=400))  # by a clock that goes wrong
    assert await house.generation() == first + 2
    for file in house.file.parent.glob("house.db*"):
        file.unlink()
    house.restore(TODAY + timedelta(minutes=1))
    assert await house.generation() == first + 60


async def test_commands_are_compared_with_discord_anew(house: House) -> None:
    await house.matches(1)
    house.change("INSERT INTO facts VALUES ('commands:77', 'digest')")
    house.back_up()
    house.restore()
    assert house.rows("SELECT * FROM facts WHERE name LIKE 'commands%'") == []


# ---------------------------------------------------------------------- what stands on Discord


async def test_tables_and_hands_of_what_runs_or_has_just_ended_count_as_stale(
    house: House,
) -> None:
    running, just, long_ago = await _three_matches(house)
    for match in (running, just, long_ago):
        await house.shown(match, ShownKind.TABLE, 100 + match)
        await house.shown(match, ShownKind.HAND, 200 + match, 0)
    house.back_up()
    house.restore()
    found = house.rows("SELECT match_id, kind, version FROM shown ORDER BY match_id, kind")
    assert found == [
        (running, "hand", -1),
        (running, "table", -1),
        (just, "hand", -1),
        (just, "table", -1),
        (long_ago, "hand", 5),
        (long_ago, "table", 5),
    ]


async def _three_matches(house: House) -> tuple[MatchId, MatchId, MatchId]:
    """One that runs, one that has just ended, and one that ended two days before that."""
    last = await house.matches(3)
    running, just, long_ago = MatchId(last - 2), MatchId(last - 1), last
    ended = "UPDATE matches SET status = ?, ended_at = acted_at - ? WHERE id = ?"
    house.change(ended, MatchStatus.FINISHED.value, 0, just)
    house.change(ended, MatchStatus.FINISHED.value, 2 * 86_400_000_000, long_ago)
    return running, just, long_ago


@pytest.mark.parametrize(
    "kind", sorted(set(ShownKind) - {ShownKind.TABLE, ShownKind.HAND, ShownKind.OLD})
)
async def test_calls_words_and_questions_go_and_what_was_asked_is_forgotten(
    house: House, kind: ShownKind
) -> None:
    match = await house.matches()
    await house.shown(match, kind, 77, 1)
    house.change("INSERT INTO cancel_offers VALUES (?, ?, 5, false)", match, ANN)
    house.back_up()
    house.restore()
    assert house.rows("SELECT kind, message_id, version FROM shown") == [("old", 77, 0)]
    assert house.rows("SELECT * FROM cancel_offers") == []


async def test_what_is_said_once_is_said_once_more_after_a_restore_where_it_still_holds(
    house: House,
) -> None:
    idle, lost = await house.matches(), await house.matches()
    await house.shown(idle, ShownKind.IDLE, 77, 1)
    await house.shown(lost, ShownKind.NOTICE, 78, 1)
    house.change("UPDATE matches SET asked_at = 5")
    store = await Store.open(house.url)
    async with store.transaction() as tx:
        await tx.lost_places.put(lost, LOUNGE, Loss.RIGHTS, NOW)
        await tx.lost_places.told(lost, (0, 1))
    await store.close()
    house.back_up()
    house.restore()
    assert house.rows("SELECT id, asked_at FROM matches") == [(idle, None), (lost, 5)]
    assert house.rows("SELECT told FROM lost_places") == [(0b01,)]


@pytest.mark.parametrize("settled", [False, True])
async def test_a_message_that_the_backup_just_missed_stays_that_of_its_challenge(
    house: House, settled: bool
) -> None:
    """The backup was made while its answer was on its way."""
    store = await Store.open(house.url)
    async with store.transaction() as tx:
        number = await tx.challenges.create(a_challenge(ANN, BOB))
        if settled:
            await tx.challenges.settle(number, ChallengeStatus.WITHDRAWN, NOW)
    await store.close()
    house.back_up()
    house.change("UPDATE challenges SET message_id = 70")
    house.restore()
    assert house.rows("SELECT message_id FROM challenges") == [(70,)]
    told = set() if settled else {Chore(Task.TELL, LOUNGE)}
    assert await house.chores() == told | {Chore(Task.SHOW_CHALLENGE, number)}


async def test_a_challenge_that_moved_after_the_backup_stands_where_it_stood_then(
    house: House,
) -> None:
    number = await house.challenge(70)
    house.back_up()
    house.change("UPDATE challenges SET channel_id = ?, message_id = 71", CELLAR)
    house.restore()
    assert house.rows("SELECT channel_id, message_id FROM challenges") == [(LOUNGE, 70)]
    assert await house.chores() == {
        Chore(Task.TELL, LOUNGE),
        Chore(Task.SHOW_CHALLENGE, number),
        Chore(Task.DELETE, CELLAR, 71),
    }


async def test_the_message_of_another_challenge_of_the_same_number_is_not_taken_for_it(
    house: House,
) -> None:
    """The database was begun anew since the backup."""
    number = await house.challenge(70)
    house.change("UPDATE challenges SET message_id = NULL")
    house.back_up()
    house.change("UPDATE challenges SET message_id = 71, created_at = created_at + 1")
    house.restore()
    assert house.rows("SELECT id, message_id FROM challenges") == [(number, None)]
    assert Chore(Task.SAY_IT_IS_GONE, LOUNGE, 71) in await house.chores()


async def test_a_message_that_came_after_the_backup_is_deleted_where_its_match_goes_on(
    house: House,
) -> None:
    match = await house.matches()
    await house.shown(match, ShownKind.TABLE, 70)
    house.back_up()
    await house.shown(match, ShownKind.TABLE, 71)
    await house.shown(match, ShownKind.HAND, 72, 1)
    house.restore()
    store = await Store.open(house.url)
    async with store.reading() as tx:
        rows = {row.message_id: row for row in await tx.shown.of_match(match)}
    await store.close()
    assert {number: row.kind for number, row in rows.items()} == {
        70: ShownKind.TABLE,
        71: ShownKind.OLD,
        72: ShownKind.OLD,
    }
    assert rows[MessageId(71)].whose == TABLE_SEAT
    assert rows[MessageId(72)].whose == 1


async def test_what_the_backup_does_not_know_is_to_be_said_in_its_place_and_channel(
    house: House,
) -> None:
    open_one = await house.challenge(70)
    house.back_up()
    match = await house.matches()
    await house.challenge(71)
    await house.shown(match, ShownKind.TABLE, 72)
    await house.shown(match, ShownKind.HAND, 73, 0)
    await house.shown(match, ShownKind.REMINDER, 74, 0)
    house.change("UPDATE challenges SET channel_id = ? WHERE id = 2", CELLAR)
    house.restore()
    expected = {
        Chore(Task.TELL, LOUNGE),
        Chore(Task.TELL, CELLAR),
        Chore(Task.SHOW_CHALLENGE, open_one),
        Chore(Task.SAY_IT_IS_GONE, CELLAR, 71),
        Chore(Task.SAY_IT_IS_GONE, LOUNGE, 72),
        Chore(Task.SAY_IT_IS_GONE, DM, 73),
        Chore(Task.DELETE, DM, 74),
    }
    assert await house.chores() == expected
    house.restore()  # before the bot was started: nothing of it is forgotten
    assert await house.chores() == expected


async def test_what_an_earlier_restore_left_to_do_is_left_alone_where_it_stands_again(
    house: House,
) -> None:
    await house.matches()
    house.back_up()
    older = house.copy.with_name("older.db")
    shutil.copyfile(house.copy, older)
    match = await house.matches()
    await house.shown(match, ShownKind.TABLE, 72)
    house.back_up()
    backup.restore(house.url, older, TODAY)
    assert Chore(Task.SAY_IT_IS_GONE, LOUNGE, 72) in await house.chores()
    house.restore()
    assert await house.chores() == {Chore(Task.TELL, LOUNGE)}
    assert house.rows("SELECT message_id, version FROM shown") == [(72, -1)]


async def test_what_ended_long_before_the_database_was_replaced_is_let_be(house: House) -> None:
    await house.matches()
    house.back_up()
    match = await house.matches()
    await house.shown(match, ShownKind.TABLE, 72)
    house.change(
        "UPDATE matches SET status = 'finished', ended_at = acted_at - ? WHERE id = ?",
        8 * 86_400_000_000,
        match,
    )
    house.restore()
    assert await house.chores() == {Chore(Task.TELL, LOUNGE)}


async def test_the_time_of_the_backup_is_when_the_bot_was_there_last(house: House) -> None:
    await house.matches()
    alive = NOW + timedelta(hours=3)
    house.change("INSERT INTO facts VALUES ('awake', ?)", alive.isoformat())
    house.back_up()
    house.restore()
    store = await Store.open(house.url)
    async with store.reading() as tx:
        assert await tx.set_back.since() == alive
    await store.close()


# ---------------------------------------------------------------------------- older versions


@pytest.mark.parametrize("revision", sorted(path.stem for path in FOLDER.glob("*.sql")))
async def test_a_backup_of_every_older_version_is_set_back_and_keeps_its_schema(
    tmp_path: Path, revision: str
) -> None:
    house = House(tmp_path)
    _kept(house.copy, revision)
    last = backup.revision_of(house.copy)
    house.restore()
    assert backup.revision_of(house.file) == max(last or "", "0002")
    assert ("table", -1) in house.rows(
        f"SELECT kind, version FROM shown WHERE match_id = {RUNNING}"  # noqa: S608
    )
    assert await house.generation() == int(TODAY.timestamp())
    assert backup.revision_of(house.file) == migrate.newest()
