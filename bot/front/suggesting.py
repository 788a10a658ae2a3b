"""Answering autocompletion: one call from a cog into the desk, in the language of who types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bot.front.visit import Visit
from bot.house import House
from bot.ui.language import speaking

if TYPE_CHECKING:
    import discord

    from bot.client import Ginhouse

Pairs = list[tuple[str, str]]
"""What is offered: the words to read, and the value to send."""


async def suggested(
    interaction: discord.Interaction[Ginhouse],
    desk: Callable[[House, Visit], Awaitable[Pairs]],
) -> Pairs:
    """What the desk offers to somebody who is typing; nothing in a rush, or to who asks a lot."""
    visit, house = Visit.of(interaction), interaction.client.house
    if house.rush.is_on or not house.typing.allows(visit.person):
        return []
    with speaking(visit.locale):
        return await desk(house, visit)


def said(interaction: discord.Interaction[Ginhouse], make: Callable[[], Pairs]) -> Pairs:
    """The same where nothing has to be looked up."""
    with speaking(str(interaction.locale)):
        return make()


def filled(interaction: discord.Interaction[Ginhouse], option: str) -> str | None:
    """What another option of the command holds so far; None where it is empty."""
    value = getattr(interaction.namespace, option, None)
    return str(value) if value else None
