"""A new session with Discord says nothing of what was missed (faults.md, row 14)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from unittest.mock import NonCallableMagicMock

import discord
import pytest

from bot import client
from bot.care.line import Line
from bot.client import Ginhouse
from db.errors import DatabaseUnusable
from db.ids import ServerId
from db.places import Absences
from db.store import Store
from tests.db.house import CLUB, NOW, PUB, new_match


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
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again without a pause."""
    monkeypatch.setattr(client, "RESTORED_AGAIN_AFTER", timedelta(0))


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


@pytest.mark.usefixtures("at_once")
async def test_a_server_is_back_also_where_the_database_could_not_note_it_at_first(
    bot: Ginhouse, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.on_shard_disconnect(0)
    servers.named(PUB)
    await bot.on_shard_ready(0)
    assert bot.house.presence.is_absent(CLUB)
    failing = [True, True]
    notes = Absences.end

    async def end(absences: Absences, server: ServerId) -> None:
        if failing:
            failing.pop()
            raise DatabaseUnusable("the disk is full")
        await notes(absences, server)

    monkeypatch.setattr(Absences, "end", end)
    servers.named(CLUB)
    await bot.on_guild_join(servers.known[CLUB])
    assert failing == []
    assert not bot.house.presence.is_suspended(CLUB)


class Shown:
    """What is shown anew of servers that are back; fails for a server as often as it should."""

    def __init__(self, bot: Ginhouse, monkeypatch: pytest.MonkeyPatch, *fails: ServerId) -> None:
        self.fails = list(fails)
        self.servers: list[tuple[ServerId, bool]] = []
        monkeypatch.setattr(bot.house.showing, "server_back", self.back)

    async def back(self, server: ServerId, *, in_doubt: bool) -> None:
        if server in self.fails:
            self.fails.remove(server)
            raise DatabaseUnusable("the disk is full")
        self.servers.append((server, in_doubt))


@pytest.mark.usefixtures("at_once")
async def test_servers_that_are_back_are_shown_at_the_start_also_where_that_fails_at_first(
    bot: Ginhouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = sorted((CLUB, PUB))
    shown = Shown(bot, monkeypatch, first, first)
    for server in (first, second):
        await bot.house.presence.removed(server)
    await bot._restore()
    assert shown.servers == [(second, True), (first, True)]


@pytest.mark.usefixtures("at_once")
async def test_a_server_that_is_back_in_a_new_session_is_shown_also_where_that_fails_at_first(
    bot: Ginhouse, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Shown(bot, monkeypatch, CLUB, CLUB)
    await bot.house.presence.removed(CLUB)
    await bot.on_shard_ready(0)
    assert shown.servers == [(CLUB, True)]
    shown.fails = [CLUB]
    bot.house.presence.out_of_order(CLUB)
    await bot.on_guild_available(servers.known[CLUB])
    assert shown.servers == [(CLUB, True), (CLUB, False)]


async def test_a_server_that_removed_the_bot_before_it_was_shown_is_left_alone(
    bot: Ginhouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Shown(bot, monkeypatch, CLUB)
    await bot.house.presence.removed(CLUB)
    await bot._compare_servers()
    with pytest.raises(DatabaseUnusable):
        await bot._show_servers()
    await bot.house.presence.removed(CLUB)
    await bot._show_servers()
    assert shown.servers == []


@pytest.mark.usefixtures("at_once")
async def test_what_a_start_needs_is_done_as_soon_as_the_database_is_there(
    bot: Ginhouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []

    def step(name: str) -> Callable[..., Awaitable[None]]:
        async def do(*_about: object) -> None:
            done.append(name)
            if done.count(name) < 3:
                raise DatabaseUnusable("locked")

        return do

    monkeypatch.setattr(bot, "_compare_servers", step("servers"))
    monkeypatch.setattr(bot.house.invitations, "restore", step("challenges"))
    monkeypatch.setattr(bot.house.showing, "restore", step("tables"))
    await bot._restore()
    assert done == ["servers"] * 3 + ["challenges"] * 3 + ["tables"] * 3
    assert bot._compared.is_set()


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


async def test_since_when_discord_cannot_be_heard_is_told_until_it_can(bot: Ginhouse) -> None:
    moments = count()
    bot.line = Line(lambda: NOW + timedelta(seconds=next(moments)))
    await bot.on_ready()
    await bot.on_shard_disconnect(0)
    lost = bot.line.last_whole()
    await bot.on_shard_disconnect(1)
    assert bot.line.last_whole() == lost
    await bot.on_shard_resumed(0)
    still_lost = bot.line.last_whole()
    assert lost < still_lost
    assert bot.line.last_whole() == still_lost
    await bot.on_shard_ready(1)
    assert bot.line.last_whole() > still_lost
