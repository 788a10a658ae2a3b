"""The fields of modals."""

from __future__ import annotations

import discord

from bot.ui import limits
from bot.ui.limits import clip
from bot.ui.page import Form


def field(
    name: str, label: str, about: str, value: str, most: int, *, required: bool = True
) -> discord.ui.Label[Form]:
    """A line to type in; ``name`` is its custom id, ``most`` its longest text."""
    text: discord.ui.TextInput[Form] = discord.ui.TextInput(
        custom_id=name, default=clip(value, most) or None, max_length=most, required=required
    )
    return discord.ui.Label(
        text=clip(label, limits.INPUT_LABEL),
        description=clip(about, limits.INPUT_DESCRIPTION),
        component=text,
    )
