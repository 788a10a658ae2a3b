"""The things a small Discord consists of: users, servers, channels, messages, files, emojis."""

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from playground.state.clock import created_at
from playground.state.permissions import EVERYONE_BY_DEFAULT, NOTHING, Permission
from playground.wire import Json


class ChannelType(IntEnum):
    """The kinds of channel, with Discord's numbers."""

    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


THREADS = frozenset(
    {ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD}
)
# Where people can write; voice and stage channels have a chat of their own.
WRITABLE = THREADS | {
    ChannelType.TEXT,
    ChannelType.DM,
    ChannelType.VOICE,
    ChannelType.ANNOUNCEMENT,
    ChannelType.STAGE,
}


class MessageType(IntEnum):
    """The kinds of message that the playground makes, with Discord's numbers."""

    DEFAULT = 0
    PIN_ADDED = 6
    MEMBER_JOIN = 7
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER = 21
    CONTEXT_MENU_COMMAND = 23


class MessageFlag(IntFlag):
    """The flag bits of messages that matter here."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(slots=True, eq=False)
class User:
    """A person or a bot."""

    id: int
    username: str
    global_name: str | None = None
    bot: bool = False
    avatar_color: str = "#5865f2"
    locale: str = "en-US"
    dms_closed: bool = False
    """Closed to everybody but friends: a bot's direct messages get 50007."""
    deleted: bool = False
    """The account is gone: 10013."""

    @property
    def name(self) -> str:
        """The name that people see."""
        return self.global_name or self.username


@dataclass(slots=True, eq=False)
class Role:
    """A role of a server; the one with the server's own id is @everyone."""

    id: int
    name: str
    permissions: Permission = NOTHING
    position: int = 0
    color: int = 0
    mentionable: bool = False
    managed_by: int | None = None
    """The bot user whose own role this is."""


@dataclass(slots=True, eq=False)
class Member:
    """A user as part of a server."""

    user: User
    joined_at: float
    nick: str | None = None
    roles: set[int] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The name that people see in this server."""
        return self.nick or self.user.name


@dataclass(slots=True)
class Overwrite:
    """What a channel gives to or takes from a role (kind 0) or a member (kind 1)."""

    id: int
    kind: int
    allow: Permission = NOTHING
    deny: Permission = NOTHING


@dataclass(slots=True, eq=False)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, "Channel"] = field(default_factory=dict)
    """All channels, threads included."""
    commands: dict[int, Json] = field(default_factory=dict)
    """Commands that the application registered for this server alone."""
    locale: str = "en-US"
    unavailable: bool = False
    """An outage: the server's events stop, nobody was removed."""

    def __post_init__(self) -> None:
        self.roles.setdefault(self.id, Role(self.id, "@everyone", EVERYONE_BY_DEFAULT))


@dataclass(slots=True, eq=False)
class Channel:
    """A channel of a server, a thread, or a direct message."""

    id: int
    type: ChannelType
    name: str = ""
    guild: Guild | None = None
    parent: "Channel | None" = None
    topic: str | None = None
    position: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, "Message"] = field(default_factory=dict)
    ephemerals: dict[int, "Message"] = field(default_factory=dict)
    """Messages that only one person sees (`Message.ephemeral_for`)."""
    recipients: tuple[User, ...] = ()
    """Both sides of a direct message, the bot among them."""
    last_message_id: int | None = None
    nonces: dict[str, int] = field(default_factory=dict)
    deleted: bool = False
    # threads
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    archive_changed_at: float = 0.0
    active_at: float = 0.0
    auto_archive_minutes: int = 1440
    thread_members: dict[int, float] = field(default_factory=dict)
    """Who joined the thread, and when."""
    total_message_sent: int = 0
    invitable: bool = True

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread of any kind."""
        return self.type in THREADS

    @property
    def is_private_thread(self) -> bool:
        """Whether only its members and moderators see this thread."""
        return self.type is ChannelType.PRIVATE_THREAD

    @property
    def is_dm(self) -> bool:
        """Whether this is a direct message."""
        return self.type is ChannelType.DM


@dataclass(slots=True, eq=False)
class Attachment:
    """A file on a message."""

    id: int
    filename: str
    content: bytes
    content_type: str
    url: str
    width: int | None = None
    height: int | None = None
    description: str | None = None
    ephemeral: bool = False
    in_embed: bool = False
    """An embed shows it, so the message doesn't list it again."""


@dataclass(slots=True, eq=False)
class Message:
    """A message; `components` and `embeds` are kept in the shape that Discord answers with."""

    id: int
    channel: Channel
    author: User
    type: MessageType = MessageType.DEFAULT
    content: str = ""
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pinged: frozenset[int] = frozenset()
    """The ids of those whom the message notified when it came."""
    ephemeral_for: int | None = None
    edited_at: float | None = None
    nonce: str | int | None = None
    tts: bool = False
    pinned: bool = False
    reference: Json | None = None
    referenced: "Message | None" = None
    by_interaction: bool = False
    metadata: Json | None = None
    """`interaction_metadata`, as Discord writes it."""
    command_name: str | None = None
    """The slash command that it answers, for the old `interaction` field."""
    thread: Channel | None = None
    reactions: dict[str, set[int]] = field(default_factory=dict)
    old_edits: list[float] = field(default_factory=list)
    """When it was edited after its first hour."""
    deleted: bool = False

    @property
    def is_v2(self) -> bool:
        """Whether it is made of Components V2."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees it."""
        return self.ephemeral_for is not None

    @property
    def loading(self) -> bool:
        """Whether it still says that the bot is thinking."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def created_at(self) -> float:
        """When it was posted, in Unix seconds."""
        return created_at(self.id)


@dataclass(slots=True, eq=False)
class Emoji:
    """An emoji of the application."""

    id: int
    name: str
    content: bytes
    content_type: str
    animated: bool = False


@dataclass(slots=True, eq=False)
class Application:
    """The application behind the bot."""

    id: int
    name: str
    bot: User
    owner: User
    token: str
    privileged_intents: int = 0
    """The privileged intents that its settings page allows."""
    commands: dict[int, Json] = field(default_factory=dict)
    """The commands registered for everywhere."""
    emojis: dict[int, Emoji] = field(default_factory=dict)
