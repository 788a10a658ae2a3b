"""The bot and a playground in one process, with two people and the same cards every time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

import bot.play.tables
from bot.__main__ import point_elsewhere
from bot.client import Ginhouse
from bot.play.dealing import cut_cards, hand_deck
from bot.play.table import Table
from bot.settings import Settings
from db.ids import MatchId
from db.store import Store
from playground.acting.people import Person, people
from playground.server import Playground

PLACE: Final = "gin-rummy"
"""The channel where they play."""
_WORK: Final = frozenset({"discord.py: on_interaction", "CommandTree-invoker"})
"""What discord.py calls the tasks in which the bot works off interactions."""


@dataclass(frozen=True, slots=True)
class Room:
    """A running bot, and the two who play."""

    playground: Playground
    bot: Ginhouse
    players: tuple[Person, Person]

    async def begin(self) -> None:
        """Let one challenge the other, who accepts."""
        one, two = self.players
        challenge = await one.slash(PLACE, "gin challenge", opponent=two)
        answer = await two.press(challenge, "Accept")
        assert not answer.failed
        await self.settled()

    async def settled(self) -> None:
        """Wait until every interaction is worked off and everything is shown."""
        while at_work := {task for task in asyncio.all_tasks() if task.get_name() in _WORK}:
            await asyncio.wait(at_work)
        await self.bot.house.showing.settle()

    async def table(self) -> Table:
        """The match as the log has it."""
        table = await self.bot.house.tables.load(MatchId(1))
        assert table is not None
        return table

    async def on_turn(self) -> Person | None:
        """Who is to act; None when the match is over."""
        table = await self.table()
        if table.is_over or table.match.to_move is None:
            return None
        by_id = {person.id: person for person in self.players}
        return by_id[table.people[table.match.to_move]]


@asynccontextmanager
async def opened(folder: Path, seed: int) -> AsyncIterator[Room]:
    """Open a room whose cards depend on ``seed`` alone; the playground's clock is the bot's too."""
    playground = Playground()
    async with playground:
        point_elsewhere(
            Settings(discord_api_url=playground.api_url, discord_gateway_url=playground.gateway_url)
        )
        store = await Store.open(f"sqlite+aiosqlite:///{folder / 'bench.db'}")
        client = Ginhouse(
            store, now=lambda: datetime.fromtimestamp(playground.world.clock.now(), UTC)
        )
        await client.login(playground.world.token)
        running = asyncio.create_task(client.connect())
        async with asyncio.timeout(30):
            await client.wait_until_ready()
        one, two = people(playground, "Ada", "Ben")
        try:
            with _shuffled(seed):
                yield Room(playground, client, (one, two))
        finally:
            await client.close()
            with suppress(asyncio.CancelledError):
                await running


@contextmanager
def _shuffled(seed: int) -> Iterator[None]:
    """Let the house deal by a secret of ours."""
    ours = Random(seed).randbytes(32)
    with (
        patch.object(bot.play.tables, "hand_deck", lambda _seed, number: hand_deck(ours, number)),
        patch.object(bot.play.tables, "cut_cards", lambda _seed, players: cut_cards(ours, players)),
    ):
        yield
