"""A real discord.py bot on a playground, and a bare client for what discord.py never does wrong."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands, ui
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from playground.server import Playground
from playground.state.model import Channel, Guild, User
from playground.state.world import World

# Three pixels by two.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d0000001049444154789c"
    "63106850802006380b0028f4042157911b8a0000000049454e44ae426082"
)


def guild_of(world: World) -> Guild:
    return next(iter(world.guilds.values()))


def person(world: World, name: str = "ada") -> User:
    return next(user for user in world.users.values() if user.username == name)


def channel_of(world: World, name: str = "general") -> Channel:
    return next(channel for channel in guild_of(world).channels.values() if channel.name == name)


async def until(condition: Callable[[], object], what: str = "it") -> None:
    """Wait for something that happens on its own, a few seconds at most."""
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"{what} didn't happen")


class TableView(ui.LayoutView):
    def __init__(self, shown: str = "hand.png") -> None:
        super().__init__(timeout=None)
        container: ui.Container[Any] = ui.Container(accent_colour=0x3BA55D)
        container.add_item(ui.TextDisplay("It is <@0>'s turn"))
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        gallery.add_item(media=f"attachment://{shown}", description="4♥ 5♥ 6♥")
        container.add_item(gallery)
        row: ui.ActionRow[Any] = ui.ActionRow()
        row.add_item(ui.Button(label="Draw", custom_id="draw"))
        row.add_item(ui.Button(label="Gone", custom_id="gone", disabled=True))
        container.add_item(row)
        choice: ui.ActionRow[Any] = ui.ActionRow()
        options = [discord.SelectOption(label=card, value=card) for card in ("7H", "8H", "9H")]
        choice.add_item(ui.Select(custom_id="discard", options=options))
        container.add_item(choice)
        self.add_item(container)
        self.stop()


def picture(name: str = "hand.png") -> discord.File:
    return discord.File(io.BytesIO(PNG), name, description="A hand")


class Bot(commands.AutoShardedBot):
    """Answers a few commands and controls in the ways that a bot can."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - passed on to discord.py
        options.setdefault("intents", discord.Intents.default())
        options.setdefault("guild_ready_timeout", 0.05)
        super().__init__("!", help_command=None, **options)
        self.settled = asyncio.Event()
        self.heard: list[str] = []
        self.seen: list[discord.Interaction[Any]] = []
        add_commands(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_ready(self) -> None:
        self.settled.set()

    async def on_socket_event_type(self, name: str) -> None:
        self.heard.append(name)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.seen.append(interaction)
        if interaction.type is discord.InteractionType.component:
            await answer_control(interaction)
        elif interaction.type is discord.InteractionType.modal_submit:
            await answer_modal(interaction)


async def answer_control(interaction: discord.Interaction[Any]) -> None:
    data: Any = interaction.data
    match data["custom_id"]:
        case "draw":
            view = TableView("next.png")
            await interaction.response.edit_message(view=view, attachments=[picture("next.png")])
        case "discard":
            await interaction.response.send_message(f"chose {data['values']}", ephemeral=True)
        case "silent":
            await interaction.response.defer()
            await interaction.edit_original_response(content="edited after a silent defer")
        case "form":
            await interaction.response.send_modal(Form())


async def answer_modal(interaction: discord.Interaction[Any]) -> None:
    text = json.dumps(interaction.data, ensure_ascii=False)
    await interaction.response.send_message(text[:1900], ephemeral=True)


class Form(ui.Modal, title="Knock"):
    def __init__(self) -> None:
        super().__init__(custom_id="knock")
        self.add_item(ui.Label(text="Melds", component=ui.TextInput(custom_id="melds")))
        opponent: ui.UserSelect[Any] = ui.UserSelect(custom_id="who", required=False)
        self.add_item(ui.Label(text="Opponent", component=opponent))


def add_commands(bot: Bot) -> None:
    tree = bot.tree
    group = app_commands.Group(name="gin", description="Gin Rummy")

    @group.command(description="Challenge somebody")
    async def challenge(interaction: discord.Interaction[Any], opponent: discord.User) -> None:
        await interaction.response.send_message(
            f"<@{opponent.id}> is challenged",
            allowed_mentions=discord.AllowedMentions(users=[opponent]),
        )

    @group.command(description="Look at your hand")
    async def hand(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(view=TableView(), file=picture(), ephemeral=True)

    @group.command(description="Show the table")
    async def table(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(view=TableView(), file=picture())

    @group.command(description="Think, then answer")
    async def think(interaction: discord.Interaction[Any], private: bool = False) -> None:
        await interaction.response.defer(thinking=True, ephemeral=private)
        await interaction.followup.send("<@1> thought")
        await interaction.followup.send("and more", ephemeral=True)

    @group.command(description="Discard a card")
    async def discard(interaction: discord.Interaction[Any], card: str) -> None:
        await interaction.response.send_message(card)

    @discard.autocomplete("card")
    async def cards(_: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        known = ("7H", "8H", "9C")
        return [app_commands.Choice(name=c, value=c) for c in known if typed.upper() in c]

    @group.command(description="Open a form")
    async def knock(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Form())

    @group.command(description="Say nothing")
    async def silent(interaction: discord.Interaction[Any]) -> None:
        bot.heard.append("silent")

    tree.add_command(group)


@asynccontextmanager
async def running(playground: Playground, bot: Bot) -> AsyncIterator[Bot]:
    """Point discord.py at the playground, log the bot in, and close it in the end."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = playground.api_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(playground.gateway_url)
    task = asyncio.create_task(bot.start(playground.world.token))
    try:
        ready = asyncio.create_task(bot.settled.wait())
        await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=15)
        ready.cancel()
        if task.done():
            await task
        yield bot
    finally:
        await bot.close()
        await asyncio.wait({task}, timeout=5)
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any  # whatever JSON came back
    headers: dict[str, str]

    @property
    def code(self) -> int:
        return int(self.body["code"])


class Http:
    """Sends requests as a bot would, also wrong ones."""

    def __init__(self, playground: Playground, session: aiohttp.ClientSession) -> None:
        self._playground = playground
        self._session = session

    async def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        files: dict[str, tuple[str, bytes]] | None = None,
        token: str | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        token = self._playground.world.token if token is None else token
        headers = {"Authorization": f"Bot {token}"}
        data: Any = raw
        if files is not None:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body))
            for part, (name, content) in files.items():
                data.add_field(part, content, filename=name, content_type="image/png")
        elif body is not None:
            data = json.dumps(body)
            headers["Content-Type"] = "application/json"
        async with self._session.request(
            method, self._playground.api_url + path, data=data, headers=headers
        ) as response:
            text = await response.text()
            is_json = response.headers.get("Content-Type") == "application/json"
            return Answer(
                response.status,
                json.loads(text) if is_json else text,
                dict(response.headers),
            )
