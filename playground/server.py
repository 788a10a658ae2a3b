"""The playground itself: world, gateway, API and files behind one address."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self, TypeAlias

from aiohttp import web

from playground.doors.api import MAX_BODY, Api
from playground.doors.gateway import Gateway
from playground.doors.ratelimits import RateLimits
from playground.doors.recording import Recording
from playground.faults import Faults
from playground.furniture import furnish
from playground.state.world import TOKEN, World

if TYPE_CHECKING:
    from types import TracebackType


class Playground:
    """A small Discord that listens on this machine.

    `extensions` add their own routes before it starts (the web page does). In tests:

        async with Playground() as playground:
            ...  # a client that uses playground.api_url and playground.gateway_url
    """

    def __init__(
        self,
        *,
        token: str = TOKEN,
        furnished: bool = True,
        seed: int = 0,
        extensions: Sequence["Extension"] = (),
    ) -> None:
        self.world = World(token=token)
        self.gateway = Gateway(self.world)
        self.faults = Faults(self.world, self.gateway, seed=seed)
        self.rates = RateLimits()
        self.sent = Recording()
        self.url = ""
        self._api = Api(self.world, self.faults, self.rates, self.sent)
        self._extensions = tuple(extensions)
        self._runner: web.AppRunner | None = None
        if furnished:
            furnish(self.world)

    @property
    def api_url(self) -> str:
        """The base address of the HTTP API (DISCORD_API_URL)."""
        return f"{self.url}/api/v10"

    @property
    def gateway_url(self) -> str:
        """The address of the gateway (DISCORD_GATEWAY_URL)."""
        return f"ws{self.url.removeprefix('http')}/gateway"

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes a free one."""
        app = web.Application(client_max_size=MAX_BODY)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_route("*", "/api/{path:.*}", self._api.serve)
        app.router.add_get("/attachments/{channel}/{id:\\d+}/{name}", self._attachment)
        app.router.add_get("/emojis/{id:\\d+}.{kind}", self._emoji)
        for extend in self._extensions:
            extend(app, self)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        bound = self._runner.addresses[0][1]
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{bound}"
        self.world.base_url = self.url
        self.world.gateway_url = self.gateway_url

    async def stop(self) -> None:
        """Close all connections and stop listening."""
        await self.gateway.stop()
        self.world.interactions.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        await self.stop()

    async def _attachment(self, request: web.Request) -> web.Response:
        file = self.world.files.get(int(request.match_info["id"]))
        if file is None or file.filename != request.match_info["name"]:
            return web.Response(status=404, text="This content is no longer available.")
        headers = {"Content-Type": file.content_type, "Cache-Control": "public, max-age=31536000"}
        return web.Response(body=file.content, headers=headers)

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self.world.application.emojis.get(int(request.match_info["id"]))
        if emoji is None:
            return web.Response(status=404)
        return web.Response(body=emoji.content, headers={"Content-Type": emoji.content_type})


Extension: TypeAlias = Callable[[web.Application, Playground], None]
