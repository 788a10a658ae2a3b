"""What Discord lets a user do, asked before anything is done; every answer no is a refusal."""

from collections.abc import Iterable

from playground.errors import Code, Refused
from playground.state.events import sees
from playground.state.model import WRITABLE, Channel, Guild, User
from playground.state.permissions import IN_DIRECT_MESSAGES, NOTHING, Permission, in_channel


def permissions(user: User, channel: Channel) -> Permission:
    """Tell what a user may do in a channel; nothing when he isn't there at all."""
    if channel.is_dm:
        return IN_DIRECT_MESSAGES if user in channel.recipients else NOTHING
    if channel.guild is None or user.id not in channel.guild.members:
        return NOTHING
    return in_channel(channel, channel.guild.members[user.id])


def require_sight(user: User, channel: Channel) -> None:
    """Refuse (10003, 50001) who doesn't see the channel."""
    if channel.deleted:
        raise Refused.because(Code.UNKNOWN_CHANNEL)
    if not sees(user, channel):
        raise Refused.because(Code.MISSING_ACCESS)


def require(user: User, channel: Channel, needed: Permission) -> None:
    """Refuse who doesn't see the channel or lacks a permission there (50013)."""
    require_sight(user, channel)
    if needed & ~permissions(user, channel):
        raise Refused.because(Code.MISSING_PERMISSIONS)


def may_moderate_threads(user: User, channel: Channel) -> bool:
    """Tell whether a user may lock, unlock and write in locked threads."""
    return bool(permissions(user, channel) & Permission.MANAGE_THREADS)


def require_open_thread(user: User, channel: Channel, *, unarchives: bool) -> None:
    """Refuse work in an archived (50083) or locked (160005) thread.

    A new message brings an archived thread back by itself (`unarchives`), unless it is locked;
    everything else needs an active one.
    """
    if not channel.is_thread:
        return
    moderator = may_moderate_threads(user, channel)
    if channel.archived and (not unarchives or (channel.locked and not moderator)):
        raise Refused.because(Code.THREAD_ARCHIVED)
    if channel.locked and not moderator:
        raise Refused.because(Code.THREAD_LOCKED)


def require_sending(user: User, channel: Channel, *, embeds: bool, files: bool) -> None:
    """Refuse who may not post this kind of message here (50001, 50008, 50013, 50083, 160005)."""
    require_sight(user, channel)
    if channel.type not in WRITABLE:
        raise Refused.because(Code.NOT_A_TEXT_CHANNEL)
    if channel.is_dm:
        return
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    if embeds:
        needed |= Permission.EMBED_LINKS
    if files:
        needed |= Permission.ATTACH_FILES
    require(user, channel, needed)
    require_open_thread(user, channel, unarchives=True)


def require_open_dms(sender: User, channel: Channel, guilds: Iterable[Guild]) -> None:
    """Refuse a bot's direct message to one who takes none (50007) or shares no server (50278)."""
    for other in channel.recipients:
        if other is sender:
            continue
        if other.dms_closed or other.deleted or other.bot:
            raise Refused.because(Code.CANNOT_MESSAGE_USER)
        if not any(sender.id in guild.members and other.id in guild.members for guild in guilds):
            raise Refused.because(Code.NO_MUTUAL_GUILDS)
