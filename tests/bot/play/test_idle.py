"""Matches that nobody plays: after two weeks either player may close them, and both are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

import bot.play.tables
from bot.clock import Clock, TimeUp
from bot.play.idle import IDLE_AFTER, IdleMatches
from db.store import Store
from gin import parse_cards
from tests.bot.moments import Time
from tests.bot.play.clockroom import BEN, DAY, MINUTE, SECOND, Room
from tests.bot.play.test_tables import LAID

WAITS = Clock(3 * DAY, TimeUp.WAIT)


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    cut = parse_cards("KD 7H")
    monkeypatch.setattr(bot.play.tables, "cut_cards", lambda _seed, _players: cut)
    monkeypatch.setattr(bot.play.tables, "hand_deck", lambda _seed, _number: LAID)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield Room(store, Time())
    await store.close()


@pytest.fixture
def idle(room: Room) -> IdleMatches:
    return IdleMatches(room.store, room.tables, room.notes, room.time)


async def test_after_two_weeks_the_players_are_asked_once(room: Room, idle: IdleMatches) -> None:
    match = await room.match(None)
    room.time.passes(IDLE_AFTER - SECOND)
    await idle.look()
    assert not await idle.may_be_closed(await room.table(match))
    assert room.notes.words() == []
    room.time.passes(SECOND)
    await idle.look()
    await idle.look()
    assert await idle.may_be_closed(await room.table(match))
    assert room.notes.words() == ["ask to close"]


async def test_whoever_plays_on_begins_the_two_weeks_anew(room: Room, idle: IdleMatches) -> None:
    match = await room.match(None)
    room.time.passes(IDLE_AFTER)
    await idle.look()
    room.time.passes(SECOND)
    await room.refuses(match, BEN)
    assert not await idle.may_be_closed(await room.table(match))
    room.time.passes(IDLE_AFTER)
    await idle.look()
    assert room.notes.words() == ["ask to close", "ask to close"]


async def test_a_clock_that_acts_keeps_a_match_from_being_idle(
    room: Room, idle: IdleMatches
) -> None:
    match = await room.match(Clock(7 * DAY))
    room.time.passes(IDLE_AFTER)
    await idle.look()
    assert not await idle.may_be_closed(await room.table(match))
    assert room.notes.words() == []


async def test_where_everybody_waits_the_time_has_to_be_up_as_well(
    room: Room, idle: IdleMatches
) -> None:
    match = await room.match(WAITS)
    await room.vacations.begin(BEN)
    await room.passes(IDLE_AFTER - MINUTE)
    await room.passes(MINUTE)  # the vacation ends; three days are left
    await idle.look()
    assert not await idle.may_be_closed(await room.table(match))
    await room.passes(timedelta(days=3))
    room.notes.words()
    await idle.look()
    assert await idle.may_be_closed(await room.table(match))
    assert room.notes.words() == ["ask to close"]
