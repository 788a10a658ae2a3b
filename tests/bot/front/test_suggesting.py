"""What is offered while somebody types: in his language, from what he has filled in so far."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import NonCallableMagicMock

import discord

from bot.front import suggesting
from bot.front.pace import Pace
from bot.front.rush import Rush
from bot.front.suggesting import Pairs
from bot.front.visit import Visit
from bot.house import House
from bot.ui import language


def typing(locale: str, **filled: str) -> NonCallableMagicMock:
    interaction = NonCallableMagicMock(spec=discord.Interaction)
    interaction.locale = locale
    interaction.message = None
    interaction.namespace = SimpleNamespace(**filled)
    interaction.client = SimpleNamespace(house=SimpleNamespace(rush=Rush(), typing=Pace()))
    for name in ("id", "guild_id", "channel_id"):
        setattr(interaction, name, 5)
    interaction.user.id = 7
    return interaction


async def test_nothing_is_offered_in_a_rush_nor_to_who_asks_too_often() -> None:
    async def desk(_house: House, _visit: Visit) -> Pairs:
        return [("Seven", "7h")]

    often = typing("en")
    often.client.house.typing = Pace(1).of_keys()
    said = [await suggesting.suggested(often, desk) for _ in range(7)]
    assert said == [[("Seven", "7h")]] * 5 + [[]] * 2
    busy = typing("en")
    busy.client.house.rush = Rush(most=0)
    assert await suggesting.suggested(busy, desk) == []


async def test_suggestions_are_made_in_the_language_of_who_types() -> None:
    spoken = []

    async def desk(_house: House, visit: Visit) -> Pairs:
        spoken.append((visit.locale, language._catalogue()))
        return [("Seven", "7h")]

    def said() -> Pairs:
        spoken.append(("said", language._catalogue()))
        return []

    assert await suggesting.suggested(typing("de"), desk) == [("Seven", "7h")]
    assert suggesting.said(typing("fr"), said) == []
    assert spoken == [("de", language.catalogue("de")), ("said", language.catalogue("fr"))]
    assert language._catalogue() is language.catalogue(language.DEFAULT)


def test_what_another_option_holds_is_read_and_an_empty_one_is_nothing() -> None:
    interaction = typing("en", match="17", discard="")
    assert suggesting.filled(interaction, "match") == "17"
    assert suggesting.filled(interaction, "discard") is None
    assert suggesting.filled(interaction, "melds") is None
