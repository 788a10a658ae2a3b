"""The card room as `make run` opens it: its web page, people in tabs, and a bot to be killed.

The playground lives in a thread of its own, since Playwright keeps a loop in the thread of the
test; the bot is a process, as always.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from typing import Final, Literal, Self

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, expect

from gin import Card, format_cards
from playground.bot import BotProcess
from playground.cardroom import open_card_room
from playground.server import Playground
from playground.start import TOKEN
from playground.tabs.page import Page
from tests.browser import Background, Tab
from tests.e2e.room import Decks

TABLE: Final = "gin-table"
"""The channel in which people play."""
BOT: Final = "Ginhouse"
"""Whose direct messages hold the hands."""
READY_WITHIN: Final = 120.0
"""Seconds that the bot may take to start on a machine that has a lot to do."""
PATIENCE: Final = 60_000
"""Milliseconds that anything on a page may take on such a machine."""


def no_decks() -> Decks:
    """A shelf for decks to be laid ready; where it ends, the house shuffles."""
    nothing: tuple[Card, ...] = ()
    return Decks(repeat(nothing))


class CardRoom:
    """The playground with its page, and the bot beside it, with decks that were laid ready.

    with CardRoom(folder, decks) as room:
        ...  # a browser at room.url
        room.kill_bot()
        room.start_bot()
    """

    def __init__(self, folder: Path, decks: Decks) -> None:
        self._background = Background()
        self._open = ExitStack()
        self._page = Page()
        self.playground = Playground(token=TOKEN, furnished=False, extensions=[self._page])
        self._bot: BotProcess | None = None
        self._folder = folder
        self._decks = folder / "decks.json"
        laid = [format_cards(deck) for deck in iter(decks, ())]
        self._decks.write_text(json.dumps(laid), encoding="utf-8")

    @property
    def url(self) -> str:
        """Where the page is."""
        return self.playground.url

    def seat(self, name: str) -> int:
        """The number of a person, for the page's address."""
        world = self.playground.world
        return next(user.id for user in world.users.values() if user.username == name)

    def __enter__(self) -> Self:
        run = self._open.enter_context(self._background).run
        open_card_room(self.playground.world)
        run(self.playground.start())
        self._open.callback(lambda: run(self.playground.stop()))
        command = (sys.executable, "-m", "tests.e2e.rigged_bot")
        bot = BotProcess(command, self._environment(), self._folder / "bot.log")
        self._open.callback(lambda: run(bot.stop()))
        self._bot = bot
        try:
            self.start_bot()
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def start_bot(self) -> None:
        """Start the bot, and wait until it is there with its commands, and has repaired all."""
        assert self._bot is not None
        self._bot.last.clear()
        self._background.run(self._bot.start())
        self._background.run(self._ready(self._bot), READY_WITHIN)

    def kill_bot(self) -> None:
        """Kill the bot as a power cut would."""
        assert self._bot is not None
        self._background.run(self._bot.kill())

    async def _ready(self, bot: BotProcess) -> None:
        """Wait until the bot is connected, its commands are there and every message is as it says.

        A message that is repaired is drawn anew, and a list that is open in it goes.
        """
        world = self.playground.world
        happened = asyncio.Event()
        unsubscribe = world.subscribe(lambda _: happened.set())
        ended = asyncio.create_task(bot.ended())
        ended.add_done_callback(lambda _: happened.set())
        while not (world.bot_online and world.application.commands):
            await happened.wait()
            happened.clear()
            assert not ended.done(), list(bot.last)
        ended.cancel()
        unsubscribe()
        while not any("event='restored'" in line for line in bot.last):  # noqa: ASYNC110 - a log
            await asyncio.sleep(0.02)

    def _environment(self) -> dict[str, str]:
        return {
            "DISCORD_TOKEN": TOKEN,
            "ACTS_PER_TEN_SECONDS": "0",
            "DISCORD_API_URL": self.playground.api_url,
            "DISCORD_GATEWAY_URL": self.playground.gateway_url,
            "DATABASE_URL": f"sqlite+aiosqlite:///{self._folder}/playground.db",
            "RIGGED_DECKS": str(self._decks),
        }


class Seat(Tab):
    """A person in a tab, who looks before he presses, and whose screenshots are kept."""

    def __init__(
        self,
        room: CardRoom,
        browser: Browser,
        name: str,
        *,
        width: int,
        scheme: Literal["dark", "light"],
        pictures: Path,
        height: int = 860,
        scale: float = 1,
    ) -> None:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            device_scale_factor=scale,
        )
        self.complaints: list[str] = []
        page.on("pageerror", self._threw)
        page.on("console", self._said)
        super().__init__(page, room.url, room.seat(name))
        page.set_default_timeout(PATIENCE)
        self.name = name
        self._pictures = pictures

    def _threw(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _said(self, message: ConsoleMessage) -> None:
        # A picture may be replaced by the next one while it is being fetched.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)

    def button(self, label: str) -> Locator:
        """The newest button of this label."""
        return self.page.locator("#rows .button").get_by_text(label, exact=True).last

    def reads(self, *texts: str) -> None:
        """Wait until the newest message says all of this."""
        for text in texts:
            expect(self.last).to_contain_text(text)

    def _waits_for_pictures(self) -> None:
        """Wait until every picture is there, however long that takes.

        Asked from outside each time: to let the page ask itself is forbidden by its own policy.
        """
        while not self.page.evaluate("[...document.images].every(image => image.complete)"):
            self.page.wait_for_timeout(50)

    def keeps(self, picture: str) -> Path:
        """Take a screenshot, of a page on which nothing is cut off at the side."""
        for part in ("html", "#log"):
            beyond = self.page.locator(part).evaluate("part => part.scrollWidth - part.clientWidth")
            assert beyond <= 0, f"{part} is {beyond} pixels too wide: {picture}"
        self.page.mouse.move(0, 0)
        self._waits_for_pictures()
        path = self._pictures / f"{picture}-{self.name}.png"
        self.page.screenshot(path=path, animations="disabled")
        return path
