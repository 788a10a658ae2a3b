"""The state of a small Discord: who and what is there, what they may do, and what happens."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from playground import shapes
from playground.errors import Code, Refused
from playground.state import access
from playground.state.clock import Clock, Snowflakes
from playground.state.components import find
from playground.state.events import Event, Listener, sees
from playground.state.files import Upload
from playground.state.interactions import Interactions
from playground.state.model import (
    THREADS,
    Application,
    Attachment,
    Channel,
    ChannelType,
    Guild,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)
from playground.state.permissions import EVERYONE_BY_DEFAULT, Permission
from playground.state.posts import Draft, Posts
from playground.state.threads import Threads
from playground.wire import Json

# What the invite link of a bot usually asks for.
BOT_BY_DEFAULT = EVERYONE_BY_DEFAULT | Permission.MANAGE_THREADS | Permission.CREATE_PRIVATE_THREADS
TOKEN = "playground-token"  # noqa: S105 - opens nothing but a playground on this machine
_COLORS = ("#5865f2", "#3ba55d", "#faa61a", "#ed4245", "#eb459e", "#9b59b6", "#1abc9c", "#e67e22")


@dataclass(slots=True)
class Limits:
    """Numbers of Discord's that a test may want to bend; times in seconds."""

    answer_seconds: float = 3.0
    token_seconds: float = 900.0
    old_message_seconds: float = 3600.0
    # How many edits of an old message Discord takes isn't published; this is on the strict side.
    old_edits: int = 3
    old_edit_seconds: float = 60.0
    pins: int = 50


class World:
    """Everything there is, with the methods by which people and the server change it."""

    def __init__(self, *, token: str = TOKEN, bot_name: str = "Ginhouse") -> None:
        self.clock = Clock()
        self.ids = Snowflakes(self.clock)
        self.limits = Limits()
        self.base_url = "http://127.0.0.1"
        self.gateway_url = "ws://127.0.0.1/gateway"
        self.shards = 1
        """How many shards `GET /gateway/bot` recommends."""
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.files: dict[int, Attachment] = {}
        self._dms: dict[int, Channel] = {}
        self._listeners: list[Listener] = []
        self.posts = Posts(self)
        self.threads = Threads(self)
        owner = self.add_user("developer", global_name="The developer")
        bot = self.add_user(bot_name.lower(), global_name=None, bot=True)
        bot.username = bot_name
        self.application = Application(bot.id, bot_name, bot, owner, token)
        self.interactions = Interactions(self)
        self.clock.on_move(self.threads.archive_idle)
        self.bot_online = False

    # ------------------------------------------------------------------ events

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of everything from now on; returns how to stop that."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def emit(self, event: Event) -> None:
        """Tell every listener of an event."""
        for listener in tuple(self._listeners):
            listener(event)

    # ------------------------------------------------------------------ looking up

    @property
    def bot(self) -> User:
        """The user of the bot."""
        return self.application.bot

    @property
    def token(self) -> str:
        """The token that the bot logs in with."""
        return self.application.token

    def channel_seen_by(self, user: User, channel_id: int | None) -> Channel:
        """Find a channel that this user sees; refuses with 10003 or 50001."""
        channel = self.channels.get(channel_id) if channel_id is not None else None
        if channel is None or (channel.is_dm and user not in channel.recipients):
            raise Refused.because(Code.UNKNOWN_CHANNEL)
        access.require_sight(user, channel)
        return channel

    def find_message(self, message_id: int) -> Message | None:
        """Find a message anywhere, also one that only one person sees."""
        for channel in self.channels.values():
            found = channel.messages.get(message_id) or channel.ephemerals.get(message_id)
            if found is not None:
                return found
        return None

    def visible_messages(self, user: User, channel: Channel) -> list[Message]:
        """List what this user sees in a channel, oldest first, with what only he sees."""
        if not sees(user, channel):
            return []
        own = [item for item in channel.ephemerals.values() if item.ephemeral_for == user.id]
        if not access.permissions(user, channel) & Permission.READ_MESSAGE_HISTORY:
            return own
        return sorted([*channel.messages.values(), *own], key=lambda message: message.id)

    def channels_for(self, user: User, guild: Guild) -> list[Channel]:
        """List the channels and threads of a server that this user sees."""
        return [channel for channel in guild.channels.values() if sees(user, channel)]

    def permissions_in(self, user: User, channel: Channel) -> Permission:
        """Tell what a user may do in a channel."""
        return access.permissions(user, channel)

    def can(self, user: User, channel: Channel, permission: Permission) -> bool:
        """Tell whether a user has all of these permissions in a channel."""
        return not permission & ~access.permissions(user, channel)

    def guilds_of(self, user: User) -> list[Guild]:
        """List the servers that a user is in."""
        return [guild for guild in self.guilds.values() if user.id in guild.members]

    # ------------------------------------------------------------------ building

    def add_user(
        self,
        username: str,
        *,
        global_name: str | None = None,
        bot: bool = False,
        locale: str = "en-US",
    ) -> User:
        """Make an account."""
        color = _COLORS[len(self.users) % len(_COLORS)]
        user = User(self.ids.next(), username, global_name, bot, color, locale)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, owner: User) -> Guild:
        """Make a server with its owner as the first member; the bot isn't in it yet."""
        guild = Guild(self.ids.next(), name, owner.id)
        self.guilds[guild.id] = guild
        self.join(guild, owner)
        return guild

    def add_channel(
        self,
        guild: Guild,
        name: str,
        kind: ChannelType = ChannelType.TEXT,
        *,
        parent: Channel | None = None,
        topic: str | None = None,
    ) -> Channel:
        """Make a channel (for threads see `create_thread`)."""
        position = sum(not item.is_thread for item in guild.channels.values())
        channel = Channel(
            self.ids.next(), kind, name, guild, parent, topic=topic, position=position
        )
        self.add_channel_object(channel)
        self.emit(Event("CHANNEL_CREATE", shapes.channel(channel), guild, channel, subject=channel))
        return channel

    def add_channel_object(self, channel: Channel) -> None:
        """Enter a channel that was made elsewhere into the world's books."""
        self.channels[channel.id] = channel
        if channel.guild is not None:
            channel.guild.channels[channel.id] = channel

    def add_role(
        self, guild: Guild, name: str, permissions: Permission, *, managed_by: int | None = None
    ) -> Role:
        """Make a role."""
        role = Role(self.ids.next(), name, permissions, len(guild.roles), managed_by=managed_by)
        guild.roles[role.id] = role
        data: Json = {"guild_id": str(guild.id), "role": shapes.role(role)}
        self.emit(Event("GUILD_ROLE_CREATE", data, guild, subject=role))
        return role

    def give_role(self, guild: Guild, user: User, role: Role) -> None:
        """Give a member a role."""
        member = guild.members[user.id]
        member.roles.add(role.id)
        self._tell_member("GUILD_MEMBER_UPDATE", guild, member)

    def join(self, guild: Guild, user: User) -> Member:
        """Bring a user into a server."""
        if user.id in guild.members:
            return guild.members[user.id]
        member = Member(user, self.clock.now())
        guild.members[user.id] = member
        self._tell_member("GUILD_MEMBER_ADD", guild, member)
        return member

    def leave(self, guild: Guild, user: User) -> None:
        """Take a user out of a server; the bot is told with GUILD_DELETE when it is the bot."""
        if guild.members.pop(user.id, None) is None:
            return
        if user is self.bot:
            only = frozenset({user.id})
            self.emit(Event("GUILD_DELETE", {"id": str(guild.id)}, guild, only=only))
            for role in [item for item in guild.roles.values() if item.managed_by == user.id]:
                del guild.roles[role.id]
        data: Json = {"guild_id": str(guild.id), "user": shapes.user(user)}
        self.emit(Event("GUILD_MEMBER_REMOVE", data, guild, subject=user))

    def invite_bot(self, guild: Guild, permissions: Permission = BOT_BY_DEFAULT) -> None:
        """Bring the bot into a server with a role of its own, as its invite link does."""
        if self.bot.id in guild.members:
            return
        role = self.add_role(
            guild, self.application.name, permissions, managed_by=self.application.bot.id
        )
        member = Member(self.bot, self.clock.now(), roles={role.id})
        guild.members[self.bot.id] = member
        data = self.guild_for_bot(guild)
        self.emit(Event("GUILD_CREATE", data, guild, only=frozenset({self.bot.id})))
        self._tell_member("GUILD_MEMBER_ADD", guild, member)

    def guild_for_bot(self, guild: Guild) -> Json:
        """Show a server to the bot as GUILD_CREATE does."""
        threads = [
            channel
            for channel in guild.channels.values()
            if channel.is_thread and not channel.archived and sees(self.bot, channel)
        ]
        return shapes.guild_for_gateway(guild, self.bot, threads)

    def set_outage(self, guild: Guild, *, unavailable: bool) -> None:
        """Begin or end an outage of a server, which is no removal."""
        guild.unavailable = unavailable
        only = frozenset({self.bot.id})
        if unavailable:
            data: Json = {"id": str(guild.id), "unavailable": True}
            self.emit(Event("GUILD_DELETE", data, guild, only=only))
        else:
            self.emit(Event("GUILD_CREATE", self.guild_for_bot(guild), guild, only=only))

    def dm(self, user: User) -> Channel:
        """Find or open the direct messages between a user and the bot."""
        channel = self._dms.get(user.id)
        if channel is None:
            channel = Channel(
                self.ids.next(), ChannelType.DM, recipients=(user, self.bot), owner_id=user.id
            )
            self._dms[user.id] = channel
            self.channels[channel.id] = channel
            only = frozenset({user.id})
            data = shapes.channel(channel, seen_by=user)
            self.emit(Event("CHANNEL_CREATE", data, None, channel, only, channel))
        return channel

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, and the threads in it."""
        if channel.guild is not None:
            for thread in [item for item in channel.guild.channels.values() if item is not channel]:
                if thread.parent is channel and thread.type in THREADS:
                    self.remove_channel(thread)
            channel.guild.channels.pop(channel.id, None)
        name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        event = Event(name, shapes.channel(channel), channel.guild, channel, subject=channel)
        self.emit(event)
        channel.deleted = True
        self.channels.pop(channel.id, None)
        for user_id, own in tuple(self._dms.items()):
            if own is channel:
                del self._dms[user_id]

    def set_permission(
        self, target: User | Role, channel: Channel, permission: Permission, allowed: bool | None
    ) -> None:
        """Give, take or (None) leave open a permission of a user or role in a channel.

        In a thread it is the parent's overwrite that is written.
        """
        place = channel.parent if channel.is_thread and channel.parent is not None else channel
        kind = 1 if isinstance(target, User) else 0
        overwrite = place.overwrites.setdefault(target.id, Overwrite(target.id, kind))
        overwrite.allow &= ~permission
        overwrite.deny &= ~permission
        if allowed is True:
            overwrite.allow |= permission
        elif allowed is False:
            overwrite.deny |= permission
        self.tell_channel(place)

    def tell_channel(self, channel: Channel) -> None:
        """Tell that a channel changed; members who just lost sight of it hear of it, too."""
        data = shapes.channel(channel)
        only = frozenset(channel.guild.members) if channel.guild is not None else None
        self.emit(Event("CHANNEL_UPDATE", data, channel.guild, channel, only, channel))

    def _tell_member(self, name: str, guild: Guild, member: Member) -> None:
        data = {**shapes.member(member), "guild_id": str(guild.id)}
        self.emit(Event(name, data, guild, subject=member))

    # ------------------------------------------------------------------ what people do

    def require_sending(
        self, user: User, channel: Channel, *, embeds: bool = False, files: bool = False
    ) -> None:
        """Refuse who may not post this kind of message in this channel."""
        access.require_sending(user, channel, embeds=embeds, files=files)
        if channel.is_dm and user.bot:
            access.require_open_dms(user, channel, self.guilds.values())

    def send_message(
        self,
        user: User,
        channel: Channel,
        content: str,
        *,
        reply_to: Message | None = None,
        files: tuple[Upload, ...] = (),
    ) -> Message:
        """Write a message as a person does, who is refused what Discord refuses him."""
        self.require_sending(user, channel, files=bool(files))
        if not content.strip() and not files:
            raise Refused.because(Code.EMPTY_MESSAGE)
        draft = Draft(content=content, uploads=files, reply_to=reply_to, nonce=secrets.token_hex(8))
        return self.posts.create(user, channel, draft)

    def edit_message_as(self, user: User, message: Message, content: str) -> Message:
        """Edit one's own message; 50005 for another's."""
        if message.author is not user:
            raise Refused.because(Code.NOT_AUTHOR)
        return self.posts.edit(message, {"content": content})

    def delete_message(self, message: Message) -> None:
        """Delete a message, whoever wrote it."""
        self.posts.delete(message)

    def dismiss(self, user: User, message: Message) -> None:
        """Let a person put away a message that only he sees."""
        if message.ephemeral_for == user.id:
            message.channel.ephemerals.pop(message.id, None)

    def create_thread(
        self,
        user: User,
        parent: Channel,
        name: str,
        *,
        message: Message | None = None,
        private: bool = False,
        content: str = "",
    ) -> Channel:
        """Start a thread as a person does; in a forum it is a post with `content`."""
        if parent.type is ChannelType.FORUM:
            return self.threads.create_post(user, parent, name, Draft(content=content or name))
        return self.threads.create(user, parent, name, message=message, private=private)

    def start_typing(self, user: User, channel: Channel) -> None:
        """Show that somebody is typing."""
        data: Json = {
            "channel_id": str(channel.id),
            "user_id": str(user.id),
            "timestamp": int(self.clock.now()),
        }
        if channel.guild is not None:
            data["guild_id"] = str(channel.guild.id)
            if user.id in channel.guild.members:
                data["member"] = shapes.member(channel.guild.members[user.id])
        self.emit(Event("TYPING_START", data, channel.guild, channel, subject=user))

    def react(self, user: User, message: Message, emoji: str) -> None:
        """React to a message."""
        self.posts.react(user, message, emoji, on=True)

    def unreact(self, user: User, message: Message, emoji: str) -> None:
        """Take a reaction off again."""
        self.posts.react(user, message, emoji, on=False)

    def close_dms(self, user: User, *, closed: bool = True) -> None:
        """Close or open a person's direct messages."""
        user.dms_closed = closed
        data: Json = {"user_id": str(user.id), "closed": closed}
        self.emit(Event("DM_SETTINGS", data, only=frozenset({user.id}), subject=user))

    def set_bot_online(self, *, online: bool) -> None:
        """Note whether the bot is connected, and tell the pages."""
        if online != self.bot_online:
            self.bot_online = online
            self.emit(Event("BOT_PRESENCE", {"online": online}))

    def component(self, message: Message, custom_id: str) -> Json | None:
        """Find a control of a message."""
        return find(message.components, custom_id)
