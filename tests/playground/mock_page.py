"""A stand-in for the page's server: speaks the page's protocol, with canned content.

`python -m tests.playground.mock_page` serves it for looking at; tests run it in a thread.
"""

import asyncio
import contextlib
import json
import re
import time
from pathlib import Path
from typing import cast

from aiohttp import WSMsgType, web

from tests.playground import mock_content, mock_house
from tests.playground.mock_house import (
    ADA,
    BEA,
    BOT,
    EPHEMERAL,
    GUILD,
    LOADING,
    PEOPLE,
    TALK,
    Json,
    message,
)

WEB = Path(__file__).resolve().parents[2] / "playground" / "web"
CARDS = {"7h": "7♥", "7c": "7♣", "kc": "K♣"}


class MockPage:
    """The house behind the page, with everything that clients sent kept in `received`."""

    def __init__(self) -> None:
        self.sockets: dict[web.WebSocketResponse, str] = {}
        self.url = ""
        self.furnish()
        self._runner: web.AppRunner | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def furnish(self) -> None:
        """Put everything as it was in the beginning."""
        self.received: list[Json] = []
        self.people = [dict(user) for user in PEOPLE]
        self.messages = mock_content.messages()
        self.channels = mock_house.channels()
        self.faults: Json = {}
        self.number = 1000
        self.answers_autocomplete = True

    async def start(self, port: int = 0) -> None:
        """Listen on the loopback address."""
        self._loop = asyncio.get_running_loop()
        app = web.Application()
        app.router.add_get("/", self._index)
        app.router.add_static("/web/", WEB)
        app.on_response_prepare.append(self._keep)
        app.router.add_get("/files/{name}.svg", self._picture)
        app.router.add_get("/page/people", self._people)
        app.router.add_post("/page/people", self._newcomer)
        app.router.add_get("/page/live", self._live)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        """Close everything."""
        for socket in tuple(self.sockets):
            await socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    # ------------------------------------------------------------------ for tests, from any thread

    def push(self, kind: str, data: Json, user: str | None = None) -> None:
        """Send a frame to everybody, or to one person's tabs."""
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._tell(kind, data, user), self._loop).result(5)

    def say(self, channel: str, author: Json, content: str, **more: object) -> Json:
        """Let somebody write a message."""
        self.number += 1
        said = message(self.number, channel, author, content, **more)
        self.messages.append(said)
        self.push("MESSAGE_CREATE", said)
        return said

    def hang_up(self) -> None:
        """Cut everybody's connection."""
        assert self._loop is not None

        async def close() -> None:
            for socket in tuple(self.sockets):
                await socket.close()

        asyncio.run_coroutine_threadsafe(close(), self._loop).result(5)

    def sent(self, op: str, count: int = 1) -> list[Json]:
        """What clients sent of one kind, without nonces, once there are so many."""
        for _ in range(200):
            if sum(frame["op"] == op for frame in self.received) >= count:
                break
            time.sleep(0.025)
        return [
            {key: value for key, value in frame.items() if key not in {"op", "nonce"}}
            for frame in self.received
            if frame["op"] == op
        ]

    # ------------------------------------------------------------------ HTTP

    async def _keep(self, request: web.Request, response: web.StreamResponse) -> None:
        if request.path.startswith("/web/"):
            response.headers["Cache-Control"] = "max-age=60"

    async def _index(self, _: web.Request) -> web.FileResponse:
        return web.FileResponse(WEB / "index.html")

    async def _picture(self, request: web.Request) -> web.Response:
        svg = mock_content.PICTURES.get(request.match_info["name"])
        if svg is None:
            raise web.HTTPNotFound
        return web.Response(text=svg, content_type="image/svg+xml")

    async def _people(self, _: web.Request) -> web.Response:
        return web.json_response(self.people)

    async def _newcomer(self, request: web.Request) -> web.Response:
        name = str((await request.json())["name"])
        user = {"id": str(200 + len(self.people)), "username": name.lower(), "global_name": name}
        self.people.append(user)
        return web.json_response(user)

    async def _live(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        user = request.query["user"]
        self.sockets[socket] = user
        await self._send(socket, "READY", self._ready(user))
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                await self._took(socket, user, cast("Json", json.loads(frame.data)))
        self.sockets.pop(socket, None)
        return socket

    def _ready(self, user_id: str) -> Json:
        me = self._person(user_id)
        members: list[Json] = [{"user": user, "nick": None} for user in self.people]
        last: dict[str, str] = {}
        for one in self.messages:
            last[one["channel_id"]] = one["id"]
        read = {channel: last[channel] for channel in last if channel != TALK} | {TALK: "7000010"}
        read.pop(f"{mock_house.DM}{ADA['id']}", None)
        return {
            "me": me,
            "app": {"id": BOT["id"], "bot": BOT},
            "guilds": [
                {
                    "id": GUILD,
                    "name": "Rummy Society",
                    "channels": self.channels,
                    "members": members,
                    "roles": [{"id": "600", "name": "dealers"}],
                }
            ],
            "dms": [mock_house.dm(me)],
            "commands": mock_content.commands(),
            "read": read,
            "last": last,
            "dm_closed": False,
            "bot_online": True,
        }

    def _person(self, user_id: str) -> Json:
        return next(user for user in self.people if user["id"] == user_id)

    async def _send(self, socket: web.WebSocketResponse, kind: str, data: Json) -> None:
        with contextlib.suppress(ConnectionError):  # a tab that is just closing
            await socket.send_json({"t": kind, "d": data})

    async def _tell(self, kind: str, data: Json, user: str | None = None) -> None:
        for socket, seated in tuple(self.sockets.items()):
            if user in {None, seated}:
                await self._send(socket, kind, data)

    # ------------------------------------------------------------------ frames

    async def _took(self, socket: web.WebSocketResponse, user: str, frame: Json) -> None:
        self.received.append(frame)
        answer = getattr(self, f"_on_{frame['op']}", None)
        if answer is not None:
            await answer(socket, user, frame)

    async def _on_history(self, socket: web.WebSocketResponse, _: str, frame: Json) -> None:
        found = [one for one in self.messages if one["channel_id"] == frame["channel_id"]]
        if frame.get("before"):
            found = [one for one in found if int(one["id"]) < int(frame["before"])]
        found = sorted(found, key=lambda one: int(one["id"]))[-frame["limit"] :]
        answer = {"nonce": frame["nonce"], "channel_id": frame["channel_id"], "messages": found}
        await self._send(socket, "HISTORY", answer)

    async def _on_message(self, _: web.WebSocketResponse, user: str, frame: Json) -> None:
        self.number += 1
        me = self._person(user)
        said = message(self.number, frame["channel_id"], me, frame["content"])
        self.messages.append(said)
        await self._tell("MESSAGE_CREATE", said)

    async def _state(self, socket: web.WebSocketResponse, frame: Json, state: str) -> None:
        answer = {"nonce": frame["nonce"], "id": f"i{self.number}", "state": state}
        await self._send(socket, "INTERACTION", answer | {"ephemeral": False})

    async def _on_command(self, socket: web.WebSocketResponse, user: str, frame: Json) -> None:
        name = f"{frame['name']} {frame['options'][0]['name']}" if frame["options"] else "gin-admin"
        if name == "gin cancel":
            await self._state(socket, frame, "failed")
            return
        self.number += 1
        used = {"id": f"i{self.number}", "type": 2, "user": self._person(user), "name": name}
        flags = {"gin hand": EPHEMERAL, "gin help": LOADING}.get(name, 0)
        told = message(
            self.number,
            frame["channel_id"],
            BOT,
            f"You did **/{name}**.",
            type=20,
            flags=flags,
            interaction_metadata=used,
        )
        self.messages.append(told)
        await self._state(socket, frame, "thinking" if flags == LOADING else "answered")
        await self._tell("MESSAGE_CREATE", told, user if flags == EPHEMERAL else None)

    async def _on_autocomplete(self, socket: web.WebSocketResponse, _: str, frame: Json) -> None:
        if not self.answers_autocomplete:
            await self._send(socket, "ERROR", {"nonce": frame["nonce"], "message": "no answer"})
            return
        typed = next(
            str(option["value"])
            for option in frame["options"][0]["options"]
            if option.get("focused")
        )
        choices = [
            {"name": f"{shown} from your hand", "value": card}
            for card, shown in CARDS.items()
            if card.startswith(typed.lower())
        ]
        await self._send(socket, "CHOICES", {"nonce": frame["nonce"], "choices": choices})

    async def _on_press(self, socket: web.WebSocketResponse, _: str, frame: Json) -> None:
        if frame["custom_id"] == "modal":
            asked = {"interaction_id": "i1", "modal": mock_content.modal()}
            await self._send(socket, "MODAL", {"nonce": frame["nonce"]} | asked)
        elif frame["custom_id"] == "fail":
            await self._state(socket, frame, "failed")
        elif frame["custom_id"] != "slow":
            await self._state(socket, frame, "answered")

    async def _on_select(self, socket: web.WebSocketResponse, _: str, frame: Json) -> None:
        await self._state(socket, frame, "answered")
        for one in self.messages:
            if one["id"] == frame["message_id"]:
                one["edited_timestamp"] = one["timestamp"]
                await self._tell("MESSAGE_UPDATE", one)

    async def _on_submit(self, socket: web.WebSocketResponse, _: str, frame: Json) -> None:
        note = next(
            part["component"]["value"]
            for part in frame["components"]
            if part.get("component", {}).get("custom_id") == "note"
        )
        if note == "old":
            refused = {"nonce": frame["nonce"], "message": "This form is too old. Open it again."}
            await self._send(socket, "ERROR", refused)
            return
        await self._state(socket, frame, "failed" if note == "fail" else "answered")

    async def _on_delete(self, _: web.WebSocketResponse, __: str, frame: Json) -> None:
        self.messages = [one for one in self.messages if one["id"] != frame["message_id"]]
        gone = {"id": frame["message_id"], "channel_id": frame["channel_id"]}
        await self._tell("MESSAGE_DELETE", gone)

    async def _on_fault(self, _: web.WebSocketResponse, __: str, frame: Json) -> None:
        value = frame["value"]
        self.faults[frame["name"]] = value.get("seconds") if isinstance(value, dict) else value
        await self._tell("FAULTS", self.faults)

    async def _on_create_thread(self, _: web.WebSocketResponse, __: str, frame: Json) -> None:
        name = re.sub(r"\s+", " ", frame["name"])
        thread = {"id": "521", "name": name, "type": 11, "parent_id": frame["channel_id"]}
        self.channels.append(thread)
        await self._tell("THREAD_CREATE", thread | {"guild_id": GUILD})


async def main() -> None:
    """Serve until interrupted."""
    page = MockPage()
    await page.start(8099)
    print(page.url, f"{page.url}/?user={ADA['id']}", f"{page.url}/?user={BEA['id']}")  # noqa: T201
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
