"""What a look at a match reads: nothing that is known for sure, all that others may write.

Ada (seat A) and Ben (seat B); Ben is to act first. Both have refused the up-card and are there, so
that what comes then are edits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

import db.store
from db.ids import ChannelId, MatchId
from db.matches import Matches
from db.rows import MatchRow
from db.store import Store, Transaction
from gin import Draw, Match, Pass, Pile, Play
from tests.bot.playing import BEN, LOUNGE, REFUSED, B, House

ELSEWHERE = ChannelId(LOUNGE + 1)


@pytest.fixture
def readings(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often the database was opened for reading since it was last asked."""
    opened = 0
    reading = house.store.reading

    def counted() -> AbstractAsyncContextManager[Transaction]:
        nonlocal opened
        opened += 1
        return reading()

    def since() -> int:
        nonlocal opened
        number, opened = opened, 0
        return number

    monkeypatch.setattr(house.store, "reading", counted)
    return since


def draws(_match: Match, _seat: object) -> Play:
    return Play(B, Draw(Pile.STOCK))


async def after_refusals(house: House, match: MatchId) -> None:
    """Everything is shown, and known from a look."""
    await house.shows(match, *REFUSED)
    await house.shows(match)


async def test_a_look_after_an_act_of_this_process_reads_nothing(
    house: House, match: MatchId, readings: Callable[[], int]
) -> None:
    await after_refusals(house, match)
    readings()
    table = await house.tables.act(match, BEN, draws)
    await house.shows(match)
    assert readings() == 0
    assert (await house.table(match)).version == table.head


async def test_where_other_processes_write_too_every_look_reads(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    await after_refusals(house, match)
    monkeypatch.setattr(Store, "is_shared", property(lambda _store: True))
    other = House(house.store)
    table = await other.tables.act(match, BEN, draws)
    await house.shows(match)
    assert (await house.table(match)).version == table.head


async def test_a_table_that_was_moved_is_looked_for_where_it_is(
    house: House, match: MatchId
) -> None:
    await after_refusals(house, match)
    async with house.store.transaction() as tx:
        await tx.matches.set_channel(match, ELSEWHERE)
    house.tables.forget(match)
    await house.shows(match)
    assert (await house.table(match)).channel_id == ELSEWHERE


async def test_a_row_that_changes_while_it_is_read_is_not_remembered(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = Matches.get

    async def overtaken(self: Matches, number: MatchId) -> MatchRow | None:
        row = await get(self, number)
        house.tables.forget(number)
        return row

    monkeypatch.setattr(Matches, "get", overtaken)
    assert await house.tables.load(match) is not None
    assert house.tables.certain(match) is None


async def test_a_row_that_changes_during_an_act_is_not_remembered(
    house: House, match: MatchId
) -> None:
    await house.tables.load(match)

    def overtaken(_match: Match, _seat: object) -> Play:
        house.tables.forget(match)
        return Play(B, Pass())

    table = await house.tables.act(match, BEN, overtaken)
    assert house.tables.certain(match) is None
    loaded = await house.tables.load(match)
    assert loaded is not None
    assert (loaded.head, loaded.match) == (table.head, table.match)
    assert house.tables.certain(match) == loaded


async def test_a_row_that_is_read_anew_during_an_act_is_the_one_that_is_remembered(
    house: House, match: MatchId
) -> None:
    await house.tables.load(match)
    async with house.store.transaction() as tx:
        await tx.matches.set_channel(match, ELSEWHERE)  # by another process
    append = Matches.append

    async def overtaken(self: Matches, *given: object) -> int:
        await house.tables.load(match)
        return await append(self, *given)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Matches, "append", overtaken)
        await house.tables.act(match, BEN, lambda _match, _seat: Play(B, Pass()))
    certain = house.tables.certain(match)
    assert certain is not None
    assert (certain.channel, certain.head) == (ELSEWHERE, 3)


async def test_an_act_of_which_nobody_waited_for_the_end_is_shown_all_the_same(
    house: House, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its task was cancelled after the commit had begun, which is carried to its end."""
    await after_refusals(house, match)
    commit, has_committed = db.store._commit, asyncio.Event()

    async def announced(connection: AsyncConnection, tx: Transaction) -> None:
        await commit(connection, tx)
        has_committed.set()
        await asyncio.sleep(0)

    monkeypatch.setattr(db.store, "_commit", announced)
    acting = asyncio.create_task(house.tables.act(match, BEN, draws))
    await has_committed.wait()
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    monkeypatch.undo()
    await house.shows(match)
    assert (await house.table(match)).version == 5


async def test_what_is_written_beside_the_log_is_read_anew_however_that_ends(
    house: House, match: MatchId
) -> None:
    await house.tables.load(match)
    with pytest.raises(ZeroDivisionError):
        async with house.tables.beside(match):
            raise ZeroDivisionError
    assert house.tables.certain(match) is None
