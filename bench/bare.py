"""A bare discord.py bot that answers "ok" to /ok: what any answer costs at the least.

BENCH_SAMPLES=samples.json DISCORD_TOKEN=… DISCORD_API_URL=… DISCORD_GATEWAY_URL=… \
python -m bench.bare
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import discord
from discord import app_commands
from yarl import URL

from bench.sampling import UNWATCHED, Samples


class Bare(discord.Client):
    """Knows one word."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Register the one command."""
        await self.tree.sync()


async def run(samples: Samples) -> None:
    """Stay connected until SIGTERM."""
    bot = Bare()

    @bot.tree.command(name="ok", description="Say ok")
    async def ok(interaction: discord.Interaction[Bare]) -> None:
        await interaction.response.send_message("ok")

    running = asyncio.create_task(bot.start(os.environ["DISCORD_TOKEN"]))
    watching = asyncio.create_task(samples.watch())
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    watching.cancel()
    await bot.close()
    await running


def main() -> None:
    """Run the bot."""
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(os.environ["DISCORD_GATEWAY_URL"])
    samples = Samples()
    if UNWATCHED not in os.environ:
        samples.watch_collections()
    asyncio.run(run(samples))
    samples.write(Path(os.environ["BENCH_SAMPLES"]))


if __name__ == "__main__":
    main()
