"""A card room for tests: the playground, the real client in this process, a database file."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import discord
import pytest
from yarl import URL

import bot.play.tables
from bot.client import Ginhouse
from bot.play.dealing import hand_deck
from db.ids import MatchId
from db.store import Store
from gin import DECK, Card, Match, cut_from, parse_cards
from playground.acting.people import Person, people
from playground.server import Playground

_WORK = ("CommandTree-invoker", "discord.py: on_")
"""How the names of the tasks begin in which the bot works off interactions and events."""


class Decks:
    """The decks that the house will use next: those laid ready, then shuffles of its own."""

    def __init__(self, real: Iterator[tuple[Card, ...]]) -> None:
        self._real = real
        self._ready: list[tuple[Card, ...]] = []

    def __call__(self) -> tuple[Card, ...]:
        return self._ready.pop(0) if self._ready else next(self._real)

    def follow(self, decks: Iterator[tuple[Card, ...]]) -> None:
        """Let the house shuffle like this when nothing is laid ready."""
        self._real = decks

    def cut(self, first: str, second: str) -> None:
        """Lay a deck ready from which the challenger and the challenged cut these cards."""
        self._ready.append(_completed(parse_cards(f"{first} {second}")))

    def deal(self, non_dealer: str, dealer: str, starter: str, stock: str = "") -> None:
        """Lay a deck ready that deals these hands, this up-card, and begins the stock so."""
        one, two = parse_cards(non_dealer), parse_cards(dealer)
        assert len(one) == len(two) == 10
        dealt = [card for pair in zip(one, two, strict=True) for card in pair]
        self._ready.append(_completed([*dealt, Card.parse(starter), *parse_cards(stock)]))


def _completed(cards: Sequence[Card] | tuple[Card, ...]) -> tuple[Card, ...]:
    assert len(set(cards)) == len(cards), "a card stands twice in the deck"
    return (*cards, *(card for card in DECK if card not in cards))


class Room:
    """Everything that a test needs: people, a channel, decks, and the bot that can be restarted."""

    def __init__(self, playground: Playground, database: Path, decks: Decks) -> None:
        self.playground = playground
        self.world = playground.world
        self.database = database
        self.decks = decks
        self.bot: Ginhouse | None = None
        self.store: Store | None = None
        self._task: asyncio.Task[None] | None = None
        self.ada, self.ben, self.cleo = people(playground, "Ada", "Ben", "Cleo")

    @property
    def url(self) -> str:
        """The database's address."""
        return f"sqlite+aiosqlite:///{self.database}"

    def now(self) -> datetime:
        """The time in the playground, by which the bot goes too."""
        return datetime.fromtimestamp(self.world.clock.now(), UTC)

    @property
    def table(self) -> str:
        """The channel where the tests play."""
        return "gin-rummy"

    async def start(self) -> None:
        """Start the bot on the playground and wait until it is ready."""
        discord.http.Route.BASE = self.playground.api_url
        parts = urlsplit(self.playground.api_url)
        discord.asset.Asset.BASE = f"{parts.scheme}://{parts.netloc}"
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(self.playground.gateway_url)
        self.store = await Store.open(self.url)
        self.bot = Ginhouse(self.store, now=self.now)
        await self.bot.login(self.world.token)
        self._task = asyncio.create_task(self.bot.connect())
        async with asyncio.timeout(30):
            await self.bot.wait_until_ready()

    async def stop(self) -> None:
        """Stop the bot as on SIGTERM."""
        if self.bot is not None and self._task is not None:
            await self.bot.close()
            with suppress(asyncio.CancelledError):
                await self._task
        self.bot = None

    async def restart(self) -> None:
        """Stop the bot and start another on the same database."""
        await self.stop()
        await self.start()

    async def settled(self) -> None:
        """Wait until every interaction is worked off and everything is shown."""
        assert self.bot is not None
        while at_work := {task for task in asyncio.all_tasks() if _is_at_work(task)}:
            await asyncio.wait(at_work)
        await self.bot.house.showing.settle()

    async def passes(self, span: timedelta) -> None:
        """Let time pass, everything that is due be done, and all of it be shown."""
        assert self.bot is not None
        self.world.clock.move(span.total_seconds())
        self.bot.house.clocks.lost_time.awake.begin()  # it was, all that time
        await self.bot.house.clocks.do_what_is_due()
        await self.bot.house.clocks.settle()
        await self.settled()

    async def match(self, number: int = 1) -> Match:
        """The match as the log has it."""
        assert self.bot is not None
        table = await self.bot.house.tables.load(MatchId(number))
        assert table is not None
        return table.match

    async def log(self, number: int = 1) -> tuple[str, ...]:
        """What the log of a match says, entry by entry; empty for a match that isn't there."""
        assert self.store is not None
        async with self.store.reading() as tx:
            return tuple(entry.text for entry in await tx.matches.log(MatchId(number)))

    @asynccontextmanager
    async def unchanged(self, number: int = 1) -> AsyncIterator[None]:
        """See that nothing in this block changes a match, and none is added."""
        before = await self.log(number), await self.log(number + 1)
        yield
        await self.settled()
        assert (await self.log(number), await self.log(number + 1)) == before

    async def begin(
        self, one: Person | None = None, two: Person | None = None, *, target: int | None = None
    ) -> None:
        """Let one challenge the other, who accepts by button."""
        one, two = one or self.ada, two or self.ben
        challenge = await one.slash(self.table, "gin challenge", opponent=two, target=target)
        answer = await two.press(challenge, "Accept")
        assert not answer.failed
        await self.settled()

    def everything_sent(self) -> Iterable[bytes]:
        """Every byte that the bot sent: bodies as text, and files."""
        for request in self.playground.sent:
            yield repr(request.body).encode()
            for file in request.files:
                yield file.content


def _is_at_work(task: asyncio.Task[object]) -> bool:
    return task is not asyncio.current_task() and task.get_name().startswith(_WORK)


def real_decks() -> Iterator[tuple[Card, ...]]:
    """Shuffles as the house makes them."""
    while True:
        yield hand_deck(secrets.token_bytes(32), 1)


def rigged(monkeypatch: pytest.MonkeyPatch) -> Decks:
    """Let the house take its decks from a test."""
    decks = Decks(real_decks())
    monkeypatch.setattr(bot.play.tables, "hand_deck", lambda _seed, _number: decks())
    monkeypatch.setattr(
        bot.play.tables, "cut_cards", lambda _seed, players: cut_from(decks(), players)
    )
    return decks
