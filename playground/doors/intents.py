"""Which events a bot hears, by the intents that it asked for, and what they hide from it."""

from enum import IntFlag

from playground.state.events import Event
from playground.state.model import Message, User
from playground.wire import dumps


class Intent(IntFlag):
    """The gateway's intents, as far as there are events for them here."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
_ALWAYS = Intent(0)

_BY_NAME = {
    "INTERACTION_CREATE": _ALWAYS,
    "GUILD_CREATE": Intent.GUILDS,
    "GUILD_UPDATE": Intent.GUILDS,
    "GUILD_DELETE": Intent.GUILDS,
    "GUILD_ROLE_CREATE": Intent.GUILDS,
    "GUILD_ROLE_UPDATE": Intent.GUILDS,
    "GUILD_ROLE_DELETE": Intent.GUILDS,
    "CHANNEL_CREATE": Intent.GUILDS,
    "CHANNEL_UPDATE": Intent.GUILDS,
    "CHANNEL_DELETE": Intent.GUILDS,
    "THREAD_CREATE": Intent.GUILDS,
    "THREAD_UPDATE": Intent.GUILDS,
    "THREAD_DELETE": Intent.GUILDS,
    "THREAD_MEMBERS_UPDATE": Intent.GUILDS,
    "GUILD_MEMBER_ADD": Intent.GUILD_MEMBERS,
    "GUILD_MEMBER_REMOVE": Intent.GUILD_MEMBERS,
    "GUILD_MEMBER_UPDATE": Intent.GUILD_MEMBERS,
}
_GUILD_OR_DM = {
    "MESSAGE_CREATE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "MESSAGE_UPDATE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "MESSAGE_DELETE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "CHANNEL_PINS_UPDATE": (Intent.GUILDS, Intent.DIRECT_MESSAGES),
    "TYPING_START": (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING),
    "MESSAGE_REACTION_ADD": (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS),
    "MESSAGE_REACTION_REMOVE": (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS),
}


def intent_of(event: Event) -> Intent | None:
    """Tell the intent that an event needs (0: none); None for what no bot ever hears.

    An ephemeral message counts as a direct message: that is how Discord sends it to the bot.
    """
    pair = _GUILD_OR_DM.get(event.name)
    if pair is not None:
        return pair[0] if event.guild is not None else pair[1]
    return _BY_NAME.get(event.name)


def stripped(event: Event, bot: User) -> str:
    """Write a message event as a bot without the message content intent gets it.

    Its own messages, direct messages and messages that mention it are whole.
    """
    message = event.subject
    if (
        not isinstance(message, Message)
        or message.author is bot
        or message.channel.is_dm
        or bot in message.mentions
        or "content" not in event.data
    ):
        return event.text
    hidden = {"content": "", "embeds": [], "attachments": [], "components": []}
    return dumps({**event.data, **hidden})
