"""A new session with Discord says nothing of what was missed (faults.md, row 14)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import NonCallableMagicMock

import discord
import pytest

from bot.client import Ginhouse
from db.ids import ServerId
from db.store import Store
from tests.db.house import CLUB, PUB, new_match


class Servers:
    """What discord.py has of the servers."""

    def __init__(self) -> None:
        self.known: dict[int, discord.Guild] = {}

    def named(self, *servers: ServerId) -> None:
        """Discord names its servers, in a new session: each has a new object."""
        for server in servers:
            self.known[server] = NonCallableMagicMock(
                spec=discord.Guild, id=server, shard_id=0, unavailable=False
            )


@pytest.fixture
def servers() -> Servers:
    return Servers()


@pytest.fixture
async def bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, servers: Servers
) -> AsyncIterator[Ginhouse]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setattr(Ginhouse, "guilds", property(lambda _bot: list(servers.known.values())))
    monkeypatch.setattr(Ginhouse, "get_guild", lambda _bot, server: servers.known.get(server))
    bot = Ginhouse(store)
    bot._restored = True
    servers.named(CLUB, PUB)
    await new_match(store)
    yield bot
    await store.close()


async def test_a_removal_in_a_lost_session_is_seen_in_the_next(
    bot: Ginhouse, servers: Servers
) -> None:
    await bot.on_shard_disconnect(0)
    servers.named(PUB)
    await bot.on_shard_ready(0)
    assert bot.house.presence.is_absent(CLUB)
    await bot.on_shard_disconnect(0)
    servers.named(PUB)
    await bot.on_shard_ready(0)
    assert bot.house.presence.is_absent(CLUB)
    servers.named(CLUB)
    await bot.on_guild_join(servers.known[CLUB])
    assert not bot.house.presence.is_suspended(CLUB)


async def test_a_session_that_goes_on_or_has_all_servers_takes_none_for_removed(
    bot: Ginhouse, servers: Servers
) -> None:
    await bot.on_shard_disconnect(0)
    await bot.on_shard_resumed(0)
    await bot.on_shard_ready(0)
    assert not bot.house.presence.is_suspended(CLUB)
    await bot.on_shard_disconnect(0)
    servers.named(CLUB, PUB)
    await bot.on_shard_ready(0)
    assert not bot.house.presence.is_suspended(CLUB)
