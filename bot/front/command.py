"""Running a slash command: one call from a cog into the desk, answered like everything else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bot.desk import asking
from bot.desk.finding import WhichMatch
from bot.front.reply import Reply
from bot.front.serving import serve
from bot.front.visit import Visit
from bot.house import House

if TYPE_CHECKING:
    import discord

    from bot.client import Ginhouse

Desk = Callable[[House, Visit], Awaitable[Reply]]


async def run(interaction: discord.Interaction[Ginhouse], desk: Desk) -> None:
    """Answer a command with what the desk says."""
    house = interaction.client.house

    async def work(visit: Visit) -> Reply:
        await house.people.seen(visit)
        try:
            return await desk(house, visit)
        except WhichMatch as which:
            return await asking.ask(house, which)

    await serve(house, interaction, work)
