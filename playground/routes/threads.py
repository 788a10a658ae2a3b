"""Threads: started with and without a message, joined, left, listed."""

from playground import checks, shapes
from playground.doors.routing import NOTHING, ROUTES, Call, Reply, created
from playground.errors import Code, Refused
from playground.state import access
from playground.state.model import Channel, ChannelType, User
from playground.state.permissions import Permission
from playground.state.posts import Draft
from playground.wire import Json, as_object

THREADS = "/channels/{channel_id}/threads"
MEMBERS = "/channels/{channel_id}/thread-members"


def _minutes(body: Json) -> int | None:
    minutes = body.get("auto_archive_duration")
    return minutes if isinstance(minutes, int) else None


@ROUTES.on("POST", THREADS)
def create_thread(call: Call) -> Reply:
    """Start a thread without a message, or a post in a forum."""
    channel, body, threads = call.channel(), call.json, call.world.threads
    forum = channel.type is ChannelType.FORUM
    checks.check_thread(body, forum=forum, files=call.parts)
    name = str(body["name"])
    if forum:
        draft = Draft.from_body(as_object(body.get("message")), call.uploads)
        thread = threads.create_post(call.bot, channel, name, draft)
        shown = shapes.channel(thread, seen_by=call.bot)
        first = next(iter(thread.messages.values()))
        return created({**shown, "message": call.world.posts.show(first)})
    private = body.get("type", ChannelType.PRIVATE_THREAD.value) == ChannelType.PRIVATE_THREAD
    thread = threads.create(
        call.bot, channel, name, private=private, auto_archive_minutes=_minutes(body)
    )
    return created(shapes.channel(thread, seen_by=call.bot))


@ROUTES.on("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def create_thread_on_message(call: Call) -> Reply:
    """Start a thread on a message (160004 when it has one)."""
    channel, body = call.channel(), call.json
    checks.check_thread(body, from_message=True)
    message = call.message(channel)
    thread = call.world.threads.create(
        call.bot,
        channel,
        str(body["name"]),
        message=message,
        auto_archive_minutes=_minutes(body),
    )
    return created(shapes.channel(thread, seen_by=call.bot))


def _thread(call: Call) -> Channel:
    thread = call.channel()
    if not thread.is_thread:
        raise Refused.because(Code.WRONG_CHANNEL_TYPE)
    return thread


def _person(call: Call) -> User:
    text = call.params.get("user_id")
    user = call.bot if text is None else call.world.users.get(call.id("user_id") or 0)
    if user is None:
        raise Refused.because(Code.UNKNOWN_USER)
    return user


@ROUTES.on("PUT", MEMBERS + "/@me")
@ROUTES.on("PUT", MEMBERS + "/{user_id}")
def join_thread(call: Call) -> Reply:
    """Join a thread, or bring somebody in (not while it is archived)."""
    thread, user = _thread(call), _person(call)
    if thread.archived:
        raise Refused.because(Code.THREAD_ARCHIVED)
    if user is not call.bot:
        access.require(call.bot, thread, Permission.SEND_MESSAGES_IN_THREADS)
        if thread.guild is None or user.id not in thread.guild.members:
            raise Refused.because(Code.UNKNOWN_MEMBER)
    call.world.threads.join(thread, user)
    return NOTHING


@ROUTES.on("DELETE", MEMBERS + "/@me")
@ROUTES.on("DELETE", MEMBERS + "/{user_id}")
def leave_thread(call: Call) -> Reply:
    """Leave a thread, or take somebody out."""
    thread, user = _thread(call), _person(call)
    if thread.archived:
        raise Refused.because(Code.THREAD_ARCHIVED)
    if user is not call.bot:
        access.require(call.bot, thread, Permission.MANAGE_THREADS)
    call.world.threads.leave(thread, user)
    return NOTHING


@ROUTES.on("GET", MEMBERS + "/@me")
@ROUTES.on("GET", MEMBERS + "/{user_id}")
def get_thread_member(call: Call) -> Reply:
    """Show one membership in a thread."""
    thread, user = _thread(call), _person(call)
    if user.id not in thread.thread_members:
        raise Refused.because(Code.UNKNOWN_MEMBER)
    return Reply(shapes.thread_member(thread, user.id))


@ROUTES.on("GET", MEMBERS)
def get_thread_members(call: Call) -> Reply:
    """List a thread's members."""
    thread = _thread(call)
    return Reply([shapes.thread_member(thread, item) for item in thread.thread_members])


@ROUTES.on("GET", "/guilds/{guild_id}/threads/active")
def get_active_threads(call: Call) -> Reply:
    """List the active threads that the bot sees."""
    threads = [
        item
        for item in call.world.channels_for(call.bot, call.guild())
        if item.is_thread and not item.archived
    ]
    return Reply(_listing(call, threads))


@ROUTES.on("GET", "/channels/{channel_id}/threads/archived/public")
def get_archived_threads(call: Call) -> Reply:
    """List a channel's archived public threads, the latest archived first."""
    parent = call.channel()
    access.require(call.bot, parent, Permission.READ_MESSAGE_HISTORY)
    inside = parent.guild.channels.values() if parent.guild is not None else ()
    threads = [
        item
        for item in inside
        if item.parent is parent and item.is_thread and item.archived and not item.is_private_thread
    ]
    threads.sort(key=lambda item: item.archive_changed_at, reverse=True)
    return Reply(_listing(call, threads))


def _listing(call: Call, threads: list[Channel]) -> Json:
    joined = [item for item in threads if call.bot.id in item.thread_members]
    return {
        "threads": [shapes.channel(item, seen_by=call.bot) for item in threads],
        "members": [shapes.thread_member(item, call.bot.id) for item in joined],
        "has_more": False,
    }
