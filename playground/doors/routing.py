"""Requests of the HTTP API on their way to a route: the table of routes, the call, the reply."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from playground.errors import Code, Refused
from playground.state.files import Upload
from playground.state.model import Channel, Guild, Message, User
from playground.wire import Json, as_object, snowflake

if TYPE_CHECKING:
    from playground.state.world import World


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server knows of a request and its body doesn't say."""

    interaction_type: int | None = None
    """For callbacks: 2 command, 3 component, 4 autocomplete, 5 modal submit."""
    from_message: bool = True
    """For a submitted modal: whether a control on a message opened it."""
    is_v2: bool = False
    """For edits: the message is made of Components V2 already."""
    ephemeral_ok: bool | None = None
    """Whether the ephemeral flag may be set; None where the route decides."""
    attachments: tuple[str, ...] = ()
    """For edits: the names of the files already there."""


@dataclass(slots=True, eq=False)
class Call:
    """One request, read and resolved."""

    world: "World"
    method: str
    path: str
    template: str
    params: Mapping[str, str]
    query: Mapping[str, str]
    body: object = None
    uploads: tuple[Upload, ...] = ()
    facts: Facts = field(default_factory=Facts)
    counted: bool = True
    """Whether it counts against the requests a second."""

    @property
    def bot(self) -> User:
        """Who asks."""
        return self.world.bot

    @property
    def json(self) -> Json:
        """The body as an object; empty when it is none."""
        return as_object(self.body)

    @property
    def parts(self) -> dict[str, tuple[str, int]]:
        """The uploaded files by part: name and size in bytes."""
        return {item.part: (item.filename, len(item.content)) for item in self.uploads}

    def id(self, name: str) -> int | None:
        """Read an id from the path."""
        return snowflake(self.params[name])

    def channel(self) -> Channel:
        """Find the path's channel, which the bot must see (10003, 50001)."""
        return self.world.channel_seen_by(self.bot, self.id("channel_id"))

    def message(self, channel: Channel) -> Message:
        """Find the path's message in a channel (10008); ephemeral ones aren't there."""
        message = channel.messages.get(self.id("message_id") or 0)
        if message is None:
            raise Refused.because(Code.UNKNOWN_MESSAGE)
        return message

    def guild(self) -> Guild:
        """Find the path's server, which the bot must be in (10004)."""
        guild = self.world.guilds.get(self.id("guild_id") or 0)
        if guild is None or self.bot.id not in guild.members:
            raise Refused.because(Code.UNKNOWN_GUILD)
        return guild

    def limit(self, default: int, most: int) -> int:
        """Read `limit` from the query, within bounds."""
        text = self.query.get("limit", "")
        return max(1, min(most, int(text))) if text.isdecimal() else default


@dataclass(frozen=True, slots=True)
class Reply:
    """What a route answers."""

    body: object = None
    status: int = 200


NOTHING = Reply(None, 204)


def created(body: object) -> Reply:
    """Answer 201 with what was made."""
    return Reply(body, 201)


Handler: TypeAlias = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path."""

    method: str
    template: str
    handler: Handler
    by_token: bool = False
    """Interaction and webhook routes: the token in the path is all that they ask for, and they
    don't count against the requests a second."""


class _Node:
    __slots__ = ("children", "name", "named", "routes")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.named: _Node | None = None
        self.name = ""
        self.routes: dict[str, Route] = {}


class Routes:
    """The table of routes; literal segments go before named ones."""

    def __init__(self) -> None:
        self._root = _Node()

    def on(
        self, method: str, template: str, *, by_token: bool = False
    ) -> Callable[[Handler], Handler]:
        """Decorate the function that serves a method of a path (`/channels/{channel_id}`)."""

        def enter(handler: Handler) -> Handler:
            node = self._root
            for segment in template.split("/")[1:]:
                if segment.startswith("{"):
                    if node.named is None:
                        node.named = _Node()
                    node.named.name = segment[1:-1]
                    node = node.named
                else:
                    node = node.children.setdefault(segment, _Node())
            node.routes[method] = Route(method, template, handler, by_token)
            return handler

        return enter

    def __iter__(self) -> Iterator[Route]:
        """List all routes."""
        nodes = [self._root]
        while nodes:
            node = nodes.pop()
            yield from node.routes.values()
            nodes.extend(node.children.values())
            if node.named is not None:
                nodes.append(node.named)

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Find the route of a request; refuses with 404 or 405."""
        params: dict[str, str] = {}
        node = self._walk(self._root, path.split("/")[1:], 0, params)
        if node is None:
            raise Refused.because(Code.NOT_FOUND)
        route = node.routes.get(method)
        if route is None:
            raise Refused.because(Code.METHOD_NOT_ALLOWED)
        return route, params

    def _walk(
        self, node: _Node, segments: list[str], at: int, params: dict[str, str]
    ) -> _Node | None:
        if at == len(segments):
            return node if node.routes else None
        child = node.children.get(segments[at])
        if child is not None:
            found = self._walk(child, segments, at + 1, params)
            if found is not None:
                return found
        if node.named is not None and segments[at]:
            found = self._walk(node.named, segments, at + 1, params)
            if found is not None:
                params[node.named.name] = segments[at]
                return found
        return None


ROUTES = Routes()
