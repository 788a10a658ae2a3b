"""Autocomplete shared by several commands: matches, cards, melds."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import suggest
from bot.ui.clocks import clock_choices
from bot.ui.pages import help_choices, rules_choices

Choices = list[app_commands.Choice[str]]


def _choices(pairs: list[tuple[str, str]]) -> Choices:
    return [app_commands.Choice(name=name, value=value) for name, value in pairs]


async def my_matches(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """The person's running matches."""
    return _choices(await suggest.running(interaction, current))


async def any_matches(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """The person's running matches and those of this channel."""
    return _choices(await suggest.readable(interaction, current))


async def past_matches(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """The person's matches that have ended."""
    return _choices(await suggest.ended(interaction, current))


async def matches_here(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """All matches of this server, for those who manage it."""
    return _choices(await suggest.on_server(interaction, current))


async def running_here(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Running matches of this server, for those who manage it."""
    return _choices(await suggest.on_server(interaction, current, "running"))


async def ended_here(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Finished matches of this server, for those who manage it."""
    return _choices(await suggest.on_server(interaction, current, "finished"))


async def cards_to_discard(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Cards of one's own hand that may be discarded."""
    return _choices(await suggest.discards(interaction, current, knocking=False))


async def cards_to_knock_with(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Cards of one's own hand that leave a legal knock."""
    return _choices(await suggest.discards(interaction, current, knocking=True))


async def melds_to_knock_with(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Arrangements within the limit after the chosen discard."""
    return _choices(await suggest.knock_melds(interaction, current))


async def cards_to_lay_off(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Lay-offs that fit, best first."""
    return _choices(await suggest.layoffs(interaction, current))


async def help_topics(_interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """What there is help about."""
    return _choices(help_choices(current))


async def house_sets(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """The server's house sets, the plain game among them."""
    return _choices(await suggest.house_sets(interaction, current))


async def house_options(_interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """The options of a house set."""
    return _choices(suggest.house_options(current))


async def house_values(interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """The values of the option chosen so far."""
    return _choices(suggest.house_values(interaction, current))


async def clocks(_interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """Clocks to play by, as far as they fit what is typed."""
    return _choices(clock_choices(current))


async def rules_topics(_interaction: discord.Interaction[Ginhouse], current: str) -> Choices:
    """What the rules can be asked about."""
    return _choices(rules_choices(current)[:25])
