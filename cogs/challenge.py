"""Challenging: ``challenge``, ``respond``, ``rematch``."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import invite
from bot.desk.house_rules import Wanted
from bot.front.command import run
from bot.front.visit import Invited
from cogs.options import Word, clocks, house_sets, my_matches, past_matches

Answer = Literal["accept", "decline", "withdraw", "look", "take-back"]


@app_commands.command(name="challenge", description="Challenge somebody to a match")
@app_commands.describe(
    opponent="Who you want to play",
    third="A third player: you play in rotation",
    variant="Which game; standard if left out",
    scoring="One game, or Hollywood's three at once",
    target="Points that end the game (50 to 1000, usually 100)",
    house="House rules of this server",
    clock="A turn's time, and what happens then: 2m, 1d forfeit, none",
)
@app_commands.autocomplete(house=house_sets, clock=clocks)
async def challenge(
    interaction: discord.Interaction[Ginhouse],
    opponent: discord.Member | discord.User,
    third: discord.Member | discord.User | None = None,
    variant: Literal["standard", "oklahoma", "straight"] | None = None,
    scoring: Literal["game", "hollywood"] | None = None,
    target: app_commands.Range[int, 50, 1000] | None = None,
    house: Word | None = None,
    clock: Word | None = None,
) -> None:
    """Challenge one person, or two, in this channel."""
    invited = tuple(Invited.of(one) for one in (opponent, third) if one is not None)
    wanted = Wanted(variant, scoring, target, house, clock)
    await run(interaction, lambda room, visit: invite.challenge(room, visit, invited, wanted))


@app_commands.command(name="respond", description="Answer a challenge, or an illegal knock")
@app_commands.describe(answer="What you say to it", match="Which match, if you play several")
@app_commands.autocomplete(match=my_matches)
async def respond(
    interaction: discord.Interaction[Ginhouse], answer: Answer, match: Word | None = None
) -> None:
    """Accept, decline or withdraw the open challenge; look at an illegal knock or take it back."""
    await run(interaction, lambda house, visit: invite.respond(house, visit, answer, match))


@app_commands.command(name="rematch", description="Play the same people again, by the same rules")
@app_commands.describe(match="Which match; usually your last one")
@app_commands.autocomplete(match=past_matches)
async def rematch(interaction: discord.Interaction[Ginhouse], match: Word | None = None) -> None:
    """Ask for a rematch, or accept the one that was asked for."""
    await run(interaction, lambda house, visit: invite.rematch(house, visit, match))


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(challenge)
    bot.gin.add_command(respond)
    bot.gin.add_command(rematch)
