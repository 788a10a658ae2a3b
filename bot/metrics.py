"""Figures for the person who runs the bot: ``/metrics`` in the form that Prometheus reads.

Off unless METRICS_PORT is set, and then on loopback unless METRICS_HOST says otherwise. No name,
no id of a person and no card is among the figures.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Final

import aiohttp
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LOOK_EVERY: Final = timedelta(seconds=1)
"""How often the event loop's delay is measured."""
COUNT_EVERY: Final = timedelta(seconds=30)
"""How often the running matches are counted."""

registry: Final = CollectorRegistry()
interactions: Final = Counter(
    "ginhouse_interactions", "Interactions, by kind and by what became of the answer",
    ["kind", "fate"], registry=registry,
)  # fmt: skip
answer_seconds: Final = Histogram(
    "ginhouse_answer_seconds", "From the interaction's arrival to its first answer, in seconds",
    registry=registry, buckets=(0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.0, 3.0),
)  # fmt: skip
requests: Final = Counter(
    "ginhouse_requests", "Requests to Discord, by route and by status",
    ["method", "route", "status"], registry=registry,
)  # fmt: skip
running_matches: Final = Gauge(
    "ginhouse_running_matches", "Matches that are being played", registry=registry
)
loop_delay: Final = Histogram(
    "ginhouse_loop_delay_seconds", "How late the event loop came back to a timer, in seconds",
    registry=registry, buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)  # fmt: skip

LOOP_SEEN: Final = "ginhouse_loop_seen_timestamp_seconds"
loop_seen: Final = Gauge(
    LOOP_SEEN, "When the event loop last came by, in seconds since 1970", registry=registry
)
CONNECTED: Final = "ginhouse_connected_timestamp_seconds"
connected: Final = Gauge(
    CONNECTED,
    "When every connection to Discord was last there, in seconds since 1970; "
    "the start, while they never were",
    registry=registry,
)

backup_made: Final = Gauge(
    "ginhouse_backup_timestamp_seconds",
    "When the newest backup was made, in seconds since 1970; 0 while there is none",
    registry=registry,
)

_ID: Final = re.compile(r"/\d{5,}")
_TOKEN: Final = re.compile(r"(/(?:webhooks|interactions)/:id)/[^/]+")


def route_of(path: str) -> str:
    """The route of a request without its ids and tokens: ``/channels/:id/messages/:id``."""
    return _TOKEN.sub(r"\1/:token", _ID.sub("/:id", re.sub(r"^/api/v\d+", "", path)))


def tracing() -> aiohttp.TraceConfig:
    """Counts every request that a client makes; given to discord.py."""

    async def ended(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        ending: aiohttp.TraceRequestEndParams,
    ) -> None:
        requests.labels(ending.method, route_of(ending.url.path), ending.response.status).inc()

    async def failed(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        failing: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        requests.labels(failing.method, route_of(failing.url.path), "failed").inc()

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(failed)
    return config


def open_page(host: str, port: int) -> Callable[[], None]:
    """Serve the figures in a thread of their own; returns what stops it again.

    Raises OSError where the port can't be had. From here on it counts how long the event loop
    doesn't come by.
    """
    loop_seen.set_to_current_time()
    connected.set_to_current_time()
    server, thread = start_http_server(port, host, registry=registry)
    log.info("metrics", host=host, port=port)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


async def watch_loop(last_connected: Callable[[], datetime]) -> None:
    """Note as long as the bot runs how late the event loop comes back, and how Discord is heard."""
    loop = asyncio.get_running_loop()
    wait = LOOK_EVERY.total_seconds()
    while True:
        loop_seen.set_to_current_time()
        connected.set(last_connected().timestamp())
        due = loop.time() + wait
        await asyncio.sleep(wait)
        loop_delay.observe(max(0.0, loop.time() - due))


async def watch_matches(count: Callable[[], Awaitable[int]]) -> None:
    """Count the running matches now and then, as long as the bot runs."""
    while True:
        try:
            running_matches.set(await count())
        except Exception:  # a figure that is missing once must not end the watch
            log.exception("matches not counted")
        await asyncio.sleep(COUNT_EVERY.total_seconds())
