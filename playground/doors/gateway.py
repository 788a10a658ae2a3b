"""The gateway: sessions over websockets, each with its events, replayed after a lost connection."""

import asyncio
import logging
import secrets
import time
import zlib
from collections import deque
from enum import IntEnum
from typing import TYPE_CHECKING

from aiohttp import WSCloseCode, WSMsgType, web

from playground import shapes
from playground.doors.intents import PRIVILEGED, Intent, intent_of, stripped
from playground.state.events import Event, sees
from playground.state.model import Guild, Message
from playground.wire import Json, as_object, dumps, loads

if TYPE_CHECKING:
    from playground.state.world import World

_log = logging.getLogger(__name__)

# A client may send 120 frames a minute, each of at most 4,096 bytes.
_FRAMES_A_MINUTE = 120
_FRAME_BYTES = 4096
# How many missed events are kept for a resume.
_REPLAY = 20_000


class Op(IntEnum):
    """What a gateway frame is about."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """Why the gateway closed a connection."""

    UNKNOWN_ERROR = 4000
    UNKNOWN_OP = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQ = 4007
    RATE_LIMITED = 4008
    SESSION_TIMED_OUT = 4009
    INVALID_SHARD = 4010
    INVALID_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


class Session:
    """What one shard of a bot has heard, connected or not."""

    def __init__(self, shard: tuple[int, int], intents: Intent) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.intents = intents
        self.seq = 0
        self.sent: deque[tuple[int, str, str]] = deque(maxlen=_REPLAY)
        """Number, name and text of the last events; the texts are shared between sessions."""
        self.connection: Connection | None = None
        self.lost_at: float | None = None

    def dispatch(self, name: str, text: str) -> None:
        """Number an event, keep it for a resume and send it if there is a connection."""
        self.seq += 1
        self.sent.append((self.seq, name, text))
        if self.connection is not None:
            self.connection.send(_frame(self.seq, name, text))

    def missed(self, seq: int) -> list[str] | None:
        """List the frames after a number; None when they aren't all kept any more."""
        if not 0 <= seq <= self.seq:
            return None
        if seq < self.seq and self.sent[0][0] > seq + 1:
            return None
        return [_frame(*event) for event in self.sent if event[0] > seq]


def _frame(seq: int, name: str, text: str) -> str:
    return f'{{"op":0,"s":{seq},"t":"{name}","d":{text}}}'


class Connection:
    """One websocket of a bot, compressed or not."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        *,
        compressed: bool,
    ) -> None:
        self.socket = socket
        self.transport = transport
        self.session: Session | None = None
        self.heard_at = time.monotonic()
        self._deflate = zlib.compressobj() if compressed else None
        self._frames: asyncio.Queue[str | int] = asyncio.Queue()
        self._recent: deque[float] = deque()

    def send(self, frame: str) -> None:
        """Queue a frame."""
        self._frames.put_nowait(frame)

    def send_op(self, op: Op, data: object = None) -> None:
        """Queue a frame that is no event."""
        self.send(dumps({"op": op.value, "d": data, "s": None, "t": None}))

    def close(self, code: int) -> None:
        """Close the connection after what is queued."""
        self._frames.put_nowait(code)

    async def write(self) -> None:
        """Send what is queued, in order, until the connection closes."""
        while True:
            frame = await self._frames.get()
            if isinstance(frame, int):
                await self.socket.close(code=frame)
                return
            try:
                if self._deflate is None:
                    await self.socket.send_str(frame)
                    continue
                packed = self._deflate.compress(frame.encode())
                packed += self._deflate.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(packed)
            except ConnectionError:
                return

    def too_fast(self) -> bool:
        """Count a frame from the client; tell whether it sent too many in a minute."""
        now = time.monotonic()
        self._recent.append(now)
        while self._recent and self._recent[0] < now - 60:
            self._recent.popleft()
        return len(self._recent) > _FRAMES_A_MINUTE


class Gateway:
    """All sessions of the bot, and the websocket route that serves them."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.heartbeat_seconds = 41.25
        self.resumable_seconds = 180.0
        self.refused_until = 0.0
        """Until then (monotonic seconds) new connections are turned away."""
        self.answers_heartbeats = True
        self.heartbeat_answer_seconds = 0.05
        """As long as the way to Discord and back may take.

        discord.py notes when it sent a heartbeat only after it was sent, in another thread: an
        answer that is there sooner counts as one to the heartbeat before, a whole interval late.
        """
        self._unsubscribe = world.subscribe(self._tell)

    # ------------------------------------------------------------------ events to sessions

    def _tell(self, event: Event) -> None:
        intent = intent_of(event)
        if intent is None or not self.sessions or not self._for_bot(event):
            return
        guild = event.guild
        for session in self._live_sessions():
            number, count = session.shard
            if number != ((guild.id >> 22) % count if guild is not None else 0):
                continue
            if intent and not session.intents & intent:
                continue
            text = event.text
            if isinstance(event.subject, Message) and not session.intents & Intent.MESSAGE_CONTENT:
                text = stripped(event, self._world.bot)
            session.dispatch(event.name, text)

    def _for_bot(self, event: Event) -> bool:
        bot, guild, channel = self._world.bot, event.guild, event.channel
        if event.only is not None:
            if bot.id not in event.only:
                return False
        elif channel is not None and not sees(bot, channel):
            return False
        if guild is None or event.name == "GUILD_DELETE":
            return True
        if bot.id not in guild.members:
            return False
        return event.name == "GUILD_CREATE" or not guild.unavailable

    def _live_sessions(self) -> list[Session]:
        now = time.monotonic()
        for session in tuple(self.sessions.values()):
            lost = session.lost_at
            if lost is not None and now - lost > self.resumable_seconds:
                del self.sessions[session.id]
        return list(self.sessions.values())

    # ------------------------------------------------------------------ faults

    def cut(self, *, code: int = 1006, seconds: float = 0.0) -> None:
        """Break every connection and turn new ones away for a while; sessions can be resumed."""
        self.refused_until = time.monotonic() + seconds
        for connection in tuple(self.connections):
            if code == 1006:
                self._abort(connection)
            else:
                connection.close(code)

    def _abort(self, connection: Connection) -> None:
        """Drop the line without a word, as a broken network does."""
        if connection.transport is not None:
            connection.transport.abort()

    def ask_to_reconnect(self) -> None:
        """Send op 7: connect anew and resume."""
        for connection in self.connections:
            connection.send_op(Op.RECONNECT)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Send op 9; unless it is resumable the sessions are forgotten."""
        for connection in self.connections:
            connection.send_op(Op.INVALID_SESSION, data=resumable)
        if not resumable:
            for session in self.sessions.values():
                session.connection = None
            self.sessions.clear()

    async def stop(self) -> None:
        """Close all connections and listen no more."""
        self._unsubscribe()
        for connection in tuple(self.connections):
            await connection.socket.close(code=WSCloseCode.GOING_AWAY)

    # ------------------------------------------------------------------ one connection

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one websocket from hello to close."""
        if time.monotonic() < self.refused_until:
            return web.Response(status=503)
        socket = web.WebSocketResponse(compress=False, max_msg_size=1 << 20)
        await socket.prepare(request)
        compressed = request.query.get("compress") == "zlib-stream"
        connection = Connection(socket, request.transport, compressed=compressed)
        if request.query.get("v", "10") not in {"9", "10"}:
            await socket.close(code=Close.INVALID_VERSION)
            return socket
        self.connections.add(connection)
        writer = asyncio.create_task(connection.write())
        watcher = asyncio.create_task(self._watch(connection))
        try:
            connection.send_op(
                Op.HELLO, {"heartbeat_interval": round(self.heartbeat_seconds * 1000), "_trace": []}
            )
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT and frame.type is not WSMsgType.BINARY:
                    break
                code = self._receive(connection, frame.data)
                if code is not None:
                    connection.close(code)
        except ConnectionError:
            _log.debug("a gateway connection broke")
        finally:
            watcher.cancel()
            writer.cancel()
            self._lost(connection)
        return socket

    async def _watch(self, connection: Connection) -> None:
        """Close a connection whose client stopped sending heartbeats."""
        while True:
            await asyncio.sleep(self.heartbeat_seconds / 4)
            if time.monotonic() - connection.heard_at > self.heartbeat_seconds * 1.5:
                connection.close(Close.SESSION_TIMED_OUT)
                return

    def _lost(self, connection: Connection) -> None:
        self.connections.discard(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
            session.lost_at = time.monotonic()
        if not any(item.session is not None for item in self.connections):
            self._world.set_bot_online(online=False)

    def _receive(self, connection: Connection, data: str | bytes) -> int | None:
        """Take one frame; returns the close code when it ends the connection."""
        if len(data) > _FRAME_BYTES:
            return Close.DECODE_ERROR
        if connection.too_fast():
            return Close.RATE_LIMITED
        try:
            frame = as_object(loads(data))
        except ValueError:
            return Close.DECODE_ERROR
        try:
            op = Op(frame.get("op", -1))
        except ValueError:
            return Close.UNKNOWN_OP
        body = as_object(frame.get("d"))
        if op is Op.HEARTBEAT:
            connection.heard_at = time.monotonic()
            if self.answers_heartbeats:
                asyncio.get_running_loop().call_later(
                    self.heartbeat_answer_seconds, connection.send_op, Op.HEARTBEAT_ACK
                )
            return None
        if op in {Op.IDENTIFY, Op.RESUME}:
            if connection.session is not None:
                return Close.ALREADY_AUTHENTICATED
            if str(body.get("token", "")).removeprefix("Bot ") != self._world.token:
                return Close.AUTHENTICATION_FAILED
            act = self._identify if op is Op.IDENTIFY else self._resume
            return act(connection, body)
        if connection.session is None:
            return Close.NOT_AUTHENTICATED
        if op is Op.REQUEST_MEMBERS:
            self._send_members(connection.session, body)
        elif op not in {Op.PRESENCE, Op.VOICE_STATE}:
            return Close.UNKNOWN_OP
        return None

    def _identify(self, connection: Connection, body: Json) -> int | None:
        shard = body.get("shard", [0, 1])
        if not (
            isinstance(shard, list)
            and len(shard) == 2
            and all(isinstance(part, int) for part in shard)
            and 0 <= shard[0] < shard[1]
        ):
            return Close.INVALID_SHARD
        intents = body.get("intents")
        if not isinstance(intents, int) or intents < 0 or intents >= 1 << 32:
            return Close.INVALID_INTENTS
        if intents & PRIVILEGED & ~self._world.application.privileged_intents:
            return Close.DISALLOWED_INTENTS
        session = Session((shard[0], shard[1]), Intent(intents))
        self.sessions[session.id] = session
        self._attach(connection, session)
        guilds = self._guilds(session)
        ready: Json = {
            "v": 10,
            "user": {**shapes.user(self._world.bot), "verified": True, "email": None},
            "user_settings": {},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self._world.gateway_url,
            "shard": [shard[0], shard[1]],
            "application": {"id": str(self._world.application.id), "flags": 0},
            "_trace": [],
        }
        session.dispatch("READY", dumps(ready))
        for guild in guilds:
            if not guild.unavailable:
                session.dispatch("GUILD_CREATE", dumps(self._world.guild_for_bot(guild)))
        self._world.set_bot_online(online=True)
        return None

    def _guilds(self, session: Session) -> list[Guild]:
        number, count = session.shard
        return [
            guild
            for guild in self._world.guilds_of(self._world.bot)
            if (guild.id >> 22) % count == number
        ]

    def _resume(self, connection: Connection, body: Json) -> int | None:
        self._live_sessions()
        session = self.sessions.get(str(body.get("session_id")))
        if session is None:
            connection.send_op(Op.INVALID_SESSION, data=False)
            return None
        seq = body.get("seq")
        if not isinstance(seq, int) or seq > session.seq:
            return Close.INVALID_SEQ
        missed = session.missed(seq)
        if missed is None:
            del self.sessions[session.id]
            connection.send_op(Op.INVALID_SESSION, data=False)
            return None
        if session.connection is not None:
            session.connection.session = None
            session.connection.close(Close.UNKNOWN_ERROR)
        self._attach(connection, session)
        for frame in missed:
            connection.send(frame)
        session.dispatch("RESUMED", dumps({"_trace": []}))
        self._world.set_bot_online(online=True)
        return None

    def _attach(self, connection: Connection, session: Session) -> None:
        connection.session = session
        session.connection = connection
        session.lost_at = None

    def _send_members(self, session: Session, body: Json) -> None:
        guild = self._world.guilds.get(int(body.get("guild_id") or 0))
        if guild is None or self._world.bot.id not in guild.members:
            return
        wanted = body.get("user_ids")
        ids = [str(item) for item in wanted] if isinstance(wanted, list) else [str(wanted or "")]
        query = str(body.get("query") or "").lower()
        if wanted:
            found = [member for member in guild.members.values() if str(member.user.id) in ids]
        elif query or session.intents & Intent.GUILD_MEMBERS:
            found = [
                member for member in guild.members.values() if member.name.lower().startswith(query)
            ][: int(body.get("limit") or 1000)]
        else:
            return
        known = {str(member.user.id) for member in found}
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": [shapes.member(member) for member in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [item for item in ids if item and item not in known],
        }
        if body.get("nonce") is not None:
            chunk["nonce"] = body["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", dumps(chunk))
