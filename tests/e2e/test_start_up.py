"""Start and stop of the program, as the person who runs it sees them (faults.md, rows 1 and 3)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest

from playground.acting.people import Answer, Person, people
from playground.server import Playground
from tests.bot.test_metrics import free_port
from tests.e2e.process import ROOT, BotProcess, Nursery

TOKEN = "MTIzNDU2.Gh1jKl.a-token-of-the-right-shape"
ANOTHER = "MTIzNDU2.Mn2oPq.one-that-is-not-known-here"


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as opened:
        yield opened


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground(token=TOKEN) as started:
        yield started


@pytest.fixture
async def bot(
    nursery: Nursery, tmp_path: Path, playground: Playground
) -> AsyncIterator[BotProcess]:
    process = BotProcess.on(nursery, tmp_path, playground)
    yield process
    await process.kill()


def one_sentence(said: str) -> str:
    """What was said, if it is one line without a traceback."""
    lines = [line for line in said.splitlines() if line.strip()]
    assert len(lines) == 1, said
    assert "Traceback" not in said
    return lines[0]


# ---------------------------------------------------------------------------- settings


def test_without_a_token_it_says_so_and_ends_with_2(tmp_path: Path) -> None:
    """As a person types it."""
    ran = subprocess.run(
        [sys.executable, "-m", "bot"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "DISCORD_TOKEN is missing" in one_sentence(ran.stderr)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DISCORD_TOKEN", "hunter2", "DISCORD_TOKEN is wrong"),
        ("DATABASE_URL", "mysql://x", "DATABASE_URL is wrong"),
        ("DISCORD_API_URL", "discord", "DISCORD_API_URL is wrong"),
        ("DISCORD_GATEWAY_URL", "http://x", "DISCORD_GATEWAY_URL is wrong"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL is wrong"),
    ],
)
async def test_a_wrong_setting_is_named_in_one_sentence(
    nursery: Nursery, tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    bot = BotProcess(nursery, tmp_path, **{"DISCORD_TOKEN": TOKEN, name: value})
    await bot.begin()
    assert await bot.ended() == 2
    assert one_sentence(bot.said).startswith(sentence)
    assert "hunter2" not in bot.said


async def test_a_token_that_discord_refuses_is_one_sentence_and_2(bot: BotProcess) -> None:
    bot.settings["DISCORD_TOKEN"] = ANOTHER
    await bot.begin()
    assert await bot.ended() == 2
    said = bot.said.splitlines()[-1]
    assert said.startswith("DISCORD_TOKEN was refused by Discord")
    assert "Traceback" not in bot.said
    assert ANOTHER not in bot.said


async def test_a_token_that_is_replaced_while_it_runs_is_one_sentence_and_2(
    bot: BotProcess, playground: Playground
) -> None:
    await bot.begin_on(playground)
    playground.world.application.token = ANOTHER
    playground.faults.invalid_session()
    assert await bot.ended() == 2
    assert bot.said.splitlines()[-1].startswith("DISCORD_TOKEN is no longer valid")


# ---------------------------------------------------------------------------- the database


async def test_a_second_process_on_the_same_database_refuses_to_start(
    bot: BotProcess, nursery: Nursery, tmp_path: Path, playground: Playground
) -> None:
    """Row 3: two copies would answer everything twice."""
    await bot.begin_on(playground)
    second = BotProcess.on(nursery, tmp_path, playground)
    second.log = tmp_path / "second.log"
    await second.begin()
    assert await second.ended() == 1
    assert "already running" in one_sentence(second.said)
    assert await bot.stop() == 0
    await second.begin_on(playground)
    await second.kill()


async def test_a_database_that_is_none_is_one_sentence_and_1(
    bot: BotProcess, tmp_path: Path
) -> None:
    (tmp_path / "ginhouse.db").write_bytes(b"Dear diary, today I have lost at gin.\n" * 200)
    await bot.begin()
    assert await bot.ended() == 1
    assert "ginhouse.db" in one_sentence(bot.said)


async def test_a_folder_that_cannot_be_is_one_sentence_and_1(
    bot: BotProcess, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file")
    bot.settings["DATABASE_URL"] = f"sqlite+aiosqlite:///{tmp_path / 'data' / 'ginhouse.db'}"
    await bot.begin()
    assert await bot.ended() == 1
    assert "data" in one_sentence(bot.said)


# ------------------------------------------------------------------------------ the network


async def test_it_waits_for_an_api_that_is_down_and_then_works(
    bot: BotProcess, playground: Playground
) -> None:
    down = playground.faults.http_errors(503, "GET /users/@me")
    await bot.begin()
    await bot.until_said("no connection yet")
    playground.faults.remove(down)
    await bot.until_online(playground)
    assert "Traceback" not in bot.said
    await is_at_your_service(playground)


async def test_it_waits_for_a_gateway_that_refuses_at_first_and_then_works(
    bot: BotProcess, playground: Playground
) -> None:
    playground.gateway.refused_until = float("inf")
    await bot.begin()
    await bot.until_said("Failed to connect")  # discord.py's words
    playground.gateway.refused_until = 0.0
    await bot.until_online(playground)
    assert len(playground.gateway.sessions) == 1
    await is_at_your_service(playground)


async def test_it_can_be_stopped_while_there_is_no_network(
    bot: BotProcess, playground: Playground
) -> None:
    playground.faults.http_errors(503, "GET /users/@me")
    await bot.begin()
    await bot.until_said("no connection yet")
    assert await bot.stop() == 0
    assert "Traceback" not in bot.said


async def is_at_your_service(playground: Playground) -> None:
    """See that it answers."""
    (ada,) = people(playground, "Ada")
    helped = await ada.slash("gin-rummy", "gin help")
    assert not helped.failed


# -------------------------------------------------------------------------------- the end


async def test_told_to_stop_while_idle_it_ends_with_0(
    bot: BotProcess, playground: Playground
) -> None:
    await bot.begin_on(playground)
    assert await bot.stop() == 0
    assert "Traceback" not in bot.said


async def test_told_to_stop_in_the_middle_it_finishes_what_it_has_begun(
    bot: BotProcess, playground: Playground
) -> None:
    """Row 1: who pressed has his answer, the others see it, then it ends with 0."""
    await bot.begin_on(playground)
    ada, ben = people(playground, "Ada", "Ben")
    await begin(ada, ben)
    playground.faults.slow(0.3, "POST */callback", times=1)
    playground.faults.slow(0.2, "PATCH /channels/*/messages/*", times=1)
    passing = asyncio.create_task(first_to_act(ada, ben))
    await ada.until(lambda: playground.world.interactions.by_id and passing_is_sent(playground))
    stopping = asyncio.create_task(bot.stop())
    first, answer = await passing
    assert not answer.failed
    assert await stopping == 0
    other = ben if first is ada else ada
    assert "Waiting for" in first.text(first.dm())
    await other.panel("Pass", other.dm())  # he was told
    assert "Traceback" not in bot.said
    assert "repaired at the next start" not in bot.said


def passing_is_sent(playground: Playground) -> bool:
    newest = max(playground.world.interactions.by_id)
    return ":pass:" in str(playground.world.interactions.by_id[newest].data)


async def begin(ada: Person, ben: Person) -> None:
    await ada.slash("gin-rummy", "gin challenge", opponent=ben)
    (challenge,) = await ben.until(lambda: ben.pings("gin-rummy"))
    await ben.press(challenge, "Accept")


async def first_to_act(*seated: Person) -> tuple[Person, Answer]:
    """Let whoever is to act first refuse the up-card."""
    await seated[0].until(lambda: [one for one in seated if "Your turn" in one.text(one.dm())])
    (first,) = [one for one in seated if "Your turn" in one.text(one.dm())]
    return first, await first.press(await first.panel("Pass", first.dm()), "Pass")


# ------------------------------------------------------------------------------- the log


async def test_neither_the_token_nor_a_card_is_ever_in_the_log(
    bot: BotProcess, playground: Playground
) -> None:
    """Row 26: at the most talkative level, through a match's beginning and a fault.

    Nor in the figures, nor in what the bot says of itself.
    """
    bot.settings["LOG_LEVEL"] = "DEBUG"
    port = bot.settings["METRICS_PORT"] = str(free_port())
    await bot.begin_on(playground)
    ada, ben = people(playground, "Ada", "Ben")
    await begin(ada, ben)
    playground.faults.http_errors(503, "PATCH /channels/*/messages/*", times=1)
    await first_to_act(ada, ben)
    await ada.until(lambda: "undelivered" in bot.said)
    diagnosed = await ada.slash("gin-rummy", "gin-admin diagnose")
    assert "Database" in diagnosed.text
    async with aiohttp.ClientSession() as session:
        page = await session.get(f"http://127.0.0.1:{port}/metrics")
        figures = await page.text()
    assert "ginhouse_requests_total" in figures
    assert await bot.stop() == 0
    for text in (bot.said, diagnosed.text, figures):
        assert playground.world.token not in text
        assert "aW50" not in text  # how the playground's tokens of interactions begin
    for sign in ("♠", "♥", "♦", "♣", "deal ", "Bearer", "interaction:"):
        assert sign not in bot.said, sign
