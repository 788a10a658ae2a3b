"""Keeps the world over a restart: everything that lasts, as one JSON value and a folder of files.

The bot remembers the ids of channels and messages, so a playground that is stopped and started
again must be the same one. What doesn't outlive the moment is left out: interactions under way,
messages that only one person saw, "thinking".
"""

import json
import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from playground.state.model import (
    Application,
    Attachment,
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Member,
    Message,
    MessageType,
    Overwrite,
    Role,
    User,
)
from playground.state.permissions import Permission
from playground.state.world import World
from playground.wire import Json, dumps

VERSION = 1
MESSAGES_A_CHANNEL = 300
"""How many messages of a channel are kept; older ones are forgotten."""


class CannotLoad(Exception):
    """The saved world is damaged or of another version."""


# ---------------------------------------------------------------------------------- to JSON


def dump(world: World) -> Json:
    """Write the lasting part of a world as a JSON value; the files' contents stay out."""
    application = world.application
    channels = list(world.channels.values())
    return {
        "version": VERSION,
        "base_url": world.base_url,
        "clock": world.clock.offset,
        "last_id": world.ids.next(),
        "users": [_user(user) for user in world.users.values()],
        "application": {
            "id": application.id,
            "name": application.name,
            "bot": application.bot.id,
            "owner": application.owner.id,
            "commands": list(application.commands.values()),
            "emojis": [
                {"id": e.id, "name": e.name, "type": e.content_type, "animated": e.animated}
                for e in application.emojis.values()
            ],
        },
        "guilds": [_guild(guild) for guild in world.guilds.values()],
        "channels": [_channel(channel) for channel in channels],
        "messages": [_message(message) for channel in channels for message in _kept(channel)],
    }


def files(world: World) -> dict[int, bytes]:
    """Give the contents of all files that a saved world needs, by id."""
    attached = (
        (file.id, file.content)
        for channel in world.channels.values()
        for message in _kept(channel)
        for file in message.attachments
    )
    emojis = ((emoji.id, emoji.content) for emoji in world.application.emojis.values())
    return dict(chain(attached, emojis))


def _kept(channel: Channel) -> list[Message]:
    lasting = [message for message in channel.messages.values() if not message.loading]
    return lasting[-MESSAGES_A_CHANNEL:]


def _user(user: User) -> Json:
    return {
        "id": user.id,
        "username": user.username,
        "global_name": user.global_name,
        "bot": user.bot,
        "avatar_color": user.avatar_color,
        "locale": user.locale,
        "dms_closed": user.dms_closed,
        "deleted": user.deleted,
    }


def _guild(guild: Guild) -> Json:
    return {
        "id": guild.id,
        "name": guild.name,
        "owner": guild.owner_id,
        "locale": guild.locale,
        "commands": list(guild.commands.values()),
        "roles": [
            {
                "id": role.id,
                "name": role.name,
                "permissions": role.permissions.value,
                "position": role.position,
                "color": role.color,
                "mentionable": role.mentionable,
                "managed_by": role.managed_by,
            }
            for role in guild.roles.values()
        ],
        "members": [
            {
                "user": member.user.id,
                "joined_at": member.joined_at,
                "nick": member.nick,
                "roles": sorted(member.roles),
            }
            for member in guild.members.values()
        ],
    }


def _channel(channel: Channel) -> Json:
    return {
        "id": channel.id,
        "type": channel.type.value,
        "name": channel.name,
        "guild": channel.guild.id if channel.guild else None,
        "parent": channel.parent.id if channel.parent else None,
        "topic": channel.topic,
        "position": channel.position,
        "overwrites": [
            {"id": o.id, "kind": o.kind, "allow": o.allow.value, "deny": o.deny.value}
            for o in channel.overwrites.values()
        ],
        "recipients": [user.id for user in channel.recipients],
        "last_message_id": channel.last_message_id,
        "owner": channel.owner_id,
        "archived": channel.archived,
        "locked": channel.locked,
        "archive_changed_at": channel.archive_changed_at,
        "active_at": channel.active_at,
        "auto_archive_minutes": channel.auto_archive_minutes,
        "thread_members": list(channel.thread_members.items()),
        "total_message_sent": channel.total_message_sent,
        "invitable": channel.invitable,
    }


def _message(message: Message) -> Json:
    return {
        "id": message.id,
        "channel": message.channel.id,
        "author": message.author.id,
        "type": message.type.value,
        "content": message.content,
        "components": message.components,
        "embeds": message.embeds,
        "attachments": [_attachment(file) for file in message.attachments],
        "flags": message.flags,
        "mentions": [user.id for user in message.mentions],
        "mention_roles": message.mention_roles,
        "mention_everyone": message.mention_everyone,
        "pinged": sorted(message.pinged),
        "edited_at": message.edited_at,
        "pinned": message.pinned,
        "reference": message.reference,
        "referenced": message.referenced.id if message.referenced else None,
        "by_interaction": message.by_interaction,
        "metadata": message.metadata,
        "command_name": message.command_name,
        "thread": message.thread.id if message.thread else None,
        "reactions": [[emoji, sorted(who)] for emoji, who in message.reactions.items()],
    }


def _attachment(file: Attachment) -> Json:
    return {
        "id": file.id,
        "filename": file.filename,
        "type": file.content_type,
        "url": file.url,
        "width": file.width,
        "height": file.height,
        "description": file.description,
        "in_embed": file.in_embed,
    }


# -------------------------------------------------------------------------------- from JSON


def load(world: World, saved: Json, contents: Mapping[int, bytes]) -> None:
    """Fill a new, unfurnished world with a saved one. Files without contents are left out.

    The world's `base_url` must be the one that it is served at now. Raises CannotLoad; the world
    is of no use then.
    """
    if saved.get("version") != VERSION:
        raise CannotLoad(f"it is of version {saved.get('version')!r}, not {VERSION}")
    try:
        _Loading(world, saved, contents).all()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CannotLoad(f"it is damaged ({type(error).__name__}: {error})") from error


class _Loading:
    """One loading: the world under construction and the value that it is read from."""

    def __init__(self, world: World, saved: Json, contents: Mapping[int, bytes]) -> None:
        self.world = world
        old, new = str(saved["base_url"]), world.base_url
        self.saved: Json = json.loads(dumps(saved).replace(f'"{old}/', f'"{new}/'))
        self.contents = contents
        self.messages: dict[int, Message] = {}

    def all(self) -> None:
        world, saved = self.world, self.saved
        for holder in (world.users, world.guilds, world.channels, world.files):
            holder.clear()
        world._dms.clear()  # noqa: SLF001 - loading builds the world from inside
        world.clock.move(float(saved["clock"]))
        world.ids._last = max(int(saved["last_id"]), world.ids.next())  # noqa: SLF001
        for entry in saved["users"]:
            user = User(**entry)
            world.users[user.id] = user
        self._application(saved["application"])
        for entry in saved["guilds"]:
            self._guild(entry)
        self._channels(saved["channels"])
        for entry in saved["messages"]:
            self._message(entry)
        for entry in saved["messages"]:
            self._references(entry)

    def _application(self, saved: Json) -> None:
        world = self.world
        made = Application(
            saved["id"],
            saved["name"],
            world.users[saved["bot"]],
            world.users[saved["owner"]],
            world.token,
            world.application.privileged_intents,
        )
        made.commands.update((int(command["id"]), command) for command in saved["commands"])
        for entry in saved["emojis"]:
            content = self.contents.get(entry["id"])
            if content is not None:
                made.emojis[entry["id"]] = Emoji(
                    entry["id"], entry["name"], content, entry["type"], entry["animated"]
                )
        world.application = made

    def _guild(self, saved: Json) -> None:
        guild = Guild(saved["id"], saved["name"], saved["owner"], locale=saved["locale"])
        guild.commands.update((int(command["id"]), command) for command in saved["commands"])
        for entry in saved["roles"]:
            role = Role(**{**entry, "permissions": Permission(entry["permissions"])})
            guild.roles[role.id] = role
        for entry in saved["members"]:
            user = self.world.users[entry["user"]]
            guild.members[user.id] = Member(
                user, entry["joined_at"], entry["nick"], set(entry["roles"])
            )
        self.world.guilds[guild.id] = guild

    def _channels(self, saved: Iterable[Json]) -> None:
        world = self.world
        entries = list(saved)
        for entry in entries:
            guild = world.guilds[entry["guild"]] if entry["guild"] is not None else None
            people = tuple(world.users[number] for number in entry["recipients"])
            channel = Channel(
                entry["id"], ChannelType(entry["type"]), entry["name"], guild, recipients=people
            )
            for key in (
                "topic",
                "position",
                "last_message_id",
                "archived",
                "locked",
                "archive_changed_at",
                "active_at",
                "auto_archive_minutes",
                "total_message_sent",
                "invitable",
            ):
                setattr(channel, key, entry[key])
            channel.owner_id = entry["owner"]
            channel.thread_members = {int(number): at for number, at in entry["thread_members"]}
            for one in entry["overwrites"]:
                channel.overwrites[one["id"]] = Overwrite(
                    one["id"], one["kind"], Permission(one["allow"]), Permission(one["deny"])
                )
            world.add_channel_object(channel)
            if channel.is_dm:
                other = next(user for user in people if user is not world.bot)
                world._dms[other.id] = channel  # noqa: SLF001 - as above
        for entry in entries:
            if entry["parent"] is not None:
                world.channels[entry["id"]].parent = world.channels[entry["parent"]]

    def _message(self, saved: Json) -> None:
        world = self.world
        channel = world.channels[saved["channel"]]
        message = Message(
            saved["id"], channel, world.users[saved["author"]], MessageType(saved["type"])
        )
        for key in (
            "content",
            "components",
            "embeds",
            "flags",
            "mention_roles",
            "mention_everyone",
            "edited_at",
            "pinned",
            "reference",
            "by_interaction",
            "metadata",
            "command_name",
        ):
            setattr(message, key, saved[key])
        message.mentions = [world.users[number] for number in saved["mentions"]]
        message.pinged = frozenset(saved["pinged"])
        message.reactions = {emoji: set(who) for emoji, who in saved["reactions"]}
        for entry in saved["attachments"]:
            self._attachment(message, entry)
        channel.messages[message.id] = self.messages[message.id] = message

    def _attachment(self, message: Message, saved: Json) -> None:
        content = self.contents.get(saved["id"])
        if content is None:
            return
        file = Attachment(
            saved["id"],
            saved["filename"],
            content,
            saved["type"],
            saved["url"],
            saved["width"],
            saved["height"],
            saved["description"],
            in_embed=saved["in_embed"],
        )
        message.attachments.append(file)
        self.world.files[file.id] = file

    def _references(self, saved: Json) -> None:
        message = self.messages[saved["id"]]
        message.referenced = self.messages.get(saved["referenced"])
        message.thread = self.world.channels.get(saved["thread"])


# ---------------------------------------------------------------------------------- on disk


class Shelf:
    """A folder that keeps a world: `playground.json`, and `playground-files/` beside it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "playground.json"
        self._files = folder / "playground-files"

    def put(self, text: str, contents: Mapping[int, bytes]) -> None:
        """Write a saved world so that at no moment half of it is there; slow, so in a thread."""
        self._files.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in self._files.iterdir()}
        for number, content in contents.items():
            if str(number) not in there:
                _write(self._files / str(number), content)
        _write(self.file, text.encode())
        for name in there - {str(number) for number in contents}:
            (self._files / name).unlink(missing_ok=True)

    def get(self) -> tuple[Json, dict[int, bytes]] | None:
        """Read the saved world and its files; None when there is none. Raises CannotLoad."""
        try:
            saved = json.loads(self.file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise CannotLoad(f"it can't be read ({error})") from error
        if not isinstance(saved, dict):
            raise CannotLoad("it holds no object")
        contents = {
            int(path.name): path.read_bytes()
            for path in (self._files.iterdir() if self._files.is_dir() else ())
            if path.name.isdecimal()
        }
        return saved, contents

    def set_aside(self) -> Path:
        """Move a saved world that can't be loaded out of the way; returns where it is now."""
        aside = self.file.with_suffix(".broken.json")
        self.file.replace(aside)
        return aside


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
