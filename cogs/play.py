"""Playing: the commands from ``hand`` and ``draw`` to ``resign`` and ``cancel``."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import typed_play
from bot.front.command import run
from cogs.options import (
    Cards,
    Word,
    cards_to_discard,
    cards_to_knock_with,
    cards_to_lay_off,
    melds_to_knock_with,
    my_matches,
)

Interaction = discord.Interaction[Ginhouse]
WHICH = "Which match, if you play several"


@app_commands.command(name="hand", description="See your cards, only you")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=my_matches)
async def hand(interaction: Interaction, match: Word | None = None) -> None:
    """Show one's own hand privately."""
    await run(interaction, lambda house, visit: typed_play.hand(house, visit, match))


@app_commands.command(name="draw", description="Draw a card from the stock or the discard pile")
@app_commands.describe(pile="Where from", match=WHICH)
@app_commands.autocomplete(match=my_matches)
async def draw(
    interaction: Interaction, pile: Literal["stock", "discard"], match: Word | None = None
) -> None:
    """Draw a card."""
    await run(interaction, lambda house, visit: typed_play.draw(house, visit, pile, match))


@app_commands.command(name="pass", description="Refuse the up-card")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=my_matches)
async def refuse(interaction: Interaction, match: Word | None = None) -> None:
    """Refuse the up-card."""
    await run(interaction, lambda house, visit: typed_play.refuse(house, visit, match))


@app_commands.command(name="discard", description="Lay a card on the discard pile")
@app_commands.describe(card="The card, such as 7h, 10d or queen of spades", match=WHICH)
@app_commands.autocomplete(card=cards_to_discard, match=my_matches)
async def discard(interaction: Interaction, card: Cards, match: Word | None = None) -> None:
    """Discard a card."""
    await run(interaction, lambda house, visit: typed_play.discard(house, visit, card, match))


@app_commands.command(name="knock", description="Knock, or go gin: this ends the hand")
@app_commands.describe(
    discard="The card you lay face down",
    melds="Your melds, such as 7h 8h 9h / kc kd ks; the best if left out",
    match=WHICH,
)
@app_commands.autocomplete(discard=cards_to_knock_with, melds=melds_to_knock_with, match=my_matches)
async def knock(
    interaction: Interaction, discard: Cards, melds: Cards | None = None, match: Word | None = None
) -> None:
    """Knock. The typed command is its own confirmation."""
    await run(
        interaction, lambda house, visit: typed_play.knock(house, visit, discard, melds, match)
    )


@app_commands.command(name="layoff", description="After a knock: lay off cards and show your melds")
@app_commands.describe(
    cards="Cards to lay off, in order, or none; the best if left out",
    melds="Your own melds; the best if left out",
    match=WHICH,
)
@app_commands.autocomplete(cards=cards_to_lay_off, match=my_matches)
async def layoff(
    interaction: Interaction,
    cards: Cards | None = None,
    melds: Cards | None = None,
    match: Word | None = None,
) -> None:
    """Lay off."""
    await run(
        interaction, lambda house, visit: typed_play.layoff(house, visit, cards, melds, match)
    )


@app_commands.command(name="resign", description="Give a match up")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=my_matches)
async def resign(interaction: Interaction, match: Word | None = None) -> None:
    """Resign: asks first; typed again, it is done."""
    await run(interaction, lambda house, visit: typed_play.resign(house, visit, match))


@app_commands.command(name="cancel", description="Call a match off together, or close an idle one")
@app_commands.describe(match=WHICH)
@app_commands.autocomplete(match=my_matches)
async def cancel(interaction: Interaction, match: Word | None = None) -> None:
    """Propose to cancel, or agree to it."""
    await run(interaction, lambda house, visit: typed_play.cancel(house, visit, match))


async def setup(bot: Ginhouse) -> None:
    """Add the commands to ``/gin``."""
    bot.gin.add_command(hand)
    bot.gin.add_command(draw)
    bot.gin.add_command(refuse)
    bot.gin.add_command(discard)
    bot.gin.add_command(knock)
    bot.gin.add_command(layoff)
    bot.gin.add_command(resign)
    bot.gin.add_command(cancel)
