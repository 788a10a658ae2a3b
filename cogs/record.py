"""Reading: ``status``, ``sheet``, ``leaderboard``, ``verify``."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import fairness, record
from bot.front.command import run
from cogs.options import Word, any_matches

Interaction = discord.Interaction[Ginhouse]
WHICH = "Which match, if there are several"


@app_commands.command(name="status", description="How your matches and this table stand")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=any_matches)
async def status(interaction: Interaction, match: Word | None = None) -> None:
    """Show how matches stand."""
    await run(interaction, lambda house, visit: record.status(house, visit, match))


@app_commands.command(name="sheet", description="The score sheet of a match")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=any_matches)
async def sheet(interaction: Interaction, match: Word | None = None) -> None:
    """Show the score sheet."""
    await run(interaction, lambda house, visit: record.sheet_named(house, visit, match))


@app_commands.command(name="leaderboard", description="This server's table of finished matches")
async def leaderboard(interaction: Interaction) -> None:
    """Show the league table."""
    await run(interaction, record.leaderboard)


@app_commands.command(name="verify", description="Check that a match's cards were shuffled fairly")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=any_matches)
async def verify(interaction: Interaction, match: Word | None = None) -> None:
    """Show the proof of a match's shuffles."""
    await run(interaction, lambda house, visit: fairness.verify(house, visit, match))


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(status)
    bot.gin.add_command(sheet)
    bot.gin.add_command(leaderboard)
    bot.gin.add_command(verify)
