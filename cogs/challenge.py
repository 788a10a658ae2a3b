"""Challenging: ``challenge``, ``respond``, ``rematch``."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.command import run
from bot.desk import invite
from cogs.options import past_matches

Answer = Literal["accept", "decline", "withdraw"]


@app_commands.command(name="challenge", description="Challenge somebody to a match")
@app_commands.describe(
    opponent="Who you want to play", target="Points that end the game (50 to 1000, usually 100)"
)
async def challenge(
    interaction: discord.Interaction[Ginhouse],
    opponent: discord.Member | discord.User,
    target: app_commands.Range[int, 50, 1000] = 100,
) -> None:
    """Challenge a person in this channel."""
    await run(
        interaction,
        lambda house, visit: invite.challenge(house, visit, invite.invited(opponent), target),
    )


@app_commands.command(name="respond", description="Answer a challenge, or take yours back")
@app_commands.describe(answer="What you say to it")
async def respond(interaction: discord.Interaction[Ginhouse], answer: Answer) -> None:
    """Accept, decline or withdraw the open challenge."""
    await run(interaction, lambda house, visit: invite.respond(house, visit, answer))


@app_commands.command(name="rematch", description="Play the same people again, by the same rules")
@app_commands.describe(match="Which match; usually your last one")
@app_commands.autocomplete(match=past_matches)
async def rematch(interaction: discord.Interaction[Ginhouse], match: str | None = None) -> None:
    """Ask for a rematch, or accept the one that was asked for."""
    await run(interaction, lambda house, visit: invite.rematch(house, visit, match))


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(challenge)
    bot.gin.add_command(respond)
    bot.gin.add_command(rematch)
