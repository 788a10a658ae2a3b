"""Transactions: all or nothing, one writer, and what a cancelled task leaves behind."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.util import await_only

from db import ChallengeId, MatchId, MessageId, ShownKind, ShownRow, Store, Transaction
from db.errors import DatabaseUnusable
from db.store import told_of_commits, told_of_doubts
from tests.db.house import ANN, BOB, LOUNGE, NOW, a_match, a_move, new_match


async def name_of_ann(store: Store) -> str | None:
    async with store.reading() as tx:
        people = await tx.people.get_many([ANN])
    return people[ANN].name if ANN in people else None


def assert_nobody_is_writing(file: Path) -> None:
    """Begin to write from outside, without waiting: fails if any transaction was left open."""
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")


async def test_an_error_inside_a_transaction_undoes_all_of_it(store: Store, file: Path) -> None:
    async def fail() -> None:
        async with store.transaction() as tx:
            await tx.people.seen(ANN, "Ann", NOW)
            await tx.matches.create(a_match())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await name_of_ann(store) is None
    async with store.reading() as tx:
        assert await tx.matches.running_ids() == ()
    assert_nobody_is_writing(file)


async def test_a_transaction_is_committed_when_its_block_has_ended_and_not_before(
    store: Store,
) -> None:
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
        assert await name_of_ann(store) is None
        within = tx.committed
    assert (within, tx.committed) == (False, True)
    assert await name_of_ann(store) == "Ann"


async def test_whoever_wants_to_know_is_told_of_what_was_committed_and_of_nothing_else(
    store: Store,
) -> None:
    told: list[str] = []

    async def writes(name: str, *, aside: bool = False, fails: bool = False) -> None:
        async with store.transaction(aside=aside) as tx:
            tx.then.append(lambda: told.append(name))
            await tx.people.seen(ANN, name, NOW)
            assert told == []
            if fails:
                raise ZeroDivisionError

    async def all_told_of(writing: Awaitable[None]) -> list[str]:
        told.clear()
        await writing
        return list(told)

    told_of_commits.set(lambda: told.append("something"))
    assert await all_told_of(writes("Ann")) == ["Ann", "something"]
    assert await all_told_of(writes("Anna", aside=True)) == ["Anna"]
    told.clear()
    with pytest.raises(ZeroDivisionError):
        await writes("Anne", fails=True)
    async with store.transaction():
        pass
    async with store.transaction() as tx:  # what changes nothing isn't what somebody asked for
        await tx.people.get_many([ANN])
        await tx.challenges.set_message(ChallengeId(99), MessageId(1))
    assert told == []
    async with store.transaction() as tx:
        await tx.offers.make(await tx.matches.create(a_match()), ANN, 0)
        await tx.offers.drop(MatchId(99))
    assert told == ["something"]


def an_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("COMMIT failed")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "aside", "doubts"),
    [
        (ConnectionResetError(), False, ["shown", "doubt"]),
        (ConnectionResetError(), True, ["shown"]),
        (an_error(sqlite3.SQLITE_IOERR_FSYNC), False, ["shown", "doubt"]),
        (an_error(sqlite3.SQLITE_FULL), False, []),
        (an_error(sqlite3.SQLITE_BUSY), False, []),
    ],
    ids=["lost", "lost aside", "failing disk", "full disk", "locked"],
)
async def test_whether_something_counts_is_in_doubt_where_only_the_database_knows(
    store: Store, error: Exception, aside: bool, doubts: list[str]
) -> None:
    told: list[str] = []
    told_of_commits.set(lambda: told.append("something"))
    told_of_doubts.set(lambda: told.append("doubt"))

    def fails(_: object) -> None:
        raise error

    event.listen(store._write.sync_engine, "commit", fails)

    async def writes() -> None:
        async with store.transaction(aside=aside) as tx:
            tx.then.append(lambda: told.append("shown"))
            await tx.people.seen(ANN, "Ann", NOW)

    async def reads() -> None:
        async with store.transaction() as tx:
            await tx.people.get_many([ANN])

    for work in (writes, reads):  # what is only read can't be in doubt
        with pytest.raises((OSError, sqlite3.Error, DatabaseUnusable)):
            await work()
        assert told == doubts
    event.remove(store._write.sync_engine, "commit", fails)
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Ann", NOW)
        await tx.people.seen(BOB, "Bob", NOW)
    assert told == [*doubts, "something"]


async def test_readers_see_one_moment_and_never_wait_for_the_writer(store: Store) -> None:
    match_id = await new_match(store)
    async with store.reading() as before:
        assert await before.matches.head(match_id) == 0
        async with store.transaction() as tx, store.reading() as during:
            await tx.matches.append(match_id, 0, [a_move("A pass")], NOW)
            assert await during.matches.head(match_id) == 0
        # What was committed since is not in the moment that this reader looks at.
        assert await before.matches.log(match_id) == ()
    async with store.reading() as after:
        assert await after.matches.head(match_id) == 1


async def test_a_transaction_for_reading_refuses_to_write(store: Store) -> None:
    async with store.reading() as tx:
        with pytest.raises(RuntimeError, match="reading only"):
            await tx.people.seen(ANN, "Ann", NOW)
        with pytest.raises(RuntimeError, match="reading only"):
            await tx.matches.create(a_match())
        with pytest.raises(RuntimeError, match="reading only"):
            await tx.shown.drop(MatchId(1))


async def test_many_writers_take_turns_and_lose_nothing(store: Store) -> None:
    match_id = await new_match(store)

    async def act(number: int) -> None:
        async with store.transaction() as tx:
            head = await tx.matches.head(match_id)
            assert head is not None
            await asyncio.sleep(0)
            await tx.matches.append(match_id, head, [a_move(f"move {number}", number)], NOW)

    await asyncio.gather(*(act(number) for number in range(60)))
    async with store.reading() as tx:
        log = await tx.matches.log(match_id)
    assert [entry.seq for entry in log] == list(range(1, 61))
    assert {entry.text for entry in log} == {f"move {number}" for number in range(60)}


async def test_more_readers_than_connections_are_all_served(store: Store) -> None:
    match_id = await new_match(store)

    async def look() -> int | None:
        async with store.reading() as tx:
            await asyncio.sleep(0)
            return await tx.matches.head(match_id)

    assert await asyncio.gather(*(look() for _ in range(40))) == [0] * 40


async def test_every_connection_keeps_promises_to_the_disk_and_between_tables(
    store: Store,
) -> None:
    for engine in (store._write, store._read):
        async with engine.connect() as connection:
            found = {
                pragma: (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar()
                for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
            # 2 is FULL.
            assert found == {
                "journal_mode": "wal",
                "synchronous": 2,
                "foreign_keys": 1,
                "busy_timeout": 5000,
            }


async def test_the_readers_connections_cannot_write_and_the_writers_can(store: Store) -> None:
    for engine, only in ((store._write, 0), (store._read, 1)):
        async with engine.connect() as connection:
            assert (await connection.exec_driver_sql("PRAGMA query_only")).scalar() == only


async def test_a_transaction_has_the_database_to_itself_from_its_first_look(
    store: Store, file: Path
) -> None:
    # What it reads is still true when it writes, even with another program about.
    async with store.transaction() as tx:
        await tx.matches.head(MatchId(1))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            assert_nobody_is_writing(file)


async def test_a_row_about_a_match_that_does_not_exist_is_refused(store: Store) -> None:
    row = ShownRow(MatchId(99), ShownKind.HAND, 0, LOUNGE, MessageId(1), 0, NOW)
    with pytest.raises(IntegrityError):
        async with store.transaction() as tx:
            await tx.shown.put(row)


async def test_a_task_cancelled_inside_a_transaction_leaves_no_trace(
    store: Store, file: Path
) -> None:
    inside = asyncio.Event()

    async def write() -> None:
        async with store.transaction() as tx:
            await tx.people.seen(ANN, "Ann", NOW)
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert_nobody_is_writing(file)
    assert await name_of_ann(store) is None
    async with store.transaction() as tx:
        await tx.people.seen(ANN, "Anna", NOW)
    assert await name_of_ann(store) == "Anna"


async def test_a_task_cancelled_while_it_waits_for_its_turn_doesnt_take_it(store: Store) -> None:
    async def write() -> None:
        async with store.transaction() as tx:
            await tx.people.seen(ANN, "Ann", NOW)

    async with store.transaction() as tx:
        waiting = asyncio.create_task(write())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await tx.people.seen(ANN, "Anna", NOW)
    assert await name_of_ann(store) == "Anna"


async def test_a_commit_goes_on_to_its_end_when_its_task_is_cancelled_and_says_so(
    store: Store, file: Path
) -> None:
    committing, go_on = asyncio.Event(), asyncio.Event()

    @event.listens_for(store._write.sync_engine, "commit")
    def hold(_: object) -> None:
        committing.set()
        await_only(go_on.wait())

    seen: list[Transaction] = []

    async def write() -> None:
        async with store.transaction() as tx:
            seen.append(tx)
            await tx.people.seen(ANN, "Ann", NOW)

    task = asyncio.create_task(write())
    await committing.wait()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen[0].committed
    assert await name_of_ann(store) == "Ann"
    assert_nobody_is_writing(file)


async def test_a_task_cancelled_at_any_step_has_either_committed_or_left_no_trace(
    store: Store, file: Path
) -> None:
    match_id = await new_match(store)
    head = 0
    committed = undone = 0
    for steps in range(80):
        begun: list[Transaction] = []

        async def write(begun: list[Transaction], head: int) -> None:
            async with store.transaction() as tx:
                begun.append(tx)
                await tx.matches.append(match_id, head, [a_move("A pass")], NOW)
                await tx.people.seen(BOB, f"Bob {head}", NOW)

        task = asyncio.create_task(write(begun, head))
        # By rounds of the loop, then by time: while the database works, the loop has no rounds.
        for _ in range(min(steps, 40)):
            await asyncio.sleep(0)
        await asyncio.sleep(max(steps - 40, 0) / 10_000)
        task.cancel()
        await asyncio.wait([task])
        has_it = bool(begun) and begun[0].committed
        head += has_it
        committed, undone = committed + has_it, undone + (not has_it)
        assert_nobody_is_writing(file)
        async with store.reading() as tx:
            assert await tx.matches.head(match_id) == head
            assert len(await tx.matches.log(match_id)) == head
    assert committed + undone == 80
    assert undone > 0


async def test_a_reader_cancelled_at_any_step_gives_its_connection_back(store: Store) -> None:
    match_id = await new_match(store)

    async def look() -> None:
        async with store.reading() as tx:
            assert await tx.matches.get(match_id) is not None
            await tx.matches.log(match_id)
            seen.append(match_id)

    seen: list[MatchId] = []
    for steps in range(40):
        task = asyncio.create_task(look())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    # There are fewer connections than that; were one lost at each time, this would wait for ever.
    seen.clear()
    await asyncio.gather(*(look() for _ in range(10)))
    assert seen == [match_id] * 10


async def test_a_closed_store_has_waited_for_its_writer(url: str) -> None:
    store = await Store.open(url)
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with store.transaction() as tx:
            await tx.people.seen(ANN, "Ann", NOW)
            inside.set()
            await go_on.wait()

    task = asyncio.create_task(write())
    await inside.wait()
    closing_store = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    assert not closing_store.done()
    go_on.set()
    await asyncio.gather(task, closing_store)
    again = await Store.open(url)
    assert await name_of_ann(again) == "Ann"
    await again.close()
