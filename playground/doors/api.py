"""The front door of the HTTP API: token, body, troubles, limits; then the route, recorded."""

import asyncio
import logging
from typing import TYPE_CHECKING

from aiohttp import BodyPartReader, web

import playground.routes as _routes  # noqa: F401 - entering the routes into the table
from playground.doors.ratelimits import RateLimits
from playground.doors.recording import Recording, SentRequest
from playground.doors.routing import ROUTES, Call, Reply, Route
from playground.errors import Code, Refused
from playground.faults import Faults, Rule, Trouble
from playground.state.files import Upload
from playground.wire import Json, dumps, loads

if TYPE_CHECKING:
    from playground.state.world import World

_log = logging.getLogger(__name__)

PREFIX = "/api/v10"
_PREFIXES = ("/api/v10", "/api/v9", "/api")
# More than Discord's 25 MiB, so that too large requests are read and refused with their code.
MAX_BODY = 64 * 1024 * 1024


class Api:
    """Serves /api/v10."""

    def __init__(
        self, world: "World", faults: Faults, rates: RateLimits, recording: Recording
    ) -> None:
        self._world = world
        self._faults = faults
        self._rates = rates
        self._recording = recording

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one request of a bot."""
        path = request.path
        for prefix in _PREFIXES:
            if path.startswith(prefix + "/"):
                path = path[len(prefix) :]
                break
        call = Call(self._world, request.method, path, path, {}, request.query)
        try:
            route, call.params = ROUTES.find(request.method, path)
            call.template, call.counted = route.template, not route.by_token
            self._require_token(request, route)
            await self._read(request, call)
        except Refused as refused:
            return self._finish(call, Reply(refused.body(), refused.status), {})
        except ConnectionResetError:  # whoever asked was killed in the middle of it
            return web.Response(status=400)
        return await self._answer(request, call, route)

    async def _answer(self, request: web.Request, call: Call, route: Route) -> web.StreamResponse:
        before = self._faults.befalling(call.method, call.path, call.template, after=False)
        for rule in before:
            if rule.trouble is Trouble.SLOW:
                await asyncio.sleep(rule.seconds)
        verdict = self._rates.take(call.method, call.template, call.params, counted=call.counted)
        headers = dict(verdict.headers)
        if verdict.retry_after is not None:
            reply = _too_much(verdict.retry_after, is_global=verdict.is_global)
            return self._finish(call, reply, headers)
        trouble = self._trouble(before, headers)
        if trouble is None:
            reply = self._handle(call, route)
            after = self._faults.befalling(call.method, call.path, call.template, after=True)
            for rule in after:
                if rule.trouble is Trouble.SLOW:
                    await asyncio.sleep(rule.seconds)
            trouble = self._trouble(after, headers)
        else:
            after = []
        if any(rule.trouble is Trouble.DROP for rule in (*before, *after)):
            self._record(call, reply if after else Reply(None, 0))
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        return self._finish(call, trouble or reply, headers)

    def _handle(self, call: Call, route: Route) -> Reply:
        try:
            return route.handler(call)
        except Refused as refused:
            return Reply(refused.body(), refused.status)
        except Exception:  # noqa: BLE001 - its own fault, shown as Discord shows its own
            _log.exception("the playground stumbled over %s %s", call.method, call.path)
            return Reply({"message": "500: Internal Server Error", "code": 0}, 500)

    def _trouble(self, rules: list[Rule], headers: dict[str, str]) -> Reply | None:
        for rule in rules:
            if rule.trouble is Trouble.ERROR:
                return Reply({"message": f"{rule.status}: Server Error", "code": 0}, rule.status)
            if rule.trouble is Trouble.RATE_LIMIT:
                headers.update(self._rates.too_much(rule.seconds, is_global=rule.is_global))
                return _too_much(rule.seconds, is_global=rule.is_global)
            if rule.trouble is Trouble.REFUSE and rule.refusal is not None:
                return Reply(rule.refusal.body(), rule.refusal.status)
            if rule.trouble is Trouble.DROP:
                return Reply(None, 0)
        return None

    def _require_token(self, request: web.Request, route: Route) -> None:
        if route.by_token:
            return
        if request.headers.get("Authorization") != f"Bot {self._world.token}":
            raise Refused.because(Code.UNAUTHORIZED)

    async def _read(self, request: web.Request, call: Call) -> None:
        if not request.can_read_body:
            return
        try:
            if request.content_type == "multipart/form-data":
                await self._read_parts(request, call)
                return
            content = await request.read()
        except web.HTTPRequestEntityTooLarge as error:
            raise Refused.because(Code.TOO_LARGE) from error
        if content:
            call.body = _json(content)

    async def _read_parts(self, request: web.Request, call: Call) -> None:
        uploads = []
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            content = bytes(await part.read())
            if part.name == "payload_json":
                call.body = _json(content)
            else:
                uploads.append(Upload(part.name or "", part.filename or "", content))
        call.uploads = tuple(uploads)

    def _finish(self, call: Call, reply: Reply, headers: dict[str, str]) -> web.Response:
        self._record(call, reply)
        if reply.status == 429 and "Via" not in headers:
            wait = reply.body.get("retry_after", 1.0) if isinstance(reply.body, dict) else 1.0
            headers.update(self._rates.too_much(wait, scope="shared"))
        return _response(reply.body, reply.status, headers)

    def _record(self, call: Call, reply: Reply) -> None:
        recording = self._recording
        recording.add(
            SentRequest(
                self._world.clock.now(),
                call.method,
                call.path,
                call.template,
                tuple(call.query.items()),
                call.body,
                call.uploads,
                call.facts,
                reply.status,
                reply.body,
                counted=call.counted,
            )
        )


def _json(content: bytes) -> object:
    try:
        return loads(content)
    except ValueError as error:
        raise Refused.because(Code.INVALID_JSON) from error


def _too_much(seconds: float, *, is_global: bool) -> Reply:
    body: Json = {
        "message": "You are being rate limited.",
        "retry_after": round(seconds, 3),
        "global": is_global,
    }
    return Reply(body, 429)


def _response(body: object, status: int, headers: dict[str, str] | None = None) -> web.Response:
    if status == 204 or body is None:
        return web.Response(status=status, headers=headers)
    # Clients compare the content type with exactly this; a charset would make it text to them.
    return web.Response(
        body=dumps(body).encode(),
        status=status,
        headers={**(headers or {}), "Content-Type": "application/json"},
    )
