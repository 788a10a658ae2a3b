"""The connection to Discord: one client, its command tree, and where interactions go."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from datetime import timedelta
from typing import Final

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot import metrics
from bot.care import retention
from bot.care.backups import Backups, Schedule
from bot.care.keeping import Keeping
from bot.front import router
from bot.front.pace import Pace
from bot.front.reply import Reply
from bot.front.serving import Interaction, LateSuggestions, serve
from bot.front.visit import Visit
from bot.house import House
from bot.mail.governor import Governor
from bot.mail.post import Post
from bot.now import Now, utc_now
from bot.refusals import BadText
from bot.ui import pictures
from bot.ui.language import _
from db.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
logging.getLogger("discord.app_commands.tree").addFilter(LateSuggestions())

COGS: Final = (
    "cogs.challenge",
    "cogs.play",
    "cogs.record",
    "cogs.help",
    "cogs.admin",
    "cogs.rescue",
    "cogs.own",
)
LONGEST_WAIT: Final = timedelta(seconds=30)
"""For a rate limit; longer ones fail, and the projection is repaired later."""
SERVERS_ARRIVE_WITHIN: Final = timedelta(seconds=0.2)
"""Nothing of ours needs the list of servers: the repair doesn't wait for the last of them."""
PATIENCE: Final = timedelta(seconds=5)
"""How long the bot finishes at its end: what is being answered, then what is to be shown."""


class Tree(app_commands.CommandTree["Ginhouse"]):
    """The command tree, whose faults end in an answer too."""

    async def on_error(
        self, interaction: discord.Interaction[Ginhouse], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command that failed before it came to the desk (an option nobody can read)."""

        async def apologise(_visit: Visit) -> Reply:
            raise BadText(
                _("I couldn't read that command. Type it anew; Discord may show an old form.")
            )

        log.warning("command unreadable", error=type(error).__name__)
        if not interaction.response.is_done():
            await serve(interaction.client.house, interaction, apologise)


class Ginhouse(commands.AutoShardedBot):
    """The bot: knows the house, and nothing of its rules."""

    def __init__(
        self,
        store: Store,
        *,
        governor: Governor | None = None,
        measured: bool = False,
        pace: Pace | None = None,
        keeping: Keeping | None = None,
        backups: Schedule | None = None,
        now: Now = utc_now,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=intents,
            tree_cls=Tree,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_WAIT.total_seconds(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=SERVERS_ARRIVE_WITHIN.total_seconds(),
            enable_debug_events=False,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
            # discord.py's own default is None, though it declares otherwise.
            http_trace=metrics.tracing() if measured else None,  # type: ignore[arg-type]
        )
        self._measured = measured
        self._backups = None if backups is None else Backups(store, backups)
        self.store = store
        self.house = House.build(store, Post(self, governor or Governor()), pace, keeping, now)
        self.gin = app_commands.Group(name="gin", description="Play Gin Rummy in this server")
        self._tasks: list[asyncio.Task[None]] = []
        self._restored = False
        self._closing: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Load the commands and register them where they have changed."""
        if self._measured and not self._tasks:
            self._tasks.append(asyncio.create_task(metrics.watch_loop(), name="loop delay"))
        if not self.extensions:  # a login that is tried again comes here again
            for cog in COGS:
                await self.load_extension(cog)
            self.tree.add_command(self.gin)
        await self.register_commands()

    async def register_commands(self) -> None:
        """Register the commands with Discord, only when they differ from the last time."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(
            json.dumps(payload, sort_keys=True, default=str).encode()
        ).hexdigest()
        key = f"commands:{self.application_id}"
        async with self.store.reading() as tx:
            known = await tx.facts.get(key)
        if known == digest:
            log.info("commands unchanged")
            return
        await self.tree.sync()
        async with self.store.transaction() as tx:
            await tx.facts.put(key, digest)
        log.info("commands registered")

    async def on_ready(self) -> None:
        """Start the watches and repair what is shown, once a process."""
        if self._restored:
            return
        self._restored = True
        log.info("ready", servers=len(self.guilds))
        if self._measured:
            self._watch_figures()
        self._tasks += [
            asyncio.create_task(asyncio.to_thread(pictures.warm), name="pictures"),
            asyncio.create_task(self._restore(), name="restore"),
            asyncio.create_task(self.house.challenges.watch_expiry(), name="expiry"),
            asyncio.create_task(retention.watch(self.house), name="retention"),
            asyncio.create_task(self._keep_time(), name="clocks"),
            asyncio.create_task(self.house.idle.watch(), name="idle matches"),
        ]
        if self._backups is not None:
            self._tasks.append(asyncio.create_task(self._backups.watch(), name="backups"))

    async def _restore(self) -> None:
        try:
            await self.house.challenges.restore()
            await self.house.showing.restore()
        except Exception:  # whoever acts has his match repaired all the same
            log.exception("not restored")
        else:
            log.info("restored")

    async def _keep_time(self) -> None:
        """Give back the time in which the bot was down, then watch the deadlines."""
        try:
            await self.house.clocks.came_up()
        except Exception:  # deadlines that pass early are the lesser evil
            log.exception("time not given back")
        await self.house.clocks.watch()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Nobody can act while Discord can't be heard."""
        self.house.clocks.lost(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Discord is heard again, and says what was missed."""
        await self.house.clocks.found(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Discord is heard again, in a new session."""
        await self.house.clocks.found(shard_id)

    def _watch_figures(self) -> None:
        async def count() -> int:
            async with self.store.reading() as tx:
                return len(await tx.matches.running_ids())

        self._tasks.append(
            asyncio.create_task(metrics.watch_matches(count), name="running matches")
        )

    async def on_interaction(self, interaction: Interaction) -> None:
        """Every press and submit; commands are dispatched by the tree."""
        if router.is_control(interaction):
            await router.route(self.house, interaction)

    async def on_message(self, message: discord.Message, /) -> None:
        """Only counted, to know how far up a table lies; content is never read."""
        if self.user is not None and message.author.id != self.user.id:
            self.house.showing.someone_wrote(message.channel.id)  # type: ignore[arg-type]

    async def close(self) -> None:
        """Finish what was acknowledged, then close the connection and the database."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(), name="close")
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            async with asyncio.timeout(PATIENCE.total_seconds()):
                await self.house.door.close()
        except TimeoutError:
            log.warning("closed before everybody had an answer")
        await self.house.clocks.close()
        await self.house.showing.close(PATIENCE)
        await super().close()
        await self.store.close()
