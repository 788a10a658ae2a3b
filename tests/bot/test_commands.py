"""What Discord is told of our commands' options, so that it takes no text that we would cut."""

from __future__ import annotations

import pytest
from discord import AppCommandOptionType, app_commands

from bot.desk.rescue import LONGEST_REASON
from bot.ui import typed
from cogs import admin, challenge, help, own, play, record, rescue  # noqa: A004 - the cog's name

COGS = (admin, challenge, help, own, play, record, rescue)
TYPED = [
    pytest.param(option, id=f"{command.name} {option.name}")
    for cog in COGS
    for command in vars(cog).values()
    if isinstance(command, app_commands.Command)
    for option in command.parameters
    if option.type is AppCommandOptionType.string and not option.choices
]
READ_AT_MOST = {"reason": LONGEST_REASON, "card": 400, "cards": 400, "melds": 400, "discard": 400}
"""Characters; anything else is a number, a name or a topic, of 100 at most."""


@pytest.mark.parametrize("option", TYPED)
def test_no_option_takes_a_longer_text_than_is_read_of_it(option: app_commands.Parameter) -> None:
    assert option.max_value == READ_AT_MOST.get(option.name, 100)


def test_every_command_was_looked_at() -> None:
    assert len(TYPED) > 25
    assert typed.LONGEST == 400
