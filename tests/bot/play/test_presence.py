"""Servers without the bot (faults.md, row 14): suspended, never purged, and back with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.presence import Presence
from db.store import Store
from tests.db.house import ANN, CLUB, PUB, new_match


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    yield opened
    await opened.close()


async def test_a_removal_is_remembered_across_starts_and_ends_with_an_invitation(
    store: Store,
) -> None:
    match = await new_match(store)
    presence = Presence(store)
    await presence.removed(CLUB)
    since = presence.since(CLUB)
    await presence.removed(CLUB)
    assert since is not None
    anew = Presence(store)
    assert await anew.compare([PUB], [], lambda _server: True) == ()
    assert anew.is_suspended(CLUB)
    assert anew.is_absent(CLUB)
    assert anew.since(CLUB) == since
    async with store.reading() as tx:
        assert [row.id for row in await tx.matches.running_of(ANN)] == [match]
    assert await anew.back(CLUB) == since
    assert await anew.back(CLUB) is None
    assert not anew.is_suspended(CLUB)
    assert await Presence(store).compare([CLUB], [], lambda _server: True) == ()


async def test_what_happened_while_the_bot_was_away_is_seen_at_its_start(store: Store) -> None:
    await new_match(store)
    presence = Presence(store)
    assert await presence.compare([PUB], [], lambda _server: True) == ()
    assert presence.is_absent(CLUB)
    again = Presence(store)
    assert await again.compare([CLUB], [], lambda _server: True) == (CLUB,)
    assert not again.is_suspended(CLUB)


async def test_a_server_of_another_process_is_not_taken_for_removed(store: Store) -> None:
    await new_match(store)
    presence = Presence(store)
    await presence.compare([], [], lambda _server: False)
    assert not presence.is_suspended(CLUB)


async def test_an_outage_is_no_removal(store: Store) -> None:
    await new_match(store)
    presence = Presence(store)
    await presence.compare([CLUB], [CLUB], lambda _server: True)
    assert presence.is_suspended(CLUB)
    assert not presence.is_absent(CLUB)
    assert await presence.back(CLUB) is not None
    presence.out_of_order(CLUB)
    assert presence.since(CLUB) is not None
    async with store.reading() as tx:
        assert await tx.absences.all() == {}
