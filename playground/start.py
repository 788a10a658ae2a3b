"""Starts Ginhouse: on Discord when a token is set, else in a playground on this machine.

    python -m playground.start [--port 8017] [--data data]

With DISCORD_TOKEN in the environment or in `.env` this becomes `python -m bot`. Without one it
opens a small Discord on a loopback address, starts the same bot against it, and prints one line
with the address of the web page. Its world is kept in the data folder, and so is the bot's
database (`playground.db`, unless the environment's DATABASE_URL says otherwise; that of `.env`
is for Discord).
"""

import argparse
import asyncio
import contextlib
import errno
import http.client
import json
import os
import signal
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from playground.bot import BotProcess
from playground.cardroom import open_card_room
from playground.server import Playground
from playground.state.events import Event
from playground.state.saving import CannotLoad, Shelf, dump, files, load
from playground.tabs.page import Page
from playground.wire import dumps

PORT = 8017
PORTS_TRIED = 20
SAVE_EVERY = 3.0
"""Seconds between two savings of a world that changes."""
TOKEN = "playground.opens.nothing-on-discord"  # noqa: S105 - and says so
_BOT = (sys.executable, "-m", "bot")
_SLOW = 20.0
"""Seconds after which a bot that isn't connected is spoken of."""
_QUICK = 30.0
"""A bot that lives for fewer seconds dies quickly."""
_QUICK_DEATHS = 5
"""After so many quick deaths in a row it is not started again."""
_COMMANDS_WITHIN = 10.0
"""Seconds after which a connected bot without commands is taken for ready all the same."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to open the playground."""

    data: Path = Path("data")
    port: int = PORT
    bot: Sequence[str] = _BOT
    pause: float = 1.0
    """Seconds before a bot that has died is started again; twice as long after each quick death."""


def setting(name: str, environment: Mapping[str, str], file: Path) -> str:
    """Read a setting from the environment, else from a `.env` file; empty when it isn't set."""
    for key, value in environment.items():
        if key.upper() == name and value.strip():
            return value.strip()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""  # the bot itself says what is wrong with the file
    found = ""
    for line in lines:
        key, _, value = line.strip().removeprefix("export ").partition("=")
        if key.strip().upper() == name:
            found = _unquoted(value.strip())
    return found


def _unquoted(value: str) -> str:
    if value[:1] in {"'", '"'}:
        return value[1:].partition(value[0])[0].strip()
    return value.partition(" #")[0].strip() if not value.startswith("#") else ""


class House:
    """The playground with its page and its bot, from the first line to the last."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._shelf = Shelf(plan.data)
        self._page = Page()
        self._playground = self._new_playground()
        self._stop = asyncio.Event()
        self._restart = asyncio.Event()
        self._happened = asyncio.Event()
        self._changed = False
        self._marks = ""

    def _new_playground(self) -> Playground:
        return Playground(token=TOKEN, furnished=False, extensions=(self._page,))

    async def run(self) -> int:
        """Open, keep open until told to stop (or the bot is lost); returns the exit status."""
        self._plan.data.mkdir(parents=True, exist_ok=True)
        open_already = await asyncio.to_thread(self._open_already)
        if open_already:
            _say(f"A playground is open already with {self._plan.data}: {open_already}")
            return 1
        await self._listen()
        self._address.write_text(f"{self._playground.url}/", encoding="utf-8")
        self._furnish()
        self._playground.world.subscribe(self._hear)
        self._page.restart_bot = self._restart.set
        self._listen_to_signals()
        bot = BotProcess(self._plan.bot, self._environment(), self._plan.data / "bot.log")
        saving = asyncio.create_task(self._save_often())
        try:
            return await self._serve(bot)
        finally:
            await bot.stop()
            saving.cancel()
            await asyncio.gather(saving, return_exceptions=True)
            self._shelf.put(*self._snapshot())
            self._address.unlink(missing_ok=True)
            await self._playground.stop()

    @property
    def _address(self) -> Path:
        """The file with the address of the playground that is open with this data."""
        return self._plan.data / "playground.address"

    def _open_already(self) -> str:
        """Ask whether another process has this data open; its address, or empty."""
        try:
            address = self._address.read_text(encoding="utf-8").strip()
            if not address.startswith("http://127.0.0.1:"):
                return ""
            with urllib.request.urlopen(f"{address}page/people", timeout=2) as answer:  # noqa: S310
                return address if isinstance(json.load(answer), list) else ""
        except (OSError, ValueError, http.client.HTTPException):  # it was killed, say
            return ""

    def _listen_to_signals(self) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            with contextlib.suppress(NotImplementedError, AttributeError):  # Windows has neither
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(getattr(signal, name), self.close)

    def close(self) -> None:
        """Ask `run` to come to its end."""
        self._stop.set()

    # ------------------------------------------------------------------ opening

    async def _listen(self) -> None:
        """Listen on the wished port, else on one of the next, else on any free one."""
        first = self._plan.port
        ports = [*range(first, first + PORTS_TRIED), 0] if first else [0]
        for port in ports:
            try:
                await self._playground.start(port=port)
            except OSError as error:
                if error.errno not in {errno.EADDRINUSE, errno.EACCES} or port == 0:
                    raise
                await self._playground.stop()
                self._playground = self._new_playground()
            else:
                return

    def _furnish(self) -> None:
        """Bring the saved world back, or set up a new one; nobody has been served yet."""
        try:
            kept = self._shelf.get()
            if kept is not None:
                saved, contents = kept
                load(self._playground.world, saved, contents)
                self._page.read = {
                    int(user): {int(channel): int(newest) for channel, newest in marks}
                    for user, marks in saved.get("read", {}).items()
                }
                return
        except CannotLoad as error:
            aside = self._shelf.set_aside()
            _say(f"The saved playground is of no use: {error}. It is now {aside}; a new one opens.")
        open_card_room(self._playground.world)

    def _environment(self) -> dict[str, str]:
        playground = self._playground
        database = setting("DATABASE_URL", os.environ, Path(os.devnull))
        return {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": playground.api_url,
            "DISCORD_GATEWAY_URL": playground.gateway_url,
            "DATABASE_URL": database or f"sqlite+aiosqlite:///{self._plan.data}/playground.db",
            "PYTHONUNBUFFERED": "1",
        }

    # ------------------------------------------------------------------ open

    async def _serve(self, bot: BotProcess) -> int:
        greeted = False
        deaths = 0
        loop = asyncio.get_running_loop()
        while True:
            self._restart.clear()
            born = loop.time()
            await bot.start()
            ended = asyncio.create_task(bot.ended())
            waits = [ended, asyncio.create_task(self._stop.wait())]
            waits.append(asyncio.create_task(self._restart.wait()))
            ready = asyncio.create_task(self._bot_is_ready())
            try:
                if not greeted:
                    await asyncio.wait({*waits, ready}, return_when=asyncio.FIRST_COMPLETED)
                    if ready.done():
                        _print(f"Ginhouse is open: {self._playground.url}/")
                        greeted = True
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                if self._stop.is_set():
                    return 0
                if self._restart.is_set():
                    deaths = 0
                    await bot.kill()
                    continue
                status = await ended
            finally:
                for task in (*waits, ready):
                    task.cancel()
            deaths = deaths + 1 if loop.time() - born < _QUICK else 1
            if not greeted or deaths >= _QUICK_DEATHS:
                self._bot_ended(bot, status, "")
                return status or 1
            pause = self._plan.pause * 2 ** (deaths - 1)
            self._bot_ended(bot, status, f" It is started again in {pause:g} s.")
            if await self._told_to_stop(pause):
                return 0

    async def _told_to_stop(self, seconds: float) -> bool:
        """Wait, unless told to stop; whether that was so."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)
        return self._stop.is_set()

    async def _bot_is_ready(self) -> None:
        """Wait until the bot is connected and its commands are there."""
        world = self._playground.world
        loop = asyncio.get_running_loop()
        online_since: float | None = None
        slow_after: float | None = loop.time() + _SLOW
        while True:
            self._happened.clear()
            if slow_after is not None and loop.time() > slow_after:
                _say(f"The bot is still not connected; {self._plan.data / 'bot.log'} says why.")
                slow_after = None
            if not world.bot_online:
                online_since = None
            elif online_since is None:
                online_since = loop.time()
            commands = [world.application.commands, *(g.commands for g in world.guilds.values())]
            if online_since is not None and (
                any(commands) or loop.time() - online_since > _COMMANDS_WITHIN
            ):
                return
            try:
                await asyncio.wait_for(self._happened.wait(), 1.0)
            except TimeoutError:
                continue

    def _bot_ended(self, bot: BotProcess, status: int, then: str) -> None:
        lines = "\n".join(f"  {line}" for line in bot.last)
        said = f" Its last lines:\n{lines}" if lines else ""
        _say(f"The bot has stopped by itself (status {status}).{then}{said}")

    def _hear(self, _: Event) -> None:
        self._changed = True
        self._happened.set()

    # ------------------------------------------------------------------ saving

    async def _save_often(self) -> None:
        while True:
            await asyncio.sleep(SAVE_EVERY)
            marks = repr(self._page.read)
            if self._changed or marks != self._marks:
                self._changed, self._marks = False, marks
                text, contents = self._snapshot()
                try:
                    await asyncio.to_thread(self._shelf.put, text, contents)
                except OSError as error:
                    _say(f"The playground can't be saved: {error}.")

    def _snapshot(self) -> tuple[str, dict[int, bytes]]:
        read = {str(user): list(marks.items()) for user, marks in self._page.read.items() if marks}
        world = self._playground.world
        return dumps({**dump(world), "read": read}), files(world)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str] | None = None, *, bot: Sequence[str] = _BOT) -> int:
    """Start what there is to start; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m playground.start",
        description="Start Ginhouse: on Discord with DISCORD_TOKEN set, else in a playground.",
    )
    parser.add_argument("--port", type=int, default=PORT, help="where the playground listens")
    parser.add_argument("--data", type=Path, default=Path("data"), help="where its world is kept")
    chosen = parser.parse_args(arguments)
    token = setting("DISCORD_TOKEN", os.environ, Path(".env"))
    if token and token != TOKEN:
        sys.stdout.flush()
        os.execv(bot[0], [*bot])  # noqa: S606 - our own bot, which reads the same settings
    try:
        return asyncio.run(House(Plan(chosen.data, chosen.port, bot)).run())
    except KeyboardInterrupt:  # only where the loop takes no signals
        return 0
    except OSError as error:
        _say(f"The playground can't be opened: {error.strerror or error}.")
        return 1


if __name__ == "__main__":
    sys.exit(main())
