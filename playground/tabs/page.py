"""The web page's side of the playground: its files, its people, and the live socket of each tab."""

import asyncio
import ipaddress
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from aiohttp import WSMsgType, web

from playground.errors import Refused
from playground.state.events import Event
from playground.state.invoking import CannotInvoke
from playground.state.model import Channel, Message, User
from playground.state.permissions import Permission
from playground.tabs import frames
from playground.wire import Json, as_object, as_objects, dumps, loads, snowflake

if TYPE_CHECKING:
    from playground.server import Playground

_log = logging.getLogger(__name__)

WEB = Path(__file__).parent.parent / "web"
NAME_LENGTH = 32
MOST_HISTORY = 100
_FRAME_BYTES = 1 << 20
_FRESH = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}


class CannotDo(Exception):
    """What a page asked for can't be done; the sentence is shown to the person."""


def is_loopback(host: str) -> bool:
    """Tell whether a Host header names this machine (a name elsewhere may point here, too)."""
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def require_own_page(request: web.Request) -> None:
    """Turn away requests that another site's page makes a browser send."""
    if not is_loopback(request.host):
        raise web.HTTPForbidden(text="The playground answers on this machine's own address only.")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="Another site's page may not use the playground.")


class Tab:
    """One open tab: a person's seat and the socket to it."""

    def __init__(self, page: "Page", user: User, socket: web.WebSocketResponse) -> None:
        self.page = page
        self.user = user
        self.socket = socket
        self.nonces: set[str] = set()
        self._out: asyncio.Queue[str] = asyncio.Queue()

    def send(self, kind: str, data: Json) -> None:
        """Queue a frame."""
        self._out.put_nowait(dumps({"t": kind, "d": data}))

    def hear(self, event: Event) -> None:
        """Take an event of the world to the page, if it is one for this person."""
        for kind, data in frames.tell(self.page.world, self.user, event, self.nonces):
            if kind == "READY":
                self.greet()
            else:
                self.send(kind, data)

    def greet(self) -> None:
        """Send everything that the person sees."""
        self.send("READY", self.page.ready(self.user))

    async def write(self) -> None:
        """Send what is queued until the socket closes."""
        while True:
            text = await self._out.get()
            try:
                await self.socket.send_str(text)
            except ConnectionError:
                return

    def receive(self, text: str) -> None:
        """Do what a frame of the page asks for; what can't be done is answered with ERROR."""
        try:
            frame = as_object(loads(text))
        except ValueError:
            frame = {}
        nonce = frame.get("nonce")
        if isinstance(nonce, str):
            self.nonces.add(nonce)
        try:
            self._do(frame)
        except (CannotDo, CannotInvoke, Refused) as error:
            sentence = error.message if isinstance(error, Refused) else str(error)
            self.send("ERROR", {"nonce": nonce, "message": sentence})
        except (KeyError, ValueError, TypeError) as error:
            _log.debug("a page sent a frame that makes no sense: %r", error)
            self.send("ERROR", {"nonce": nonce, "message": "The playground doesn't know that."})

    def _do(self, frame: Json) -> None:
        act = self._OPS.get(str(frame.get("op")))
        if act is None:
            raise CannotDo(f"There is no {frame.get('op')!r} here.")
        act(self, frame)

    # ------------------------------------------------------------------ what a page may ask for

    def _channel(self, frame: Json) -> Channel:
        return self.page.world.channel_seen_by(self.user, snowflake(frame.get("channel_id")))

    def _message(self, frame: Json) -> Message:
        channel, number = self._channel(frame), snowflake(frame.get("message_id")) or 0
        found = channel.messages.get(number) or channel.ephemerals.get(number)
        if found is None or found.ephemeral_for not in {None, self.user.id}:
            raise CannotDo("That message isn't there any more.")
        return found

    def _write(self, frame: Json) -> None:
        world, channel = self.page.world, self._channel(frame)
        message = world.send_message(self.user, channel, str(frame.get("content") or ""))
        self._mark(channel, message.id)

    def _command(self, frame: Json) -> None:
        self.page.world.interactions.create_command(
            self.user,
            self._channel(frame),
            str(frame["name"]),
            as_objects(frame.get("options")),
            nonce=frame["nonce"],
        )

    def _autocomplete(self, frame: Json) -> None:
        self.page.world.interactions.create_autocomplete(
            self.user,
            self._channel(frame),
            str(frame["name"]),
            as_objects(frame.get("options")),
            nonce=frame["nonce"],
        )

    def _press(self, frame: Json) -> None:
        values = frame.get("values")
        self.page.world.interactions.create_component(
            self.user,
            self._message(frame),
            str(frame["custom_id"]),
            values if isinstance(values, list) else None,
            nonce=frame["nonce"],
        )

    def _submit(self, frame: Json) -> None:
        interactions = self.page.world.interactions
        opened = interactions.by_id.get(snowflake(frame["interaction_id"]) or 0)
        if opened is None:
            raise CannotDo("This form is too old. Open it again.")
        components = as_objects(frame.get("components"))
        interactions.create_modal_submit(self.user, opened, components, nonce=frame["nonce"])

    def _history(self, frame: Json) -> None:
        world, channel = self.page.world, self._channel(frame)
        before = snowflake(frame.get("before"))
        most = max(1, min(int(frame.get("limit") or 50), MOST_HISTORY))
        seen = world.visible_messages(self.user, channel)
        older = [item for item in seen if before is None or item.id < before]
        shown = [frames.message(world, item, self.user) for item in older[-most:]]
        data = {"nonce": frame["nonce"], "channel_id": str(channel.id), "messages": shown}
        self.send("HISTORY", data)

    def _read(self, frame: Json) -> None:
        self._mark(self._channel(frame), snowflake(frame.get("message_id")) or 0)

    def _mark(self, channel: Channel, message_id: int) -> None:
        marks = self.page.read.setdefault(self.user.id, {})
        marks[channel.id] = max(marks.get(channel.id, 0), message_id)

    def _typing(self, frame: Json) -> None:
        self.page.world.start_typing(self.user, self._channel(frame))

    def _thread(self, frame: Json) -> None:
        name = str(frame.get("name") or "").strip()
        if not 1 <= len(name) <= 100:
            raise CannotDo("A thread's name has 1 to 100 characters.")
        self.page.world.create_thread(self.user, self._channel(frame), name)

    def _dismiss(self, frame: Json) -> None:
        message = self.page.world.find_message(snowflake(frame.get("message_id")) or 0)
        if message is not None:
            self.page.world.dismiss(self.user, message)

    def _delete(self, frame: Json) -> None:
        world, message = self.page.world, self._message(frame)
        if message.author is not self.user and not world.can(
            self.user, message.channel, Permission.MANAGE_MESSAGES
        ):
            raise CannotDo("Only its author may delete this message.")
        world.delete_message(message)

    def _dm_closed(self, frame: Json) -> None:
        self.page.world.close_dms(self.user, closed=bool(frame.get("closed")))

    def _fault(self, frame: Json) -> None:
        if frame.get("name") != "restart_bot":
            self.page.playground.faults.set(str(frame["name"]), frame.get("value"))
        elif self.page.restart_bot is None:
            raise CannotDo("The bot wasn't started by the playground, so it can't restart it.")
        else:
            self.page.restart_bot()

    # Named after the ops of the page's frames.
    _OPS: ClassVar[dict[str, Callable[["Tab", Json], None]]] = {
        "message": _write,
        "command": _command,
        "autocomplete": _autocomplete,
        "press": _press,
        "select": _press,
        "submit": _submit,
        "history": _history,
        "read": _read,
        "typing": _typing,
        "create_thread": _thread,
        "dismiss": _dismiss,
        "delete": _delete,
        "dm_closed": _dm_closed,
        "fault": _fault,
    }


class Page:
    """An extension of the playground that serves the web page.

        page = Page()
        async with Playground(extensions=[page]) as playground:
            ...  # a browser at playground.url

    `restart_bot` is called when somebody asks for it on the page; whoever started the bot sets
    it. `read` is what each person has read: the newest message by channel, by user.
    """

    def __init__(self) -> None:
        self.restart_bot: Callable[[], None] | None = None
        self.read: dict[int, dict[int, int]] = {}
        self.tabs: set[Tab] = set()

    def __call__(self, app: web.Application, playground: "Playground") -> None:
        """Enter the page's routes into the playground's server."""
        self.playground = playground
        self.world = playground.world
        app.router.add_get("/", self._index)
        app.router.add_get("/web/{path:.+}", self._file)
        app.router.add_get("/page/people", self._people)
        app.router.add_post("/page/people", self._new_person)
        app.router.add_get("/page/live", self._live)
        app.on_shutdown.append(self._close)

    def ready(self, user: User) -> Json:
        """Show all that somebody sees when he sits down."""
        state = self.playground.faults.state()
        return frames.ready(self.world, user, self.read.get(user.id, {}), state)

    def add_person(self, name: str) -> User:
        """Make somebody with this name, who joins every server and has read all that was said."""
        shown = " ".join(name.split())
        if not 1 <= len(shown) <= NAME_LENGTH:
            raise CannotDo(f"A name has 1 to {NAME_LENGTH} characters.")
        taken = {person.username for person in self.world.users.values()}
        base = re.sub(r"[^a-z0-9_.]", "", shown.lower().replace(" ", "_")) or "guest"
        number, username = 1, base
        while username in taken:
            number += 1
            username = f"{base}{number}"
        user = self.world.add_user(username, global_name=shown)
        self.read[user.id] = {
            channel.id: max(channel.messages)
            for channel in self.world.channels.values()
            if channel.messages
        }
        for guild in self.world.guilds.values():
            self.world.join(guild, user)
        return user

    # ------------------------------------------------------------------ routes

    async def _index(self, request: web.Request) -> web.StreamResponse:
        require_own_page(request)
        return web.FileResponse(WEB / "index.html", headers=_FRESH)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        require_own_page(request)
        path = (WEB / request.match_info["path"]).resolve()
        if not path.is_relative_to(WEB.resolve()) or not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path, headers=_FRESH)

    async def _people(self, request: web.Request) -> web.Response:
        require_own_page(request)
        people = [frames.user(one) for one in self.world.users.values() if self._sits(one)]
        return web.json_response(people, dumps=dumps)

    def _sits(self, user: User) -> bool:
        return not user.deleted and user is not self.world.application.owner

    async def _new_person(self, request: web.Request) -> web.Response:
        require_own_page(request)
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType
        try:
            name = as_object(await request.json()).get("name")
            user = self.add_person(name if isinstance(name, str) else "")
        except (ValueError, CannotDo) as error:
            sentence = str(error) if isinstance(error, CannotDo) else "That is no JSON."
            raise web.HTTPBadRequest(text=sentence) from None
        return web.json_response(frames.user(user), dumps=dumps)

    async def _live(self, request: web.Request) -> web.StreamResponse:
        require_own_page(request)
        user = self.world.users.get(snowflake(request.query.get("user")) or 0)
        if user is None or user.bot or not self._sits(user):
            raise web.HTTPNotFound(text="Nobody of that number is here.")
        socket = web.WebSocketResponse(timeout=1.0, max_msg_size=_FRAME_BYTES, heartbeat=30)
        await socket.prepare(request)
        tab = Tab(self, user, socket)
        self.tabs.add(tab)
        tab.greet()
        unsubscribe = self.world.subscribe(tab.hear)
        writer = asyncio.create_task(tab.write())
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    break
                tab.receive(frame.data)
        except ConnectionError:
            _log.debug("a tab's connection broke")
        finally:
            unsubscribe()
            writer.cancel()
            self.tabs.discard(tab)
        return socket

    async def _close(self, _: web.Application) -> None:
        for tab in tuple(self.tabs):
            await tab.socket.close()
