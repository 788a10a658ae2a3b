"""What the web page is told: the world as one person sees it, and what happens there."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from playground import shapes
from playground.state.events import Event, sees
from playground.state.interactions import Interaction, State
from playground.state.model import Channel, Guild, Member, Message, User
from playground.state.permissions import Permission, in_guild
from playground.wire import Json

if TYPE_CHECKING:
    from playground.state.world import World

Frame = tuple[str, Json]

_AS_IT_IS = frozenset(
    {
        "CHANNEL_CREATE",
        "CHANNEL_UPDATE",
        "CHANNEL_DELETE",
        "THREAD_CREATE",
        "THREAD_UPDATE",
        "THREAD_DELETE",
        "MESSAGE_DELETE",
    }
)


def user(person: User) -> Json:
    """Show a user, with the colour of his picture."""
    shown = shapes.user(person)
    shown["bot"] = person.bot
    shown["avatar_color"] = person.avatar_color
    return shown


def message(world: "World", of: Message, person: User) -> Json:
    """Show a message, with whether it called this person when it came."""
    return _seen(world.posts.show(of), of, calls=person.id in of.pinged)


def _seen(data: Json, of: Message, *, calls: bool) -> Json:
    shown = {**data, "author": user(of.author), "mention_me": calls}
    if of.metadata is not None:
        by = {**of.metadata["user"]}
        shown["interaction_metadata"] = {**of.metadata, "user": by}
    return shown


def channel(of: Channel, person: User) -> Json:
    """Show a channel, thread or direct message to somebody."""
    shown = shapes.channel(of, seen_by=person)
    if of.is_dm:
        shown["recipients"] = [user(one) for one in of.recipients if one is not person]
    elif of.is_thread:
        shown["archived"], shown["locked"] = of.archived, of.locked
    return shown


def member(of: Member, guild: Guild) -> Json:
    """Show a member of a server."""
    return {"guild_id": str(guild.id), "user": user(of.user), "nick": of.nick}


def ready(
    world: "World", person: User, read: Mapping[int, int], faults: Mapping[str, object]
) -> Json:
    """Show all that somebody sees when he sits down.

    `read` are the newest messages that he has read, by channel.
    """
    world.dm(person)
    channels = [item for item in world.channels.values() if sees(person, item)]
    return {
        "me": user(person),
        "app": {"id": str(world.application.id), "bot": user(world.bot)},
        "guilds": [_guild(world, guild, person) for guild in world.guilds_of(person)],
        "dms": [channel(item, person) for item in channels if item.is_dm],
        "commands": commands(world, person),
        "read": {str(channel_id): str(newest) for channel_id, newest in read.items()},
        "last": {str(item.id): str(max(item.messages)) for item in channels if item.messages},
        "dm_closed": person.dms_closed,
        "bot_online": world.bot_online,
        "faults": {**faults, "now": now(world)},
        "now": now(world),
    }


def now(world: "World") -> int:
    """Tell the world's time in milliseconds."""
    return int(world.clock.now() * 1000)


def _guild(world: "World", guild: Guild, person: User) -> Json:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "roles": [shapes.role(role) for role in guild.roles.values() if role.id != guild.id],
        "channels": [channel(item, person) for item in world.channels_for(person, guild)],
        "members": [member(one, guild) for one in guild.members.values()],
    }


def commands(world: "World", person: User) -> list[Json]:
    """List the commands that somebody's client offers in any of his servers."""
    found: dict[str, Json] = {}
    for guild in world.guilds_of(person):
        if world.bot.id not in guild.members:
            continue
        rights = in_guild(guild, guild.members[person.id])
        known = [*world.application.commands.values(), *guild.commands.values()]
        for command in known:
            needed = command.get("default_member_permissions")
            if needed is None or rights & Permission.ADMINISTRATOR or _has(rights, needed):
                found[command["id"]] = command
    return list(found.values())


def _has(rights: Permission, needed: object) -> bool:
    wanted = int(str(needed))
    return bool(wanted) and not wanted & ~rights.value


def tell(world: "World", person: User, event: Event, mine: set[str]) -> Iterator[Frame]:
    """Say what an event is to one person's page; `mine` are the nonces that this tab sent.

    A READY without data asks for everything anew: the person joined or left a server.
    """
    name, subject = event.name, event.subject
    if isinstance(subject, Interaction):
        if event.only is not None and person.id in event.only:
            yield from _interaction(name, event.data, subject, mine)
    elif name == "COMMANDS_UPDATE":
        yield "COMMANDS", {"commands": commands(world, person)}
    elif name == "BOT_PRESENCE":
        yield "BOT", dict(event.data)
    elif name == "FAULTS":
        yield "FAULTS", {**event.data, "now": now(world)}
    elif name.startswith("GUILD_MEMBER_") and event.guild is not None:
        yield from _membership(name, event, event.guild, person)
    elif isinstance(subject, Message) and name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
        if event.visible_to(person):
            calls = person.id in (event.pings or subject.pinged)
            yield name, _seen(event.data, subject, calls=calls)
    elif name in _AS_IT_IS:
        yield from _place(name, event, person)


def _place(name: str, event: Event, person: User) -> Iterator[Frame]:
    subject = event.subject
    if name == "MESSAGE_DELETE" or not isinstance(subject, Channel):
        if event.visible_to(person):
            yield name, event.data
    elif name.endswith("_DELETE"):
        if event.guild is None or person.id in event.guild.members:
            yield name, {"id": str(subject.id), "guild_id": event.data.get("guild_id")}
    elif sees(person, subject):
        yield name, channel(subject, person)
    elif event.guild is not None and person.id in event.guild.members and "UPDATE" in name:
        yield name.replace("UPDATE", "DELETE"), {"id": str(subject.id)}


def _membership(name: str, event: Event, guild: Guild, person: User) -> Iterator[Frame]:
    changed = int(event.data["user"]["id"])
    if changed == person.id and name != "GUILD_MEMBER_UPDATE":
        yield "READY", {}
    elif person.id not in guild.members:
        return
    elif name == "GUILD_MEMBER_REMOVE":
        yield "MEMBER_REMOVE", {"guild_id": str(guild.id), "user": event.data["user"]}
    elif changed in guild.members:
        yield "MEMBER_ADD", member(guild.members[changed], guild)


def _interaction(name: str, data: Json, of: Interaction, mine: set[str]) -> Iterator[Frame]:
    if of.nonce not in mine:
        return
    if name == "INTERACTION_MODAL_CREATE":
        modal = {key: data[key] for key in ("custom_id", "title", "components")}
        yield (
            "MODAL",
            {
                "nonce": of.nonce,
                "interaction_id": str(of.id),
                "channel_id": str(of.channel.id),
                "modal": modal,
            },
        )
    elif name == "APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE":
        yield "CHOICES", {"nonce": of.nonce, "choices": of.choices or []}
    elif name == "INTERACTION_FAILURE" and of.type is of.type.AUTOCOMPLETE:
        yield "ERROR", {"nonce": of.nonce, "message": "Loading options failed"}
    elif name in {"INTERACTION_SUCCESS", "INTERACTION_FAILURE"}:
        state = "answered"
        if of.state in {State.THINKING, State.FAILED}:
            state = of.state.value
        yield (
            "INTERACTION",
            {"nonce": of.nonce, "id": str(of.id), "state": state, "ephemeral": of.ephemeral},
        )
