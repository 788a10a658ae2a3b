"""Interactions for the tests of answers, whose requests end in the hands of mocks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any
from unittest.mock import AsyncMock, NonCallableMagicMock

import discord

from bot.front.reply import Panel, Reply
from bot.front.visit import Visit
from bot.house import House
from bot.ui.pages import note_page
from db.ids import MatchId
from gin import Seat
from tests.bot.mail.test_post import refusal

MATCH = MatchId(7)
HAND = note_page("Your hand")
PANEL = Panel(MATCH, Seat.A, 4)
NUMBERS = count(1)


class Pressed:
    """One interaction whose requests end in the hands of mocks."""

    def __init__(
        self, *, on_message: bool = True, direct: bool = False, ephemeral: bool = False
    ) -> None:
        self.it = NonCallableMagicMock(spec=discord.Interaction)
        self.it.id = next(NUMBERS)
        self.it.user = NonCallableMagicMock(spec=discord.User, id=1, display_name="Ada")
        self.it.guild_id = None if direct else 5
        self.it.guild = None
        self.it.channel_id = 6
        self.it.locale = discord.Locale.american_english
        self.it.app_permissions = discord.Permissions.all()
        self.it.message = None
        if on_message:
            self.it.message = NonCallableMagicMock(spec=discord.Message, id=8)
            self.it.message.flags = discord.MessageFlags(ephemeral=ephemeral)
        self.response = self.it.response = NonCallableMagicMock(spec=discord.InteractionResponse)
        for answer in (self.response.send_message, self.response.edit_message):
            answer.return_value = NonCallableMagicMock(
                spec=discord.InteractionCallbackResponse, message_id=9
            )
        self.original: AsyncMock = self.it.original_response
        self.original.side_effect = refusal(404, 10015)
        self.edit_original: AsyncMock = self.it.edit_original_response
        self.edit_original.return_value = NonCallableMagicMock(spec=discord.Message, id=8)
        self.it.followup = NonCallableMagicMock(spec=discord.Webhook)
        self.follow_up: AsyncMock = self.it.followup.send
        self.follow_up.return_value = NonCallableMagicMock(spec=discord.Message, id=10)

    @property
    def asked(self) -> list[str]:
        """What was asked of Discord, by name."""
        every: dict[str, AsyncMock] = {
            "defer": self.response.defer,
            "send": self.response.send_message,
            "edit": self.response.edit_message,
            "modal": self.response.send_modal,
            "edit original": self.edit_original,
            "follow up": self.follow_up,
        }
        return [name for name, mock in every.items() for _ in mock.await_args_list]


def said(mock: AsyncMock) -> str:
    """What the page of the newest call says."""
    return str(mock.await_args_list[-1].kwargs["view"].to_components())


def giving(reply: Reply) -> Callable[[Visit], Awaitable[Reply]]:
    """Work that is ready at once."""

    async def work(_visit: Visit) -> Reply:
        return reply

    return work


def slowly(reply: Reply) -> Callable[[Visit], Awaitable[Reply]]:
    """Work that takes longer than an impatient house waits."""

    async def work(_visit: Visit) -> Reply:
        for _ in range(20):
            await asyncio.sleep(0)
        return reply

    return work


def changed(house: House) -> list[MatchId]:
    showing: Any = house.showing  # a mock, typed as what it stands for
    return [call.args[0] for call in showing.changed.call_args_list]
