"""The figures: what is counted, what is not said, and that they are off unless asked for."""

from __future__ import annotations

import socket
import urllib.request

import aiohttp
import pytest
from aiohttp import web

from bot import metrics
from bot.settings import Settings


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/channels/123456789012345678/messages", "/channels/:id/messages"),
        (
            "/api/v10/webhooks/123456789012345678/aW50ZXJhY3Rpb24/messages/@original",
            "/webhooks/:id/:token/messages/@original",
        ),
        (
            "/api/v10/interactions/123456789012345678/c2VjcmV0/callback",
            "/interactions/:id/:token/callback",
        ),
        ("/api/v10/users/@me", "/users/@me"),
    ],
)
def test_a_route_is_counted_without_ids_and_without_tokens(path: str, route: str) -> None:
    assert metrics.route_of(path) == route


async def test_requests_are_counted_by_route_and_status() -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(status=418)

    app = web.Application()
    app.router.add_get("/api/v10/channels/{id}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    labels = {"method": "GET", "route": "/channels/:id", "status": "418"}
    before = metrics.registry.get_sample_value("ginhouse_requests_total", labels) or 0.0
    async with aiohttp.ClientSession(trace_configs=[metrics.tracing()]) as session:
        answer_got = await session.get(f"http://127.0.0.1:{port}/api/v10/channels/123456789")
        assert answer_got.status == 418
    await runner.cleanup()
    assert metrics.registry.get_sample_value("ginhouse_requests_total", labels) == before + 1


def test_the_page_is_served_on_the_address_that_was_set_and_closes() -> None:
    port = free_port()
    stop = metrics.open_page("127.0.0.1", port)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        text = page.read().decode()
    stop()
    for name in ("ginhouse_answer_seconds", "ginhouse_running_matches", "ginhouse_loop_delay"):
        assert name in text
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics")


def test_figures_are_off_and_on_loopback_unless_set_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("METRICS_PORT", raising=False)
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert settings.metrics_port is None
    assert settings.metrics_host == "127.0.0.1"
