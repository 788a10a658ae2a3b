"""Explaining: ``help``, ``rules``."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import record
from bot.front.command import run
from cogs.options import Word, any_matches, help_topics, rules_topics


@app_commands.command(name="help", description="How to play here")
@app_commands.describe(topic="What you want to know about")
@app_commands.autocomplete(topic=help_topics)
async def explain(interaction: discord.Interaction[Ginhouse], topic: Word | None = None) -> None:
    """Show help on a topic."""
    await run(interaction, lambda _house, _visit: record.explain(topic))


@app_commands.command(name="rules", description="The rules that are played here")
@app_commands.describe(
    topic="What you want to know about", match="The rules of a match; else this server's"
)
@app_commands.autocomplete(topic=rules_topics, match=any_matches)
async def rules(
    interaction: discord.Interaction[Ginhouse], topic: Word | None = None, match: Word | None = None
) -> None:
    """Show the rules in force."""
    await run(interaction, lambda house, visit: record.rules(house, visit, topic, match))


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(explain)
    bot.gin.add_command(rules)
