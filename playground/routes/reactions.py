"""Reactions on messages."""

from playground import shapes
from playground.doors.routing import NOTHING, ROUTES, Call, Reply
from playground.errors import Code, Refused
from playground.state import access
from playground.state.model import Channel, Message
from playground.state.permissions import Permission

REACTIONS = "/channels/{channel_id}/messages/{message_id}/reactions"
MOST_EMOJIS = 20


def _place(call: Call) -> tuple[Channel, Message]:
    channel = call.channel()
    access.require(call.bot, channel, Permission.READ_MESSAGE_HISTORY)
    return channel, call.message(channel)


@ROUTES.on("PUT", REACTIONS + "/{emoji}/@me")
def add_reaction(call: Call) -> Reply:
    """React to a message."""
    channel, message = _place(call)
    emoji = call.params["emoji"]
    access.require_open_thread(call.bot, channel, unarchives=False)
    if emoji.isascii() and ":" not in emoji:
        raise Refused.because(Code.UNKNOWN_EMOJI)
    if emoji not in message.reactions:
        access.require(call.bot, channel, Permission.ADD_REACTIONS)
        if len(message.reactions) >= MOST_EMOJIS:
            raise Refused.because(Code.TOO_MANY_REACTIONS)
    call.world.react(call.bot, message, emoji)
    return NOTHING


@ROUTES.on("DELETE", REACTIONS + "/{emoji}/@me")
def remove_reaction(call: Call) -> Reply:
    """Take the bot's own reaction off again."""
    _, message = _place(call)
    call.world.unreact(call.bot, message, call.params["emoji"])
    return NOTHING


@ROUTES.on("DELETE", REACTIONS + "/{emoji}/{user_id}")
def remove_other_reaction(call: Call) -> Reply:
    """Take somebody's reaction off."""
    channel, message = _place(call)
    access.require(call.bot, channel, Permission.MANAGE_MESSAGES)
    user = call.world.users.get(call.id("user_id") or 0)
    if user is None:
        raise Refused.because(Code.UNKNOWN_USER)
    call.world.unreact(user, message, call.params["emoji"])
    return NOTHING


@ROUTES.on("GET", REACTIONS + "/{emoji}")
def get_reactions(call: Call) -> Reply:
    """List who reacted with an emoji."""
    _, message = _place(call)
    ids = sorted(message.reactions.get(call.params["emoji"], ()))[: call.limit(25, 100)]
    return Reply([shapes.user(call.world.users[user_id]) for user_id in ids])
