"""A visit: who came to the desk with one interaction, where, what they pressed, whom they named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Self

import discord

from db.ids import ChannelId, InteractionId, MessageId, PersonId, ServerId


@dataclass(frozen=True, slots=True)
class Visit:
    """The facts of one interaction that the desk works with; no Discord object leaves here."""

    person: PersonId
    name: str
    interaction: InteractionId
    server: ServerId | None
    """None in direct messages."""
    server_name: str
    channel: ChannelId
    rights: discord.Permissions
    """What the bot may do in this channel, as Discord says in the interaction."""
    message: MessageId | None
    """The message whose control was pressed."""
    on_private_panel: bool
    """Whether that message is this person's own: a direct message or an ephemeral one."""
    in_direct_messages: bool
    in_thread: bool
    is_ephemeral: bool
    locale: str
    pressed: str = ""
    """The control's id and what was chosen with it; nothing for a command or a form."""
    parent: ChannelId | None = None
    """The channel to which this thread belongs."""
    channel_name: Callable[[ChannelId], str | None] = field(
        default=lambda _channel: None, compare=False, repr=False
    )
    """The name of a channel of this server; None where the person doesn't see it."""

    @classmethod
    def of(cls, interaction: discord.Interaction[discord.Client]) -> Self:
        """Read the facts from an interaction."""
        message = interaction.message
        direct = interaction.guild_id is None
        ephemeral = message is not None and message.flags.ephemeral
        return cls(
            person=PersonId(interaction.user.id),
            name=global_name(interaction.user),
            interaction=InteractionId(interaction.id),
            server=None if interaction.guild_id is None else ServerId(interaction.guild_id),
            server_name=interaction.guild.name if interaction.guild is not None else "",
            channel=ChannelId(interaction.channel_id or 0),
            rights=interaction.app_permissions,
            message=None if message is None else MessageId(message.id),
            on_private_panel=message is not None and (direct or ephemeral),
            in_direct_messages=direct,
            in_thread=isinstance(interaction.channel, discord.Thread),
            is_ephemeral=ephemeral,
            locale=str(interaction.locale),
            pressed=_pressed(interaction),
            parent=_parent(interaction.channel),
            channel_name=partial(_name_seen, interaction),
        )


@dataclass(frozen=True, slots=True)
class Invited:
    """A person picked in a command, as Discord described him in the interaction."""

    id: PersonId
    name: str
    is_bot: bool
    sees_channel: bool | None
    """None where Discord said nothing about it."""

    @classmethod
    def of(cls, member: discord.Member | discord.User) -> Self:
        """Read the facts from what an interaction says of the person."""
        sees = None
        if isinstance(member, discord.Member) and member.resolved_permissions is not None:
            sees = member.resolved_permissions.view_channel
        return cls(PersonId(member.id), global_name(member), member.bot, sees)


def global_name(user: discord.User | discord.Member) -> str:
    """The name that a person goes by everywhere: a server's nickname is that server's own."""
    return user.global_name or user.name


def _name_seen(interaction: discord.Interaction[discord.Client], channel: ChannelId) -> str | None:
    guild, who = interaction.guild, interaction.user
    place = None if guild is None else guild.get_channel_or_thread(channel)
    if place is None or not isinstance(who, discord.Member):
        return None
    if channel == interaction.channel_id:
        return place.name
    if isinstance(place, discord.Thread) and place.is_private():
        return None  # who is in it isn't known here
    return place.name if place.permissions_for(who).view_channel else None


def _pressed(interaction: discord.Interaction[discord.Client]) -> str:
    if interaction.type is not discord.InteractionType.component:
        return ""
    data: Mapping[str, object] = dict(interaction.data or {})
    return f"{data.get('custom_id')} {data.get('values')}"


def _parent(channel: object) -> ChannelId | None:
    return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None
