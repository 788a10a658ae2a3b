"""Who may do what: permission bits, and how roles and overwrites add up in a channel."""

from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.state.model import Channel, Guild, Member


class Permission(IntFlag):
    """Discord's permission bits, as far as a bot meets them."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    MANAGE_GUILD_EXPRESSIONS = 1 << 30
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    USE_EXTERNAL_STICKERS = 1 << 37
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    PIN_MESSAGES = 1 << 51


NOTHING = Permission(0)
EVERYTHING = Permission(sum(permission.value for permission in Permission))

# What @everyone has in a new server.
EVERYONE_BY_DEFAULT = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.USE_EXTERNAL_STICKERS
    | Permission.SEND_MESSAGES_IN_THREADS
)

# What both sides of a direct message have.
IN_DIRECT_MESSAGES = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_EXTERNAL_STICKERS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.PIN_MESSAGES
)

# The same as plain numbers: they are asked for with every event, and flags are slow.
_VIEW = Permission.VIEW_CHANNEL.value
_ADMINISTRATOR = Permission.ADMINISTRATOR.value
_ALL = EVERYTHING.value
# What goes with the right to write: without it these are worth nothing.
_NEEDS_SENDING = (
    Permission.EMBED_LINKS | Permission.ATTACH_FILES | Permission.MENTION_EVERYONE
).value


def in_guild(guild: "Guild", member: "Member") -> Permission:
    """Add up a member's roles; owners and administrators have everything."""
    return Permission(_guild_bits(guild, member))


def in_channel(channel: "Channel", member: "Member") -> Permission:
    """Work out what a member may do in a server's channel or thread.

    Overwrites apply in Discord's order (everyone, roles together, member); a thread takes its
    parent's; who can't see a channel can do nothing there.
    """
    return Permission(_channel_bits(channel, member))


def can_view(channel: "Channel", member: "Member") -> bool:
    """Tell whether a member sees a server's channel or thread."""
    return bool(_channel_bits(channel, member) & _VIEW)


def _guild_bits(guild: "Guild", member: "Member") -> int:
    if member.user.id == guild.owner_id:
        return _ALL
    total = guild.roles[guild.id].permissions.value
    for role_id in member.roles:
        role = guild.roles.get(role_id)
        if role is not None:
            total |= role.permissions.value
    return _ALL if total & _ADMINISTRATOR else total


def _channel_bits(channel: "Channel", member: "Member") -> int:
    guild = channel.guild
    if guild is None:
        return IN_DIRECT_MESSAGES.value
    total = _guild_bits(guild, member)
    if total & _ADMINISTRATOR:
        return total
    place = channel.parent if channel.is_thread and channel.parent is not None else channel
    if place.overwrites:
        total = _overwritten(place, member, guild.id, total)
    if not total & _VIEW:
        return 0
    writes = Permission.SEND_MESSAGES
    if channel.is_thread:
        writes = Permission.SEND_MESSAGES_IN_THREADS
        moderator = total & Permission.MANAGE_THREADS.value
        inside = moderator or member.user.id in channel.thread_members
        if channel.is_private_thread and not inside:
            return 0
    return total if total & writes.value else total & ~_NEEDS_SENDING


def _overwritten(place: "Channel", member: "Member", everyone_id: int, total: int) -> int:
    everyone = place.overwrites.get(everyone_id)
    if everyone is not None:
        total = total & ~everyone.deny.value | everyone.allow.value
    deny = allow = 0
    for role_id in member.roles:
        overwrite = place.overwrites.get(role_id)
        if overwrite is not None:
            deny |= overwrite.deny.value
            allow |= overwrite.allow.value
    total = total & ~deny | allow
    own = place.overwrites.get(member.user.id)
    if own is not None:
        total = total & ~own.deny.value | own.allow.value
    return total
