"""One's own: ``settings``, ``privacy``."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import own
from bot.front.command import run


@app_commands.command(name="settings", description="Calls, colours, and whom you play with")
async def settings(interaction: discord.Interaction[Ginhouse]) -> None:
    """Open one's own settings."""
    await run(interaction, own.settings)


@app_commands.command(name="privacy", description="What is kept of you: take it along, delete it")
async def privacy(interaction: discord.Interaction[Ginhouse]) -> None:
    """Show what is kept of the person."""
    await run(interaction, own.privacy)


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(settings)
    bot.gin.add_command(privacy)
