"""The connection to Discord: one client, its command tree, and where interactions go."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot import metrics
from bot.care import memory, retention
from bot.care.backups import Backups, Schedule
from bot.care.keeping import Keeping
from bot.care.line import Line
from bot.front import courier, router
from bot.front.answer import Interaction
from bot.front.command import unreadable
from bot.front.pace import Pace
from bot.front.reply import Reply
from bot.front.serving import LateSuggestions, serve
from bot.front.visit import Visit
from bot.house import House
from bot.mail.governor import Governor
from bot.mail.post import Post
from bot.now import Now, utc_now
from bot.play import heartbeat
from bot.play.presence import State
from bot.shown.setback import SetBack
from bot.ui import pictures
from db.errors import DatabaseUnusable
from db.ids import ChannelId, ServerId
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
RESTORED_AGAIN_AFTER: Final = timedelta(seconds=20)
"""What a start needs, or the return to a server, is tried again where the database failed."""
_pause = asyncio.sleep
PATIENCE: Final = timedelta(seconds=5)
"""How long the bot finishes at its end: what is being answered, then what is to be shown."""


class Tree(app_commands.CommandTree["Ginhouse"]):
    """The command tree, whose faults end in an answer too."""

    async def on_error(
        self, interaction: discord.Interaction[Ginhouse], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer a command that failed before it came to the desk (an option nobody can read)."""

        async def apologise(_visit: Visit) -> Reply:
            raise unreadable()

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
        self._backups = None if backups is None else Backups(store, backups, now)
        self.store = store
        self.line = Line(now)
        self.house = House.build(store, Post(self, governor or Governor()), pace, keeping, now)
        self.gin = app_commands.Group(name="gin", description="Play Gin Rummy in this server")
        self._tasks: list[asyncio.Task[None]] = []
        self._restored = False
        self._compared = asyncio.Event()
        """Set when it is known which servers can't be served, so that clocks stand still there."""
        self._as_lost: dict[int, list[discord.Guild]] = {}
        """By shard without a connection: its servers when that was lost."""
        self._left: set[ServerId] = set()
        """Servers that removed the bot while it couldn't hear; discord.py still has them."""
        self._back: dict[ServerId, bool] = {}
        """Servers that are served again, until that is shown there; whether they are in doubt."""
        self._awake_before: datetime | None = None
        self._setback = SetBack(store, self.house.post, self.house.invitations)
        self._is_set_back: bool | None = None
        """Whether all is done that a restored backup has left to be done; None: it left nothing."""
        self._closing: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Load the commands and register them where they have changed."""
        courier.employ()
        async with self.store.reading() as tx:
            self._awake_before = await heartbeat.last(tx)
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
        self.line.found()
        if self._restored:
            return
        self._restored = True
        log.info("ready", servers=len(self.guilds))
        if self._measured:
            self._watch_figures()
        self._tasks += [
            asyncio.create_task(asyncio.to_thread(pictures.warm), name="pictures"),
            asyncio.create_task(self._restore(), name="restore"),
            asyncio.create_task(self.house.invitations.watch(), name="expiry"),
            asyncio.create_task(retention.watch(self.house), name="retention"),
            asyncio.create_task(memory.watch(memory.asked_for()), name="memory"),
            asyncio.create_task(self._keep_time(), name="clocks"),
            asyncio.create_task(self.house.idle.watch(), name="idle matches"),
        ]
        if self._backups is not None:
            self._tasks.append(asyncio.create_task(self._backups.watch(), name="backups"))

    async def _restore(self) -> None:
        await self._at_last(self._compare_at_start)
        await self._at_last(self._show_servers)
        await self._at_last(self.house.invitations.restore)
        await self._at_last(self._set_back)
        await self._at_last(partial(self.house.showing.restore, self._awake_before))
        log.info("restored")
        while self._is_set_back is False:
            await _pause(RESTORED_AGAIN_AFTER.total_seconds())
            await self._at_last(self._set_back)

    async def _set_back(self) -> None:
        """Say where it matters that a backup was restored, if it was."""
        self._is_set_back = await self._setback.carry_out()
        if self._is_set_back is not None:
            self._awake_before = None  # nobody need be told besides how long the bot was away

    async def _at_last(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do something that has to be done, as often as it fails: a database may be back later."""
        while True:
            try:
                await step()
            except Exception:  # whoever acts meanwhile has his match repaired all the same
                log.exception("not restored yet")
            else:
                return
            await _pause(RESTORED_AGAIN_AFTER.total_seconds())

    async def _keep_time(self) -> None:
        """Watch the deadlines, once it is known which servers can be served."""
        await self._compared.wait()
        await self.house.clocks.watch()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Nobody can act while Discord can't be heard."""
        self._as_lost[shard_id] = [one for one in self.guilds if one.shard_id == shard_id]
        self.line.lost(shard_id)
        self.house.clocks.lost_time.lost(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Discord is heard again, and says what was missed."""
        self.line.found(shard_id)
        self._as_lost.pop(shard_id, None)
        await self.house.clocks.lost_time.found(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Discord is heard again, in a new session: what was missed isn't said, but can be seen.

        A new session has a new object for each of its servers; discord.py keeps the old one of a
        server that is none of them any more.
        """
        self.line.found(shard_id)
        before = self._as_lost.pop(shard_id, [])
        self._left |= {ServerId(one.id) for one in before if self.get_guild(one.id) is one}
        if self._restored:
            try:
                await self._compare_servers()
            except Exception:  # clocks must go on
                log.exception("servers not compared")
        await self.house.clocks.lost_time.found(shard_id)
        await self._at_last(self._show_servers)

    async def _compare_at_start(self) -> None:
        try:
            await self._compare_servers()
        finally:
            self._compared.set()

    async def _compare_servers(self) -> None:
        """See which servers removed the bot, or invited it again, while it was away."""
        for server in await self.house.presence.compare(self._state_of, self._is_ours):
            self._back[server] = True

    async def _show_servers(self) -> None:
        """Bring up to date what stands on servers that are back; one that fails delays no other.

        Raises what failed last; those servers are still to be shown then.
        """
        failure: Exception | None = None
        for server in sorted(self._back):
            in_doubt = self._back.pop(server, None)
            if in_doubt is None or self.house.presence.is_absent(server):
                continue  # another session has shown it, or it has removed the bot once more
            try:
                await self.house.showing.server_back(server, in_doubt=in_doubt)
            except Exception as error:  # noqa: BLE001 - raised when the others are shown
                self._back[server] = in_doubt or self._back.get(server, False)
                failure = error
        if failure is not None:
            raise failure

    def _state_of(self, server: ServerId) -> State:
        guild = self.get_guild(server)
        if guild is None or server in self._left:
            return State.GONE
        return State.OUT_OF_ORDER if guild.unavailable else State.SERVED

    def _is_ours(self, server: ServerId) -> bool:
        """Whether one of this process's shards hears of a server."""
        return not self.shard_count or (server >> 22) % self.shard_count in self.shards

    def _watch_figures(self) -> None:
        async def count() -> int:
            async with self.store.reading() as tx:
                return await tx.matches.count_running()

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

    # ----------------------------------------------------- what becomes of servers and channels

    async def on_guild_remove(self, guild: discord.Guild, /) -> None:
        """The bot was removed: what is played there waits until it is back."""
        await self.house.presence.removed(ServerId(guild.id))

    async def on_guild_unavailable(self, guild: discord.Guild, /) -> None:
        """An outage of Discord's, which is no removal."""
        self.house.presence.out_of_order(ServerId(guild.id))

    async def on_guild_join(self, guild: discord.Guild, /) -> None:
        """The bot was invited, perhaps again."""
        await self._served_again(ServerId(guild.id))

    async def on_guild_available(self, guild: discord.Guild, /) -> None:
        """A server arrived, at the start or after an outage."""
        await self._served_again(ServerId(guild.id))

    async def _served_again(self, server: ServerId) -> None:
        self._left.discard(server)
        was_removed = self.house.presence.is_absent(server)
        while True:
            try:
                since = await self.house.presence.back(server)
                break
            except DatabaseUnusable as error:  # nobody will say once more that the server is back
                log.warning("not noted that a server is back", server=server, why=str(error))
            await _pause(RESTORED_AGAIN_AFTER.total_seconds())
            if self._state_of(server) is State.GONE:
                return
        if since is not None:
            self._back[server] = was_removed or self._back.get(server, False)
            await self._at_last(self._show_servers)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel, /) -> None:
        """Tables and challenges that stood there look for another place."""
        await self._place_gone(ChannelId(channel.id))

    async def on_raw_thread_delete(self, gone: discord.RawThreadDeleteEvent, /) -> None:
        """The same for a thread, which the bot need not know."""
        await self._place_gone(ChannelId(gone.thread_id))

    async def _place_gone(self, channel: ChannelId) -> None:
        await self.house.showing.places.channel_gone(channel)
        await self.house.invitations.channel_gone(channel)

    async def on_raw_thread_update(self, changed: discord.RawThreadUpdateEvent, /) -> None:
        """A thread was archived or locked, or opened again."""
        state = changed.data.get("thread_metadata", {})
        if state.get("archived") or state.get("locked"):
            await self.house.showing.thread_closed(ChannelId(changed.thread_id))
            await self.house.invitations.thread_closed(ChannelId(changed.thread_id))
        else:
            await self._rights_changed(changed.guild_id)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel, /
    ) -> None:
        """Perhaps a permission is back."""
        await self._rights_changed(after.guild.id)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role, /) -> None:
        """Perhaps a permission is back."""
        await self._rights_changed(after.guild.id)

    async def on_member_update(self, _before: discord.Member, after: discord.Member, /) -> None:
        """Perhaps the bot was given a role: it hears of itself alone."""
        await self._rights_changed(after.guild.id)

    async def _rights_changed(self, server: int) -> None:
        await self.house.showing.places.try_again(ServerId(server))
        await self.house.invitations.try_again(ServerId(server))

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
