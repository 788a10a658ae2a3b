"""Threads: started, joined, archived, locked, and archived by themselves when nobody writes."""

from typing import TYPE_CHECKING

from playground import shapes
from playground.errors import Code, Refused
from playground.state import access
from playground.state.events import Event
from playground.state.model import Channel, ChannelType, Message, MessageFlag, MessageType, User
from playground.state.permissions import Permission
from playground.state.posts import Draft
from playground.wire import Json

if TYPE_CHECKING:
    from playground.state.world import World

# Where threads can be started.
PARENTS = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.FORUM})


class Threads:
    """All that happens to threads, with the rights that it needs."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def create(
        self,
        user: User,
        parent: Channel,
        name: str,
        *,
        message: Message | None = None,
        private: bool = False,
        auto_archive_minutes: int | None = None,
    ) -> Channel:
        """Start a thread, on a message or (in a text channel, privately too) without one.

        Refuses what Discord refuses: 50001, 50013, 50024 (no threads in this kind of channel),
        160004 (the message has one already).
        """
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        if parent.type is ChannelType.FORUM:
            needed = Permission.SEND_MESSAGES
        access.require_sight(user, parent)
        if parent.type not in PARENTS or (message is None and parent.type is ChannelType.FORUM):
            raise Refused.because(Code.WRONG_CHANNEL_TYPE)
        access.require(user, parent, needed)
        if message is not None and message.thread is not None:
            raise Refused.because(Code.THREAD_EXISTS)
        return self._make(
            user,
            parent,
            name,
            message=message,
            private=private,
            minutes=auto_archive_minutes or 1440,
        )

    def create_post(self, user: User, forum: Channel, name: str, draft: Draft) -> Channel:
        """Open a post in a forum: a thread whose first message has the thread's own id."""
        access.require(user, forum, Permission.SEND_MESSAGES)
        if forum.type is not ChannelType.FORUM:
            raise Refused.because(Code.WRONG_CHANNEL_TYPE)
        thread = self._make(user, forum, name, message=None, private=False, minutes=1440)
        self._world.posts.create(user, thread, draft, number=thread.id)
        return thread

    def _make(
        self,
        user: User,
        parent: Channel,
        name: str,
        *,
        message: Message | None,
        private: bool,
        minutes: int,
    ) -> Channel:
        world = self._world
        kind = ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
        if parent.type is ChannelType.ANNOUNCEMENT and not private:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        now = world.clock.now()
        thread = Channel(
            message.id if message is not None else world.ids.next(),
            kind,
            name,
            guild=parent.guild,
            parent=parent,
            owner_id=user.id,
            archive_changed_at=now,
            active_at=now,
            auto_archive_minutes=minutes,
            thread_members={user.id: now},
        )
        world.add_channel_object(thread)
        data = shapes.channel(thread, seen_by=user)
        data["newly_created"] = True
        world.emit(Event("THREAD_CREATE", data, thread.guild, thread, subject=thread))
        if message is not None:
            message.thread = thread
            message.flags |= MessageFlag.HAS_THREAD
            world.posts.retell(message)
        elif kind is ChannelType.PUBLIC_THREAD and parent.type is ChannelType.TEXT:
            guild_id = str(parent.guild.id if parent.guild else 0)
            world.posts.create(
                user,
                parent,
                Draft(content=name),
                kind=MessageType.THREAD_CREATED,
                reference={"type": 0, "channel_id": str(thread.id), "guild_id": guild_id},
            )
        return thread

    def revive(self, thread: Channel, author: User) -> None:
        """Count a new message as activity: it unarchives the thread and brings its author in."""
        now = self._world.clock.now()
        thread.active_at = now
        thread.thread_members.setdefault(author.id, now)
        if thread.archived:
            self.set_state(thread, archived=False)

    def set_state(
        self, thread: Channel, *, archived: bool | None = None, locked: bool | None = None
    ) -> None:
        """Archive, unarchive, lock or unlock a thread, and tell."""
        if archived is not None and archived != thread.archived:
            thread.archived = archived
            thread.archive_changed_at = self._world.clock.now()
            thread.active_at = thread.archive_changed_at
        if locked is not None:
            thread.locked = locked
        self.tell(thread)

    def edit(self, user: User, thread: Channel, body: Json) -> None:
        """Apply a PATCH body to a thread, with the rights that each field needs."""
        access.require_sight(user, thread)
        moderator = access.may_moderate_threads(user, thread)
        own = thread.owner_id == user.id
        if thread.archived and body.get("archived") is not False:
            raise Refused.because(Code.THREAD_ARCHIVED)
        if thread.archived and thread.locked and not moderator:
            raise Refused.because(Code.THREAD_ARCHIVED)
        fields = set(body) - {"archived"} if body.get("archived") is False else set(body)
        if fields & {"locked", "rate_limit_per_user", "flags"} and not moderator:
            raise Refused.because(Code.MISSING_PERMISSIONS)
        if fields and not (moderator or own):
            raise Refused.because(Code.MISSING_PERMISSIONS)
        if not fields:
            access.require(user, thread, Permission.SEND_MESSAGES_IN_THREADS)
        if isinstance(body.get("name"), str):
            thread.name = body["name"]
        if isinstance(body.get("auto_archive_duration"), int):
            thread.auto_archive_minutes = body["auto_archive_duration"]
        self.set_state(thread, archived=body.get("archived"), locked=body.get("locked"))

    def join(self, thread: Channel, user: User) -> None:
        """Make a user a member of a thread."""
        if user.id in thread.thread_members:
            return
        thread.thread_members[user.id] = self._world.clock.now()
        self._tell_members(thread, {"added_members": [shapes.thread_member(thread, user.id)]})

    def leave(self, thread: Channel, user: User) -> None:
        """Take a user out of a thread."""
        if thread.thread_members.pop(user.id, None) is not None:
            self._tell_members(thread, {"removed_member_ids": [str(user.id)]})

    def archive_idle(self) -> None:
        """Archive the threads in which nobody wrote for as long as they are set to wait."""
        now = self._world.clock.now()
        for guild in self._world.guilds.values():
            for thread in guild.channels.values():
                idle = now - thread.active_at
                due = idle >= thread.auto_archive_minutes * 60
                if thread.is_thread and not thread.archived and due:
                    self.set_state(thread, archived=True)

    def tell(self, thread: Channel) -> None:
        """Tell that a thread changed."""
        data = shapes.channel(thread, seen_by=self._world.bot)
        self._world.emit(Event("THREAD_UPDATE", data, thread.guild, thread, subject=thread))

    def _tell_members(self, thread: Channel, change: Json) -> None:
        data: Json = {
            "id": str(thread.id),
            "guild_id": str(thread.guild.id if thread.guild else 0),
            "member_count": len(thread.thread_members),
            **change,
        }
        self._world.emit(Event("THREAD_MEMBERS_UPDATE", data, thread.guild, thread, subject=thread))
