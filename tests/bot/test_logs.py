"""Logs say what happened, without a secret and without a card of a running hand (faults.md, 26)."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from bot import logs
from bot.settings import LogLevel
from gin.errors import MalformedNotation, NotInHand


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Whatever a test sets up is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
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
