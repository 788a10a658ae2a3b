"""The bot as a process: begun, told to stop, killed, and what it said."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from playground.server import Playground

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
"""Seconds for what takes one or two, on a machine that has other things to do."""
SETTINGS = ("DISCORD_TOKEN", "DATABASE_URL", "DISCORD_API_URL", "DISCORD_GATEWAY_URL", "LOG_LEVEL")


class Nursery:
    """Begins bots; see :mod:`tests.e2e.nursery`."""

    def __init__(self) -> None:
        environment = {key: said for key, said in os.environ.items() if key not in SETTINGS}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.nursery"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:  # its input ends, and then it does
            pass

    async def ask(self, order: Mapping[str, object]) -> dict[str, int | None]:
        """Give an order and wait for its answer."""
        return await asyncio.to_thread(self._ask, order)

    def _ask(self, order: Mapping[str, object]) -> dict[str, int | None]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        answer: dict[str, int | None] = json.loads(self._process.stdout.readline())
        return answer


class BotProcess:
    """One bot with its settings; it may be begun again and again."""

    def __init__(self, nursery: Nursery, folder: Path, **settings: str) -> None:
        self._nursery = nursery
        self.folder = folder
        self.settings = settings
        self.log = folder / "bot.log"
        self.pid: int | None = None

    @classmethod
    def on(cls, nursery: Nursery, folder: Path, playground: Playground) -> BotProcess:
        """A bot that finds the playground, with its database in the folder."""
        return cls(
            nursery,
            folder,
            DISCORD_TOKEN=playground.world.token,
            DISCORD_API_URL=playground.api_url,
            DISCORD_GATEWAY_URL=playground.gateway_url,
            DATABASE_URL=f"sqlite+aiosqlite:///{folder / 'ginhouse.db'}",
            ACTS_PER_TEN_SECONDS="0",  # the players of tests are quicker than people
        )

    @property
    def said(self) -> str:
        """All that it has said so far."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    async def begin(self) -> None:
        """Begin it, without waiting for anything."""
        order = {
            "environment": self.settings,
            "folder": str(self.folder),
            "log": str(self.log),
        }
        self.pid = (await self._nursery.ask(order))["pid"]

    async def begin_on(self, playground: Playground) -> None:
        """Begin it, and wait until it is there."""
        await self.begin()
        await self.until_online(playground)

    async def until_online(self, playground: Playground) -> None:
        """Wait until the playground shows it as online."""
        async with asyncio.timeout(PATIENCE):
            while not playground.world.bot_online:  # noqa: ASYNC110 - the world has no event for it
                await asyncio.sleep(0.005)

    async def until_said(self, words: str) -> None:
        """Wait until it has said something."""
        async with asyncio.timeout(PATIENCE):
            while words not in self.said:  # noqa: ASYNC110 - a file has no event
                await asyncio.sleep(0.02)

    async def ended(self) -> int:
        """Wait until it has ended; its status, negative for the signal that killed it."""
        async with asyncio.timeout(PATIENCE):
            while (status := await self._status()) is None:  # noqa: ASYNC110 - we aren't its parent
                await asyncio.sleep(0.01)
        self.pid = None
        return status

    async def _status(self) -> int | None:
        return (await self._nursery.ask({"ended": self.pid}))["status"]

    async def stop(self) -> int:
        """Ask it to stop, as a service manager does; its status."""
        self._signal(signal.SIGTERM)
        return await self.ended()

    async def kill(self) -> None:
        """Kill it as a power cut would, if it runs."""
        if self.pid is not None and await self._status() is None:
            self._signal(signal.SIGKILL)
            await self.ended()

    def _signal(self, number: signal.Signals) -> None:
        assert self.pid is not None
        os.kill(self.pid, number)
