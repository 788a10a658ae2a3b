"""Messages in channels: posted, read, edited, deleted, pinned."""

from playground import checks
from playground.doors.routing import NOTHING, ROUTES, Call, Facts, Reply
from playground.errors import Code, Refused, bad_field
from playground.state import access
from playground.state.model import Channel, Message
from playground.state.permissions import Permission
from playground.state.posts import Draft
from playground.wire import Json, as_object, snowflake

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = MESSAGES + "/{message_id}"


def kept_files(message: Message) -> dict[str, str]:
    """Map the ids of a message's files to their names."""
    return {str(item.id): item.filename for item in message.attachments}


def standing(message: Message) -> set[str]:
    """Name the parts that a message has now."""
    parts = {
        "content": message.content,
        "embeds": message.embeds,
        "components": message.components,
    }
    return {name for name, value in parts.items() if value}


def edit_facts(message: Message) -> Facts:
    """Note what an edit's body doesn't say."""
    names = tuple(item.filename for item in message.attachments)
    return Facts(is_v2=message.is_v2, attachments=names)


@ROUTES.on("POST", MESSAGES)
def create_message(call: Call) -> Reply:
    """Post a message."""
    channel, body = call.channel(), call.json
    checks.check_message(body, files=call.parts)
    call.world.require_sending(
        call.bot, channel, embeds=bool(body.get("embeds")), files=bool(call.uploads)
    )
    repeated = _same_nonce(channel, body)
    if repeated is not None:
        return Reply(call.world.posts.show(repeated))
    draft = Draft.from_body(body, call.uploads, _replied_to(call, channel, body))
    message = call.world.posts.create(call.bot, channel, draft)
    if body.get("nonce") is not None:
        channel.nonces[str(body["nonce"])] = message.id
    return Reply(call.world.posts.show(message))


def _same_nonce(channel: Channel, body: Json) -> Message | None:
    """Find the message that was posted with this nonce a moment ago, when that is enforced."""
    if not body.get("enforce_nonce") or body.get("nonce") is None:
        return None
    return channel.messages.get(channel.nonces.get(str(body["nonce"]), 0))


def _replied_to(call: Call, channel: Channel, body: Json) -> Message | None:
    reference = as_object(body.get("message_reference"))
    if not reference:
        return None
    if not call.world.can(call.bot, channel, Permission.READ_MESSAGE_HISTORY):
        raise Refused.because(Code.NO_HISTORY_TO_REPLY)
    found = channel.messages.get(snowflake(reference.get("message_id")) or 0)
    if found is None and reference.get("fail_if_not_exists") is not False:
        raise bad_field("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    return found


@ROUTES.on("GET", MESSAGES)
def get_messages(call: Call) -> Reply:
    """List messages, newest first, around or on one side of an id."""
    channel = call.channel()
    if not call.world.can(call.bot, channel, Permission.READ_MESSAGE_HISTORY):
        return Reply([])
    most = call.limit(50, 100)
    messages = list(channel.messages.values())
    before, after = snowflake(call.query.get("before")), snowflake(call.query.get("after"))
    around = snowflake(call.query.get("around"))
    if around is not None:
        older = [item for item in messages if item.id < around]
        newer = messages[len(older) :]
        messages = older[max(0, len(older) - most // 2) :] + newer[: most - most // 2]
    elif after is not None:
        messages = [item for item in messages if item.id > after][:most]
    else:
        messages = [item for item in messages if before is None or item.id < before][-most:]
    return Reply([call.world.posts.show(item) for item in reversed(messages)])


@ROUTES.on("GET", MESSAGE)
def get_message(call: Call) -> Reply:
    """Show one message."""
    channel = call.channel()
    access.require(call.bot, channel, Permission.READ_MESSAGE_HISTORY)
    return Reply(call.world.posts.show(call.message(channel)))


@ROUTES.on("PATCH", MESSAGE)
def edit_message(call: Call) -> Reply:
    """Edit one of the bot's own messages (50005, 50083, 30046)."""
    channel, body = call.channel(), call.json
    message = call.message(channel)
    call.facts = edit_facts(message)
    if message.author is not call.bot:
        raise Refused.because(Code.NOT_AUTHOR)
    checks.check_message(
        body,
        edit=True,
        v2=message.is_v2,
        files=call.parts,
        attachments_kept=kept_files(message),
        standing=standing(message),
    )
    access.require_open_thread(call.bot, channel, unarchives=False)
    if call.uploads and not channel.is_dm:
        access.require(call.bot, channel, Permission.ATTACH_FILES)
    call.world.posts.check_old_edit(message)
    call.world.posts.edit(message, body, call.uploads)
    return Reply(call.world.posts.show(message))


@ROUTES.on("DELETE", MESSAGE)
def delete_message(call: Call) -> Reply:
    """Delete a message; another's needs Manage Messages, and can't be deleted in a DM."""
    channel = call.channel()
    message = call.message(channel)
    if message.author is not call.bot:
        if channel.is_dm:
            raise Refused.because(Code.DM_CHANNEL)
        access.require(call.bot, channel, Permission.MANAGE_MESSAGES)
    if channel.archived and channel.locked:
        access.require_open_thread(call.bot, channel, unarchives=True)
    call.world.posts.delete(message)
    return NOTHING


@ROUTES.on("POST", MESSAGES + "/bulk-delete")
def delete_messages(call: Call) -> Reply:
    """Delete several messages at once."""
    channel = call.channel()
    if channel.is_dm:
        raise Refused.because(Code.DM_CHANNEL)
    access.require(call.bot, channel, Permission.MANAGE_MESSAGES)
    ids = call.json.get("messages")
    if not isinstance(ids, list) or not 2 <= len(ids) <= 100:
        raise bad_field("messages", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 100 in length.")
    for item in ids:
        message = channel.messages.get(snowflake(item) or 0)
        if message is not None:
            call.world.posts.delete(message)
    return NOTHING


@ROUTES.on("POST", "/channels/{channel_id}/typing")
def start_typing(call: Call) -> Reply:
    """Show that the bot is typing."""
    channel = call.channel()
    call.world.require_sending(call.bot, channel)
    call.world.start_typing(call.bot, channel)
    return NOTHING


@ROUTES.on("GET", MESSAGES + "/pins")
def get_pins(call: Call) -> Reply:
    """List the pinned messages."""
    channel = call.channel()
    pinned = [item for item in channel.messages.values() if item.pinned]
    items = [
        {"pinned_at": call.world.clock.iso(), "message": call.world.posts.show(item)}
        for item in reversed(pinned)
    ]
    return Reply({"items": items, "has_more": False})


@ROUTES.on("PUT", MESSAGES + "/pins/{message_id}")
@ROUTES.on("PUT", "/channels/{channel_id}/pins/{message_id}")
def pin_message(call: Call) -> Reply:
    """Pin a message (30003 when there are too many)."""
    return _pin(call, pinned=True)


@ROUTES.on("DELETE", MESSAGES + "/pins/{message_id}")
@ROUTES.on("DELETE", "/channels/{channel_id}/pins/{message_id}")
def unpin_message(call: Call) -> Reply:
    """Unpin a message."""
    return _pin(call, pinned=False)


def _pin(call: Call, *, pinned: bool) -> Reply:
    channel = call.channel()
    access.require(call.bot, channel, Permission.PIN_MESSAGES)
    message = call.message(channel)
    if pinned and sum(m.pinned for m in channel.messages.values()) >= call.world.limits.pins:
        raise Refused.because(Code.TOO_MANY_PINS)
    call.world.posts.pin(message, pinned=pinned)
    return NOTHING
