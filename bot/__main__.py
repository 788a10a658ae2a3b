"""``python -m bot``: read the settings, open the database, serve Discord until told to stop."""

from __future__ import annotations

import argparse
import asyncio
import errno
import gc
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import aiohttp
import discord
import structlog

from bot import metrics
from bot.care import health
from bot.care.backups import Schedule, before_upgrade, refuse_folder
from bot.care.housekeeping import HOUSEKEEPING, look_after
from bot.care.keeping import Keeping
from bot.client import Ginhouse
from bot.front.pace import Pace
from bot.logs import set_up
from bot.now import utc_now
from bot.settings import NotYetUsable, Settings, SettingsError, load_settings, token_of
from db.errors import AlreadyRunning, StoreError
from db.lock import HouseLock
from db.store import LOOKED_THROUGH_AT_START, Store

log: structlog.stdlib.BoundLogger = structlog.get_logger("bot")

WRONG_SETTING: Final = 2
HEALTH: Final = "health"
FIRST_WAIT: Final = timedelta(seconds=1)
LONGEST_WAIT: Final = timedelta(minutes=1)
GARBAGE: Final = (700, 10, 3)
"""When to collect garbage: Python's own numbers, but all of it three times as often."""
GIVES_WAY_AFTER: Final = timedelta(milliseconds=1)
"""How long a thread computes before another may: a picture must not hold up an act's commit."""
TOKEN_REFUSED: Final = 4004
"""The gateway's close code for a token that was replaced while the bot ran."""


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop of uvloop where that is installed; None for Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bot, or one of the commands that look after its database; return the exit status."""
    chosen = _parser().parse_args(arguments)
    try:
        settings = load_settings()
        if chosen.command == HEALTH:
            is_well, said = health.ask(settings.metrics_host, settings.metrics_port)
            print(said, file=sys.stdout if is_well else sys.stderr)
            return 0 if is_well else 1
        if chosen.command is not None:
            file, schedule = getattr(chosen, "file", None), _schedule(settings)
            return look_after(settings.database_url, chosen.command, file, schedule)
        token = token_of(settings)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return WRONG_SETTING
    except (StoreError, AlreadyRunning) as error:
        print(error, file=sys.stderr)
        return 1
    set_up(settings.log_level, secrets=(token,))
    # It would warn at every start that what it wants for voice isn't installed: nobody needs that.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    point_elsewhere(settings)
    sys.setswitchinterval(GIVES_WAY_AFTER.total_seconds())
    try:
        lock = HouseLock.beside(settings.database_url)
        try:
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                return runner.run(serve(settings, token))
        finally:
            if lock is not None:
                lock.release()
    except SettingsError as error:  # what only a look at this machine tells
        print(error, file=sys.stderr)
        return 1 if isinstance(error, NotYetUsable) else WRONG_SETTING
    except (StoreError, AlreadyRunning) as error:
        print(error, file=sys.stderr)
        return 1
    except Exception:  # the interpreter would print it past the log, secrets and all
        log.exception("ended by a fault")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Without a command: join Discord and serve."
    )
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser(HEALTH, help="ask the bot that runs here whether it is well")
    for name, says in HOUSEKEEPING.items():
        command = commands.add_parser(name, help=says)
        if name in ("backup", "restore"):
            command.add_argument("file", type=_file, help="the copy")
    return parser


def _file(name: str) -> Path:
    if not name.strip():
        raise argparse.ArgumentTypeError("the name of a file is wanted, and this one is empty")
    return Path(name)


def point_elsewhere(settings: Settings) -> None:
    """Let discord.py talk to another server than Discord's, where the settings say so."""
    if settings.discord_api_url is not None:
        discord.http.Route.BASE = settings.discord_api_url
        parts = urlsplit(settings.discord_api_url)
        discord.asset.Asset.BASE = f"{parts.scheme}://{parts.netloc}"
    if settings.discord_gateway_url is not None:
        from yarl import URL  # only needed here

        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.discord_gateway_url)


async def serve(settings: Settings, token: str) -> int:
    """Open the database and stay connected until SIGTERM or SIGINT; return the exit status.

    Raises `SettingsError` where this machine can't follow a setting, and what `db.errors` says.
    """
    schedule = _schedule(settings)
    if schedule is not None:
        refuse_folder(settings.database_url, schedule)
        await asyncio.to_thread(before_upgrade, settings.database_url, schedule, utc_now())
    store = await Store.open(settings.database_url, looked_through=LOOKED_THROUGH_AT_START)
    bot = Ginhouse(
        store,
        measured=settings.metrics_port is not None,
        pace=Pace(settings.acts_per_ten_seconds),
        keeping=Keeping(
            unplayed=settings.keep_unplayed_days,
            acts=settings.keep_admin_acts_days,
            absent=settings.keep_absent_people_days,
        ),
        backups=schedule,
    )
    try:
        close_figures = _open_figures(settings, bot)
    except SettingsError:
        await store.close()
        raise
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no handlers in the loop
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    running = asyncio.create_task(stay_connected(bot, token))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    await bot.close()
    close_figures()
    if not running.done():
        running.cancel()
    with suppress(asyncio.CancelledError):
        return await running
    return 0


def _schedule(settings: Settings) -> Schedule | None:
    if not settings.backup_every_hours:
        return None
    return Schedule(
        every=timedelta(hours=settings.backup_every_hours),
        keep=settings.backup_keep,
        folder=settings.backup_folder,
    )


def _open_figures(settings: Settings, bot: Ginhouse) -> Callable[[], None]:
    """Serve the figures where that is wanted, from before the login on; returns what ends it.

    Raises `SettingsError` where they can't be served: the health check would ask in vain, or
    whoever has the port.
    """
    if settings.metrics_port is None:
        return lambda: None
    try:
        close_page = metrics.open_page(settings.metrics_host, settings.metrics_port)
    except (OSError, UnicodeError) as error:
        raise _no_figures(error, settings.metrics_host, settings.metrics_port) from error
    watching = asyncio.create_task(metrics.watch_loop(bot.line.last_whole), name="loop delay")

    def close() -> None:
        watching.cancel()
        close_page()

    return close


def _no_figures(error: OSError | UnicodeError, host: str, port: int) -> SettingsError:
    """What is wrong with the address of the figures; a network may come later, a free port not."""
    if isinstance(error, UnicodeError):
        return SettingsError(f"METRICS_HOST is wrong: {host} is no name of a host.")
    if error.errno == errno.EADDRINUSE:
        return SettingsError(
            f"METRICS_PORT is wrong: another program uses port {port} on {host} already, so set "
            "it to one that is free."
        )
    if error.errno == errno.EACCES:
        return SettingsError(
            f"METRICS_PORT is wrong: this user may not use port {port}, so set it to a number "
            "from 1024 on."
        )
    why = (error.strerror or type(error).__name__).lower()
    return NotYetUsable(
        f"METRICS_HOST is wrong, or the network isn't there yet: {host} is no address of this "
        f"machine ({why})."
    )


async def stay_connected(bot: Ginhouse, token: str) -> int:
    """Log in and stay; first attempts are repeated here, later ones by discord.py's shards."""
    try:
        await _until_it_works(bot, lambda: _log_in(bot, token))
    except discord.LoginFailure:
        print(
            "DISCORD_TOKEN was refused by Discord: copy it anew from the Bot page "
            "of your application.",
            file=sys.stderr,
        )
        return WRONG_SETTING
    # All that was imported stays: to look through it for garbage would hold the loop for 100 ms.
    gc.collect()
    gc.freeze()
    # What an interaction leaves behind refers to itself: in a rush that would be 20 MB in seconds.
    gc.set_threshold(*GARBAGE)
    try:
        await _until_it_works(bot, bot.connect)
    except discord.ConnectionClosed as closed:
        print(_why(closed), file=sys.stderr)
        return WRONG_SETTING if closed.code == TOKEN_REFUSED else 1
    return 0


def _why(closed: discord.ConnectionClosed) -> str:
    if closed.code == TOKEN_REFUSED:
        return (
            "DISCORD_TOKEN is no longer valid: copy it anew from the Bot page of your application."
        )
    return f"Discord ended the connection for good (close code {closed.code}): see its status page."


async def _log_in(bot: Ginhouse, token: str) -> None:
    try:
        await bot.login(token)
    except BaseException:
        await bot.http.close()  # the next attempt opens a session and a connector of its own
        bot.http.connector = discord.utils.MISSING
        raise


async def _until_it_works(bot: Ginhouse, step: Callable[[], Awaitable[None]]) -> None:
    """Repeat a step that needs the network, with longer and longer pauses."""
    wait = FIRST_WAIT
    while not bot.is_closed():
        try:
            await step()
        except discord.LoginFailure:
            raise
        except (
            aiohttp.ClientError,
            OSError,
            discord.HTTPException,
            discord.RateLimited,
            discord.GatewayNotFound,
        ) as error:
            status = error.status if isinstance(error, discord.HTTPException) else None
            log.warning(
                "no connection yet", error=type(error).__name__, status=status, wait=str(wait)
            )
            await asyncio.sleep(wait.total_seconds())
            wait = min(wait * 2, LONGEST_WAIT)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
