"""The room with a clock, for the tests of clocks and vacations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import bot.play.tables
from db.store import Store
from gin import parse_cards
from tests.bot.moments import Time
from tests.bot.play.clockroom import Room
from tests.bot.play.test_tables import LAID


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    cut = parse_cards("KD 7H")
    monkeypatch.setattr(bot.play.tables, "cut_cards", lambda _seed, _players: cut)
    monkeypatch.setattr(bot.play.tables, "hand_deck", lambda _seed, _number: LAID)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield Room(store, Time())
    await store.close()
