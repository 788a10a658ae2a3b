"""Running a slash command: one call from a cog into the desk, answered like everything else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from discord import AppCommandOptionType, app_commands

from bot.desk import asking
from bot.desk.finding import WhichMatch
from bot.front.reply import Reply
from bot.front.serving import serve
from bot.front.visit import Visit
from bot.house import House
from bot.refusals import BadText
from bot.ui.language import _

if TYPE_CHECKING:
    import discord

    from bot.client import Ginhouse

Desk = Callable[[House, Visit], Awaitable[Reply]]

LARGEST_NUMBER: Final = 2**53
"""The largest that Discord takes as a whole number."""


async def run(interaction: discord.Interaction[Ginhouse], desk: Desk) -> None:
    """Answer a command with what the desk says."""
    house = interaction.client.house

    async def work(visit: Visit) -> Reply:
        await house.people.seen(visit)
        if _is_for_moderators(interaction):
            await house.people.joins(visit)
        if not _fits(interaction):
            raise unreadable()
        try:
            return await desk(house, visit)
        except WhichMatch as which:
            return await asking.ask(house, visit, which)

    await serve(house, interaction, work)


def _is_for_moderators(interaction: discord.Interaction[Ginhouse]) -> bool:
    command = interaction.command
    return command is not None and command.qualified_name.startswith("gin-admin")


def unreadable() -> BadText:
    """What is said to a command that isn't the one we registered."""
    return BadText(_("I couldn't read that command. Type it anew; Discord may show an old form."))


def _fits(interaction: discord.Interaction[Ginhouse]) -> bool:
    """Whether every option is of its kind, and within its choices and bounds.

    Discord sees to that, discord.py doesn't; who meets an old form of a command gets a sentence.
    """
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return True
    known = {parameter.display_name: parameter for parameter in command.parameters}
    return all(
        name in known and _is_allowed(known[name], given) for name, given in interaction.namespace
    )


def _is_allowed(parameter: app_commands.Parameter, given: object) -> bool:
    if parameter.choices and given not in [choice.value for choice in parameter.choices]:
        return False
    match parameter.type:
        case AppCommandOptionType.string:
            return isinstance(given, str)
        case AppCommandOptionType.boolean:
            return isinstance(given, bool)
        case AppCommandOptionType.integer:
            if not isinstance(given, int) or isinstance(given, bool):
                return False
            low, high = parameter.min_value, parameter.max_value
            least = -LARGEST_NUMBER if low is None else low
            return least <= given <= (LARGEST_NUMBER if high is None else high)
        case _:
            return True
