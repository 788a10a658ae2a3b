"""For those who manage the server: ``/gin-admin`` with its house rules."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import setting_rules
from bot.front.command import run
from cogs.options import Word, house_options, house_sets, house_values

Interaction = discord.Interaction[Ginhouse]

admin = app_commands.Group(
    name="gin-admin",
    description="Run the card room of this server",
    guild_only=True,
    default_permissions=discord.Permissions(manage_guild=True),
)
WHICH_SET = "Which house rules; usually those called house"


@admin.command(name="house-show", description="This server's house rules")
@app_commands.describe(name="One set, option by option")
@app_commands.autocomplete(name=house_sets)
async def house_show(interaction: Interaction, name: Word | None = None) -> None:
    """Show all sets, or one."""
    await run(interaction, lambda house, visit: setting_rules.show(house, visit, name))


@admin.command(name="house-set", description="Change one option of the house rules")
@app_commands.describe(option="What to change", value="What it shall be", name=WHICH_SET)
@app_commands.autocomplete(option=house_options, value=house_values, name=house_sets)
async def house_set(
    interaction: Interaction, option: Word, value: Word, name: Word | None = None
) -> None:
    """Change an option of a set, making the set if need be."""
    await run(
        interaction,
        lambda house, visit: setting_rules.set_option(house, visit, option, value, name),
    )


@admin.command(name="house-reset", description="Put an option, or all of a set, back to plain")
@app_commands.describe(option="Which option; all if left out", name=WHICH_SET)
@app_commands.autocomplete(option=house_options, name=house_sets)
async def house_reset(
    interaction: Interaction, option: Word | None = None, name: Word | None = None
) -> None:
    """Reset one option, or forget a whole set."""
    await run(interaction, lambda house, visit: setting_rules.reset(house, visit, option, name))


@admin.command(name="house-save", description="Save house rules under another name")
@app_commands.describe(name="The new name", copy_of=WHICH_SET)
@app_commands.rename(copy_of="copy-of")
@app_commands.autocomplete(copy_of=house_sets)
async def house_save(interaction: Interaction, name: Word, copy_of: Word | None = None) -> None:
    """Copy a set."""
    await run(interaction, lambda house, visit: setting_rules.save_as(house, visit, name, copy_of))


@admin.command(name="house-default", description="Choose the rules of a challenge without a choice")
@app_commands.describe(name="The set, or plain for the game without house rules")
@app_commands.autocomplete(name=house_sets)
async def house_default(interaction: Interaction, name: Word) -> None:
    """Choose the default set."""
    await run(interaction, lambda house, visit: setting_rules.choose_default(house, visit, name))


async def setup(bot: Ginhouse) -> None:
    """Add the group."""
    bot.tree.add_command(admin)
