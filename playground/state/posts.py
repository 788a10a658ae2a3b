"""Messages: posted, edited, deleted, pinned, reacted to, and told to whoever sees them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playground import shapes
from playground.errors import Code, Refused
from playground.state.components import Settling
from playground.state.events import Event
from playground.state.files import Upload, content_type, listed_name, picture_size, safe_name
from playground.state.mentions import Mentions, find_mentions
from playground.state.model import Attachment, Channel, Message, MessageFlag, MessageType, User
from playground.wire import Json, as_objects, snowflake

if TYPE_CHECKING:
    from playground.state.world import World

# The flags that a request may set; all others are the server's own.
_SETTABLE = (
    MessageFlag.SUPPRESS_EMBEDS | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2
)


@dataclass(frozen=True, slots=True)
class Origin:
    """The interaction that a message answers, as the message shows it."""

    metadata: Json
    command_name: str | None = None
    ephemeral_for: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A message about to be posted."""

    content: str = ""
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    uploads: tuple[Upload, ...] = ()
    listed: object = None
    """The body's `attachments`: names and descriptions of the uploads."""
    flags: int = 0
    allowed_mentions: object = None
    nonce: str | int | None = None
    tts: bool = False
    reply_to: Message | None = None

    @classmethod
    def from_body(
        cls, body: Json, uploads: tuple[Upload, ...] = (), reply_to: Message | None = None
    ) -> "Draft":
        """Read a request's message object (which was checked before)."""
        return cls(
            content=str(body.get("content") or ""),
            components=as_objects(body.get("components")),
            embeds=as_objects(body.get("embeds")),
            uploads=uploads,
            listed=body.get("attachments"),
            flags=int(body.get("flags") or 0) & _SETTABLE,
            allowed_mentions=body.get("allowed_mentions"),
            nonce=body.get("nonce"),
            tts=bool(body.get("tts")),
            reply_to=reply_to,
        )


class Posts:
    """All that happens to messages; rights are asked for before (playground.access)."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def create(
        self,
        author: User,
        channel: Channel,
        draft: Draft,
        *,
        kind: MessageType = MessageType.DEFAULT,
        origin: Origin | None = None,
        loading: bool = False,
        number: int | None = None,
        reference: Json | None = None,
    ) -> Message:
        """Post a message and tell everybody who sees it; `loading` is the bot's "thinking".

        `number` is an id that is given already (a forum post's), `reference` what a system
        message points at.
        """
        world = self._world
        message = Message(number or world.ids.next(), channel, author, type=kind)
        message.reference = reference
        message.content = draft.content
        message.flags = draft.flags
        message.nonce, message.tts = draft.nonce, draft.tts
        if origin is not None:
            message.by_interaction = True
            message.metadata, message.command_name = origin.metadata, origin.command_name
            message.ephemeral_for = origin.ephemeral_for
            if origin.ephemeral_for is not None:
                message.flags |= MessageFlag.EPHEMERAL
        if loading:
            message.flags |= MessageFlag.LOADING
        if draft.reply_to is not None:
            message.type = MessageType.REPLY
            self._refer(message, draft.reply_to)
        if draft.uploads:
            message.attachments = self._attach(message, draft.uploads, draft.listed)
        settling = Settling(message.attachments, world.ids.next)
        message.components = settling.components(draft.components)
        message.embeds = settling.embeds(draft.embeds)
        mentions = self._mention(message, draft.allowed_mentions)
        if not (message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS or loading):
            message.pinged = self._pinged(message, mentions)
        self._store(message)
        self._tell("MESSAGE_CREATE", message)
        return message

    def edit(self, message: Message, body: Json, uploads: tuple[Upload, ...] = ()) -> Message:
        """Apply a PATCH body (checked before) to a message; what the body leaves out stays.

        Filling a "thinking" message isn't an edit to the eye, and no edit pings.
        """
        kept = self._kept(message, body)
        added = self._attach(message, uploads, body.get("attachments"))
        settling = Settling([*kept, *added], self._world.ids.next)
        content = str(body["content"] or "") if "content" in body else message.content
        embeds, components = message.embeds, message.components
        if "embeds" in body:
            for attachment in kept:
                attachment.in_embed = False
            embeds = settling.embeds(body["embeds"])
        if "components" in body:
            components = settling.components(body["components"])
        flags = self._edited_flags(message, body)
        if message.loading:
            flags &= ~MessageFlag.LOADING
        elif {"content", "embeds", "components", "attachments"} & body.keys() or uploads:
            message.edited_at = self._world.clock.now()
        self._drop_files(item for item in message.attachments if item not in kept)
        message.content, message.embeds, message.components = content, embeds, components
        message.attachments, message.flags = [*kept, *added], flags
        if "content" in body or "components" in body:
            self._mention(message, body.get("allowed_mentions"))
        self._tell("MESSAGE_UPDATE", message)
        return message

    def check_old_edit(self, message: Message) -> None:
        """Refuse (30046) one edit too many of a message that is older than an hour."""
        now = self._world.clock.now()
        limits = self._world.limits
        if now - message.created_at < limits.old_message_seconds:
            return
        window = limits.old_edit_seconds
        message.old_edits = [at for at in message.old_edits if at > now - window]
        if len(message.old_edits) >= limits.old_edits:
            wait = message.old_edits[0] + window - now
            raise Refused.because(Code.TOO_MANY_OLD_EDITS, retry_after=round(wait, 3))
        message.old_edits.append(now)

    def delete(self, message: Message) -> None:
        """Delete a message, wherever it is, and tell those who saw it."""
        channel = message.channel
        message.deleted = True
        channel.messages.pop(message.id, None)
        channel.ephemerals.pop(message.id, None)
        self._drop_files(message.attachments)
        data: Json = {"id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild is not None and not message.ephemeral:
            data["guild_id"] = str(channel.guild.id)
        self._world.emit(self._event("MESSAGE_DELETE", message, data))

    def pin(self, message: Message, *, pinned: bool) -> None:
        """Pin or unpin a message."""
        message.pinned = pinned
        channel = message.channel
        data: Json = {"channel_id": str(channel.id), "last_pin_timestamp": self._world.clock.iso()}
        if channel.guild is not None:
            data["guild_id"] = str(channel.guild.id)
        self._tell("MESSAGE_UPDATE", message)
        self._world.emit(Event("CHANNEL_PINS_UPDATE", data, channel.guild, channel))

    def react(self, user: User, message: Message, emoji: str, *, on: bool) -> None:
        """Put a user's reaction on a message, or take it off."""
        who = message.reactions.setdefault(emoji, set())
        if on == (user.id in who):
            if not who:
                del message.reactions[emoji]
            return
        if on:
            who.add(user.id)
        else:
            who.discard(user.id)
            if not who:
                del message.reactions[emoji]
        channel = message.channel
        data: Json = {
            "user_id": str(user.id),
            "channel_id": str(channel.id),
            "message_id": str(message.id),
            "emoji": shapes.emoji_key(emoji),
            "burst": False,
            "type": 0,
        }
        if on:
            data["message_author_id"] = str(message.author.id)
        if channel.guild is not None:
            data["guild_id"] = str(channel.guild.id)
            if on and user.id in channel.guild.members:
                data["member"] = shapes.member(channel.guild.members[user.id])
        name = "MESSAGE_REACTION_ADD" if on else "MESSAGE_REACTION_REMOVE"
        self._world.emit(Event(name, data, channel.guild, channel, subject=message))

    def show(self, message: Message, *, nested: bool = False) -> Json:
        """Show a message as HTTP answers do."""
        application = self._world.application
        return shapes.message(
            message, application_id=application.id, bot=application.bot, nested=nested
        )

    def retell(self, message: Message) -> None:
        """Tell that a message changed without having been edited (a thread was started on it)."""
        self._tell("MESSAGE_UPDATE", message)

    def refer(self, message: Message, to: Message) -> None:
        """Make a message point at another one."""
        self._refer(message, to)

    def _refer(self, message: Message, to: Message) -> None:
        message.referenced = to
        message.reference = {
            "type": 0,
            "channel_id": str(to.channel.id),
            "message_id": str(to.id),
        }
        if to.channel.guild is not None:
            message.reference["guild_id"] = str(to.channel.guild.id)

    def _edited_flags(self, message: Message, body: Json) -> int:
        if "flags" not in body:
            return message.flags
        wanted = int(body["flags"] or 0)
        flags = message.flags & ~MessageFlag.SUPPRESS_EMBEDS
        return flags | wanted & (MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2)

    def _kept(self, message: Message, body: Json) -> list[Attachment]:
        if body.get("attachments") is None:
            return list(message.attachments) if "attachments" not in body else []
        listed = {snowflake(item.get("id")) for item in as_objects(body["attachments"])}
        return [item for item in message.attachments if item.id in listed]

    def _attach(
        self, message: Message, uploads: tuple[Upload, ...], listed: object
    ) -> list[Attachment]:
        world = self._world
        attached = []
        for upload in uploads:
            said = listed_name(upload, listed)
            filename = safe_name(str(said.get("filename") or upload.filename))
            number = world.ids.next()
            url = f"{world.base_url}/attachments/{message.channel.id}/{number}/{filename}"
            attachment = Attachment(number, filename, upload.content, content_type(filename), url)
            size = picture_size(upload.content)
            if size is not None:
                attachment.width, attachment.height = size
            if isinstance(said.get("description"), str):
                attachment.description = said["description"]
            attachment.ephemeral = message.ephemeral
            world.files[number] = attachment
            attached.append(attachment)
        return attached

    def _drop_files(self, attachments: Iterable[Attachment]) -> None:
        for attachment in attachments:
            self._world.files.pop(attachment.id, None)

    def _mention(self, message: Message, allowed: object) -> Mentions:
        guild = message.channel.guild
        mentions = find_mentions(
            message.content,
            message.components,
            allowed,
            message.channel,
            self._world.users,
            guild.members.get(message.author.id) if guild is not None else None,
        )
        users = list(mentions.users)
        replied = message.referenced.author if message.referenced is not None else None
        rules = allowed if isinstance(allowed, dict) else {"replied_user": True}
        if (
            replied is not None
            and message.type is MessageType.REPLY
            and not message.by_interaction
            and rules.get("replied_user")
            and replied not in users
        ):
            users.append(replied)
        message.mentions = users
        message.mention_roles = list(mentions.roles)
        message.mention_everyone = mentions.everyone
        return Mentions(tuple(users), mentions.roles, mentions.everyone)

    def _pinged(self, message: Message, mentions: Mentions) -> frozenset[int]:
        if message.ephemeral:
            return frozenset()
        return mentions.pinged(message.channel, message.author)

    def _store(self, message: Message) -> None:
        channel = message.channel
        if message.ephemeral:
            channel.ephemerals[message.id] = message
            return
        channel.messages[message.id] = message
        channel.last_message_id = message.id
        if channel.is_thread:
            channel.total_message_sent += 1
            self._world.threads.revive(channel, message.author)

    def _tell(self, name: str, message: Message) -> None:
        data = self.show(message)
        guild = message.channel.guild
        if guild is not None and not message.ephemeral:
            data["guild_id"] = str(guild.id)
            author = guild.members.get(message.author.id)
            if author is not None:
                data["member"] = shapes.member(author, with_user=False)
        self._world.emit(self._event(name, message, data))

    def _event(self, name: str, message: Message, data: Json) -> Event:
        channel = message.channel
        if message.ephemeral_for is None:
            pings = message.pinged if name == "MESSAGE_CREATE" else frozenset[int]()
            return Event(name, data, channel.guild, channel, subject=message, pings=pings)
        # Discord tells the bot of its own ephemeral messages, as if they were direct messages.
        only = frozenset({message.ephemeral_for, self._world.bot.id})
        return Event(name, data, None, channel, only, message)
