"""What several commands share: how long what is typed may be, and autocomplete."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.client import Ginhouse
from bot.desk import rescue, suggest
from bot.front.suggesting import Pairs, filled, said, suggested
from bot.front.visit import Visit
from bot.house import House
from bot.ui import limits, typed
from bot.ui.clocks import clock_choices
from bot.ui.pages import help_choices, rules_choices

Interaction = discord.Interaction[Ginhouse]
Word = app_commands.Range[str, None, limits.CHOICE_NAME]
"""A number, a name, a topic: no longer than what is suggested for it can be."""
Cards = app_commands.Range[str, None, typed.LONGEST]
"""Cards and melds as people type them."""
Reason = app_commands.Range[str, None, rescue.LONGEST_REASON]
"""Why a moderator did something: what is longer isn't cut, Discord doesn't take it."""
Choices = list[app_commands.Choice[str]]


def _choices(pairs: Pairs) -> Choices:
    return [app_commands.Choice(name=name, value=value) for name, value in pairs]


async def _offer(
    interaction: Interaction, desk: Callable[[House, Visit], Awaitable[Pairs]]
) -> Choices:
    return _choices(await suggested(interaction, desk))


async def my_matches(interaction: Interaction, current: str) -> Choices:
    """The person's running matches."""
    return await _offer(interaction, lambda house, visit: suggest.running(house, visit, current))


async def any_matches(interaction: Interaction, current: str) -> Choices:
    """The person's running matches and those of this channel."""
    return await _offer(interaction, lambda house, visit: suggest.readable(house, visit, current))


async def past_matches(interaction: Interaction, current: str) -> Choices:
    """The person's matches that have ended."""
    return await _offer(interaction, lambda house, visit: suggest.ended(house, visit, current))


async def matches_here(interaction: Interaction, current: str) -> Choices:
    """All matches of this server, for those who manage it."""
    return await _offer(interaction, lambda house, visit: suggest.on_server(house, visit, current))


async def running_here(interaction: Interaction, current: str) -> Choices:
    """Running matches of this server, for those who manage it."""
    return await _offer(
        interaction, lambda house, visit: suggest.on_server(house, visit, current, "running")
    )


async def ended_here(interaction: Interaction, current: str) -> Choices:
    """Finished matches of this server, for those who manage it."""
    return await _offer(
        interaction, lambda house, visit: suggest.on_server(house, visit, current, "finished")
    )


async def cards_to_discard(interaction: Interaction, current: str) -> Choices:
    """Cards of one's own hand that may be discarded."""
    match = filled(interaction, "match")
    return await _offer(
        interaction,
        lambda house, visit: suggest.discards(house, visit, current, match, knocking=False),
    )


async def cards_to_knock_with(interaction: Interaction, current: str) -> Choices:
    """Cards of one's own hand that leave a legal knock."""
    match = filled(interaction, "match")
    return await _offer(
        interaction,
        lambda house, visit: suggest.discards(house, visit, current, match, knocking=True),
    )


async def melds_to_knock_with(interaction: Interaction, current: str) -> Choices:
    """Arrangements within the limit after the chosen discard."""
    match, discard = filled(interaction, "match"), filled(interaction, "discard") or ""
    return await _offer(
        interaction,
        lambda house, visit: suggest.knock_melds(house, visit, current, match, discard),
    )


async def cards_to_lay_off(interaction: Interaction, current: str) -> Choices:
    """Lay-offs that fit, best first."""
    match = filled(interaction, "match")
    return await _offer(
        interaction, lambda house, visit: suggest.layoffs(house, visit, current, match)
    )


async def house_sets(interaction: Interaction, current: str) -> Choices:
    """The server's house sets, the plain game among them."""
    return await _offer(interaction, lambda house, visit: suggest.house_sets(house, visit, current))


async def help_topics(interaction: Interaction, current: str) -> Choices:
    """What there is help about."""
    return _choices(said(interaction, lambda: help_choices(current)))


async def house_options(interaction: Interaction, current: str) -> Choices:
    """The options of a house set."""
    return _choices(said(interaction, lambda: suggest.house_options(current)))


async def house_values(interaction: Interaction, current: str) -> Choices:
    """The values of the option chosen so far."""
    option = filled(interaction, "option") or ""
    return _choices(said(interaction, lambda: suggest.house_values(option, current)))


async def clocks(interaction: Interaction, current: str) -> Choices:
    """Clocks to play by, as far as they fit what is typed."""
    return _choices(said(interaction, lambda: clock_choices(current)))


async def rules_topics(interaction: Interaction, current: str) -> Choices:
    """What the rules can be asked about."""
    return _choices(said(interaction, lambda: rules_choices(current)[:25]))
