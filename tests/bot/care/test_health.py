"""Asking a running bot how it is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import BaseRequestHandler, TCPServer
from threading import Thread
from unittest.mock import create_autospec

import pytest
from prometheus_client import CollectorRegistry, start_http_server

from bot import __main__ as program
from bot import metrics
from bot.care import health
from bot.care.line import Line
from bot.client import Ginhouse
from bot.now import utc_now
from bot.settings import Settings
from tests.bot.test_metrics import free_port


@pytest.fixture
def port() -> Iterator[int]:
    """Where the figures of this process are served."""
    number = free_port()
    stop = metrics.open_page("127.0.0.1", number)
    yield number
    stop()


async def test_a_bot_whose_loop_turns_is_well(port: int) -> None:
    watching = asyncio.create_task(metrics.watch_loop(utc_now))
    await asyncio.sleep(0)
    assert await asyncio.to_thread(health.ask, "127.0.0.1", port) == (True, "The bot is well.")
    watching.cancel()


def test_a_bot_that_is_stuck_is_not_well_though_its_figures_answer(port: int) -> None:
    metrics.loop_seen.set(time.time() - 90)
    is_well, said = health.ask("0.0.0.0", port)  # noqa: S104 - a setting
    assert not is_well
    assert "busy or stuck for 9" in said


@pytest.mark.parametrize(
    ("lost_for", "is_well"), [(timedelta(minutes=9), True), (timedelta(minutes=11), False)]
)
async def test_a_bot_that_discord_has_not_reached_for_ten_minutes_is_not_well(
    port: int, lost_for: timedelta, is_well: bool
) -> None:
    """A short outage of Discord's is no reason to start it again."""
    watching = asyncio.create_task(metrics.watch_loop(lambda: utc_now() - lost_for))
    await asyncio.sleep(0)
    said = (
        "The bot is well."
        if is_well
        else "The bot has had no whole connection to Discord for 11 minutes."
    )
    assert await asyncio.to_thread(health.ask, "127.0.0.1", port) == (is_well, said)
    watching.cancel()


def test_a_bot_that_has_only_begun_is_well(port: int) -> None:
    assert health.ask("127.0.0.1", port) == (True, "The bot is well.")


async def test_a_bot_that_cannot_log_in_yet_says_that_its_loop_turns() -> None:
    port = free_port()
    settings = Settings(_env_file=None, metrics_port=port)  # type: ignore[call-arg]
    bot = create_autospec(Ginhouse, instance=True, line=Line(utc_now))
    close = program._open_figures(settings, bot)
    metrics.loop_seen.set(0)
    await asyncio.sleep(0)
    assert await asyncio.to_thread(health.ask, "127.0.0.1", port) == (True, "The bot is well.")
    close()


def test_the_line_is_whole_when_every_shard_is_heard() -> None:
    now = start = datetime(2026, 1, 1, tzinfo=UTC)
    line = Line(lambda: now)

    def passes_to(minute: int) -> datetime:
        nonlocal now
        now = start + timedelta(minutes=minute)
        return now

    passes_to(5)
    assert line.last_whole() == start  # it is still joining
    line.found()
    assert line.last_whole() == now
    first = passes_to(6)
    line.lost(0)
    passes_to(7)
    line.lost(1)
    line.lost(0)
    passes_to(8)
    assert line.last_whole() == first
    line.found(0)
    assert line.last_whole() == start + timedelta(minutes=7)
    line.found(1)
    assert line.last_whole() == now


def test_where_nobody_answers_nobody_is_well() -> None:
    port = free_port()
    is_well, said = health.ask("127.0.0.1", port)
    assert not is_well
    assert said == f"The bot doesn't answer at http://127.0.0.1:{port} (connection refused)."


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.0 404 Not Found\r\n\r\n", "not found"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "what answers there doesn't speak HTTP, or broke off"),
        (
            b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\nhalf",
            "what answers there doesn't speak HTTP, or broke off",
        ),
    ],
)
def test_why_there_is_no_answer_is_said_in_words(answer: bytes, why: str) -> None:
    class Odd(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(4096)
            self.request.sendall(answer)

    with TCPServer(("127.0.0.1", 0), Odd) as server:
        answering = Thread(target=server.handle_request)
        answering.start()
        port = server.server_address[1]
        assert health.ask("127.0.0.1", port) == (
            False,
            f"The bot doesn't answer at http://127.0.0.1:{port} ({why}).",
        )
        answering.join()


@pytest.mark.parametrize("host", ["a" * 80, ".a", "a b"])
def test_a_host_that_cannot_be_one_is_named_as_the_setting_that_is_wrong(host: str) -> None:
    assert health.ask(host, 9100)[1].endswith("(METRICS_HOST is no name of a host).")


def test_the_figures_of_another_program_are_no_answer() -> None:
    port = free_port()
    server, thread = start_http_server(port, "127.0.0.1", registry=CollectorRegistry())
    assert health.ask("127.0.0.1", port)[1] == (
        f"What answers at http://127.0.0.1:{port} is no Ginhouse."
    )
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    "content",
    [b"<!doctype html>\n<h1>It works!</h1>", b"a_figure nothing", b"\xff\xfe"],
    ids=["another page", "no figure", "no text"],
)
def test_a_page_without_figures_is_no_answer(content: bytes) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        answering = Thread(target=server.handle_request)
        answering.start()
        port = server.server_port
        assert health.ask("127.0.0.1", port) == (
            False,
            f"What answers at http://127.0.0.1:{port} is no Ginhouse.",
        )
        answering.join()


def test_without_figures_the_setting_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("METRICS_PORT", raising=False)
    monkeypatch.chdir("/")
    assert program.main(["health"]) == 1
    assert "METRICS_PORT isn't set" in capsys.readouterr().err


def test_the_command_ends_with_0_for_a_bot_that_is_well(
    port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir("/")
    monkeypatch.setenv("METRICS_PORT", str(port))
    metrics.loop_seen.set_to_current_time()
    assert program.main(["health"]) == 0
    assert "The bot is well." in capsys.readouterr().out
