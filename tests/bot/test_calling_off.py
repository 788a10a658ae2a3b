"""Calling a match off, with a database that fails in the middle of it (row 1)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from bot.desk import leave
from bot.front.change import Change
from bot.front.faults import database_sentence
from bot.front.visit import Visit
from bot.house import House
from bot.play import deed
from db.errors import DatabaseUnusable
from db.ids import MatchId
from db.rows import MatchStatus
from db.store import Store, Transaction, told_of_commits
from tests.bot import playing
from tests.bot.front.pressed import Pressed


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    house = House.build(store, playing.Discord())
    yield house
    await house.showing.close(timedelta(seconds=5))
    await store.close()


async def calls_off(house: House, match: MatchId) -> Change:
    """Ada asks to call a match off; gives what was committed of that, whatever came of it."""
    change = Change(lambda _match: None, timedelta(hours=1))
    deed.witnessed_by(change)
    told_of_commits.set(change.committed)
    with suppress(DatabaseUnusable):
        await leave.cancel(house, Visit.of(Pressed(on_message=False).it), match)
    return change


async def is_running(house: House, match: MatchId) -> bool:
    async with house.store.reading() as tx:
        row = await tx.matches.get(match)
    return row is not None and row.status is MatchStatus.RUNNING


@pytest.mark.parametrize("commits", [1, 2, 3])
async def test_what_is_said_of_a_match_called_off_with_half_of_it_written_down_is_so(
    house: House, monkeypatch: pytest.MonkeyPatch, commits: int
) -> None:
    match = await playing.House(house.store).match()
    discord = house.post
    assert isinstance(discord, playing.Discord)
    discord.left = {playing.BEN}
    reading, writing = house.store.reading, house.store.transaction
    done = 0

    @asynccontextmanager
    async def writes(*, aside: bool = False) -> AsyncIterator[Transaction]:
        nonlocal done
        if done == commits:
            raise DatabaseUnusable("The disk is full.")
        async with writing(aside=aside) as tx:
            yield tx
        done += not aside

    @asynccontextmanager
    async def reads() -> AsyncIterator[Transaction]:
        if done == commits:
            raise DatabaseUnusable("The disk is full.")
        async with reading() as tx:
            yield tx

    with monkeypatch.context() as trouble:
        trouble.setattr(house.store, "transaction", writes)
        trouble.setattr(house.store, "reading", reads)
        change = await calls_off(house, match)
    assert done == commits
    said = database_sentence(change)
    assert ("That counts" in said, "some of it counts" in said) == (commits == 3, commits < 3)
    assert await is_running(house, match) == (commits < 3)
    if commits < 3:
        await calls_off(house, match)  # "Please try again"
        assert not await is_running(house, match)
