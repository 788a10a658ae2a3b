"""A house whose Discord is played by the test (:mod:`tests.bot.playing`)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.shown import upkeep
from db.ids import MatchId
from db.store import Store
from tests.bot.playing import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    made = House(store)
    yield made
    await made.showing.close(timedelta(seconds=5))
    await store.close()


@pytest.fixture
async def match(house: House) -> MatchId:
    """A match whose table and hands are shown."""
    number = await house.match()
    await house.shows(number)
    return number


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again almost at once."""
    monkeypatch.setattr(upkeep, "FIRST_RETRY", timedelta(milliseconds=2))
    monkeypatch.setattr(upkeep, "REPAIR_PAUSE", timedelta(0))
