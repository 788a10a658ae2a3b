"""Explaining: ``help``."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.command import run
from bot.desk import record
from cogs.options import help_topics


@app_commands.command(name="help", description="How to play here")
@app_commands.describe(topic="What you want to know about")
@app_commands.autocomplete(topic=help_topics)
async def explain(interaction: discord.Interaction[Ginhouse], topic: str | None = None) -> None:
    """Show help on a topic."""
    await run(interaction, lambda _house, _visit: record.explain(topic))


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(explain)
