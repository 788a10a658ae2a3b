"""Channels: shown, changed, deleted, opened and closed to roles and members."""

from playground import checks, shapes
from playground.doors.routing import NOTHING, ROUTES, Call, Reply
from playground.errors import Code, Refused, bad_field
from playground.state import access
from playground.state.model import Overwrite
from playground.state.permissions import Permission
from playground.wire import snowflake

CHANNEL = "/channels/{channel_id}"


@ROUTES.on("GET", CHANNEL)
def get_channel(call: Call) -> Reply:
    """Show a channel, a thread or a direct message."""
    return Reply(shapes.channel(call.channel(), seen_by=call.bot))


@ROUTES.on("PATCH", CHANNEL)
def edit_channel(call: Call) -> Reply:
    """Change a channel's name and topic, or a thread's name and state."""
    channel, body = call.channel(), call.json
    if channel.is_dm:
        raise Refused.because(Code.DM_CHANNEL)
    name = body.get("name")
    if name is not None and not (isinstance(name, str) and 1 <= len(name) <= 100):
        raise bad_field("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    if channel.is_thread:
        checks.check_thread_edit(body)
        call.world.threads.edit(call.bot, channel, body)
    else:
        access.require(call.bot, channel, Permission.MANAGE_CHANNELS)
        if isinstance(name, str):
            channel.name = name
        if "topic" in body:
            channel.topic = str(body["topic"]) if body["topic"] is not None else None
        call.world.tell_channel(channel)
    return Reply(shapes.channel(channel, seen_by=call.bot))


@ROUTES.on("DELETE", CHANNEL)
def delete_channel(call: Call) -> Reply:
    """Delete a channel or thread; of a direct message only the bot's view would be closed."""
    channel = call.channel()
    shown = shapes.channel(channel, seen_by=call.bot)
    if not channel.is_dm:
        needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
        access.require(call.bot, channel, needed)
        call.world.remove_channel(channel)
    return Reply(shown)


@ROUTES.on("PUT", CHANNEL + "/permissions/{overwrite_id}")
def put_overwrite(call: Call) -> Reply:
    """Write what a role or member may do in a channel."""
    channel, body = call.channel(), call.json
    access.require(call.bot, channel, Permission.MANAGE_ROLES)
    allow, deny = (snowflake(body.get(name) or 0) for name in ("allow", "deny"))
    if allow is None or deny is None:
        name = "allow" if allow is None else "deny"
        raise bad_field(name, "NUMBER_TYPE_COERCE", f"Value {body[name]!r:.50} is not snowflake.")
    target = call.id("overwrite_id") or 0
    channel.overwrites[target] = Overwrite(
        target,
        1 if str(body.get("type")) == "1" else 0,
        Permission(allow),
        Permission(deny),
    )
    call.world.tell_channel(channel)
    return NOTHING


@ROUTES.on("DELETE", CHANNEL + "/permissions/{overwrite_id}")
def delete_overwrite(call: Call) -> Reply:
    """Take back what was written for a role or member."""
    channel = call.channel()
    access.require(call.bot, channel, Permission.MANAGE_ROLES)
    channel.overwrites.pop(call.id("overwrite_id") or 0, None)
    call.world.tell_channel(channel)
    return NOTHING
