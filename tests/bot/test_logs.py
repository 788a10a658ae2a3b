"""Logs say what happened, without a secret and without a card of a running hand (faults.md, 26)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import structlog

import bot.__main__ as program
from bot import logs
from bot.settings import LogLevel
from db.errors import DatabaseUnusable
from gin.errors import MalformedNotation, NotInHand


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Whatever a test sets up is undone."""
    root = logging.getLogger()
    handlers, level, interval = root.handlers[:], root.level, sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_a_fault_of_the_rules_is_logged_by_its_kind_and_place_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up(LogLevel.INFO)
    hidden, said_so = "no " + "7" + "H here", "while playing " + "K" + "D"
    try:
        try:
            raise NotInHand(hidden)
        except NotInHand as error:
            raise RuntimeError(said_so) from error
    except RuntimeError:
        structlog.get_logger("bot.front.serving").exception("fault", reference="abc")
    said = capsys.readouterr().err
    assert "NotInHand" in said
    assert "RuntimeError" in said
    assert "test_logs.py" in said
    assert "reference='abc'" in said
    assert "7H" not in said
    assert "KD" not in said


def test_a_database_that_fails_is_one_line_a_minute_however_often_it_is_met(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log on the full disk would keep it full."""
    seconds = [100.0]
    monkeypatch.setattr(logs, "Unusable", partial(logs.Unusable, lambda: seconds[0]))
    logs.set_up(LogLevel.INFO)
    log = structlog.get_logger("bot.shown.upkeep")
    full, locked = "There is no room left on the disk.", "It is locked."

    def fails(event: str, why: str, **more: object) -> None:
        try:
            raise DatabaseUnusable(why)
        except DatabaseUnusable:
            log.exception(event, **more)

    for part in range(50):
        fails("not shown", full, match=4, part=part)
        log.error("database unusable", why=full)
    fails("clocks", full)
    fails("not shown", locked)
    log.error("answer refused", why=full)
    log.error("answer refused", why=full)
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert len(said.splitlines()) == 6
    assert said.count("event='not shown'") == 2
    assert said.count(f"why='{full}'") == 5
    assert said.count("event='database unusable'") == 1
    assert said.count("level='error'") == 6
    seconds[0] += 59.9
    fails("not shown", full)
    assert capsys.readouterr().err == ""
    seconds[0] += 0.1
    fails("not shown", full)
    (line,) = capsys.readouterr().err.splitlines()
    assert "left_out=50" in line
    seconds[0] += 60
    fails("not shown", full)
    assert "left_out" not in capsys.readouterr().err


def test_an_error_given_as_a_value_is_the_same_one(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(LogLevel.INFO)
    error = DatabaseUnusable("The disk hums.")
    structlog.get_logger("bot.play.clocks").error("not told", exc_info=error)
    (line,) = capsys.readouterr().err.splitlines()
    assert "why='The disk hums.'" in line


def test_the_words_of_other_faults_stay(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(LogLevel.INFO)
    try:
        raise ValueError("the disk hums")
    except ValueError:
        structlog.get_logger("bot.shown.upkeep").exception("not shown")
    assert "ValueError: the disk hums" in capsys.readouterr().err


def test_a_broken_line_of_a_log_is_never_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(LogLevel.INFO)
    line = "".join(("deal ", "7H", "8C", "QS"))
    try:
        raise MalformedNotation(line)
    except MalformedNotation:
        structlog.get_logger("bot.play.tables").exception("not loaded", match=3)
    said = capsys.readouterr().err
    assert "MalformedNotation" in said
    assert "7H8CQS" not in said


def test_a_secret_is_blacked_out_wherever_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up(LogLevel.INFO, secrets=("s3cr3t",))
    structlog.get_logger("bot").warning("login with s3cr3t", url="https://x/s3cr3t/y")
    logging.getLogger("discord.http").warning("token %s", "s3cr3t")
    try:
        raise ValueError("s3cr3t")
    except ValueError:
        structlog.get_logger("bot").exception("fault")
    assert "s3cr3t" not in capsys.readouterr().err


class Held:
    """Something that shows what it holds."""

    def __repr__(self) -> str:
        return "Held(s3cr3t)"


def test_a_secret_is_blacked_out_also_within_values_that_are_no_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.set_up(LogLevel.INFO, secrets=("s3cr3t",))
    log = structlog.get_logger("bot")
    log.warning("odd", held=Held(), many=["s3cr3t"], error=ValueError("s3cr3t"), raw=b"s3cr3t")
    logging.getLogger("discord").warning("holding %r", Held())
    said = capsys.readouterr().err
    assert "Held(•••)" in said
    assert "s3cr3t" not in said


def test_tokens_in_addresses_are_blacked_out(capsys: pytest.CaptureFixture[str]) -> None:
    """As discord.py writes them when a request is held up."""
    logs.set_up(LogLevel.INFO)
    for address in (
        "https://discord.com/api/v10/interactions/1234567890/aW50ZXJh-Y3Rpb24.x_/callback",
        "https://discord.com/api/v10/webhooks/1234567890/aW50ZXJh-Y3Rpb24.x_/messages/@original",
    ):
        logging.getLogger("discord.http").warning("We are being rate limited. POST %s", address)
    said = capsys.readouterr().err
    assert "aW50" not in said
    assert "/interactions/1234567890/•••/callback" in said
    assert "/webhooks/1234567890/•••/messages/@original" in said


def test_a_fault_that_ends_the_bot_is_logged_without_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "MTIzNDU2.Gh1jKl.a-token-of-the-right-shape"

    async def fails(_settings: object, token: str) -> int:
        raise RuntimeError(f"no way to log in with {token}")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", token)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setattr(program, "serve", fails)
    assert program.main([]) == 1
    said = capsys.readouterr()
    assert "RuntimeError: no way to log in with •••" in said.err
    assert token not in said.err + said.out
