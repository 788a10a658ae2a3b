"""Logs: structured lines on standard error, with no secret and no card of a running hand.

What is logged are ids, verbs and versions; never a view, an action's text or a picture.
"""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from collections.abc import Callable, MutableMapping
from datetime import timedelta
from typing import Any, Final  # Any: structlog's own event dictionaries

import structlog

from bot.settings import LogLevel
from db.errors import DatabaseUnusable
from gin import GinError

BLACK: Final = "•••"
DATABASE_UNUSABLE: Final = "database unusable"
"""What is logged where a person is told that the database fails."""
SAID_AGAIN_AFTER: Final = timedelta(minutes=1)
"""Before the same line is logged once more while the database fails."""
_IN_ADDRESS: Final = re.compile(r"(/(?:webhooks|interactions)/\d+)/[\w.%~-]+")
"""Who knows an interaction's token can answer it, for a quarter of an hour."""


def _error_of(event: MutableMapping[str, Any]) -> BaseException | None:
    """The error that a line of the log is about, if it is about one."""
    error = event.get("exc_info")
    if error is True:
        error = sys.exc_info()[1]
    elif isinstance(error, tuple):
        error = error[1]
    return error if isinstance(error, BaseException) else None


def hide_cards(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Log a fault that comes of the rules without its words: they name cards of a running hand.

    The places in the code and the kinds of error stay.
    """
    error = _error_of(event)
    if error is None:
        return event
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    if any(isinstance(one, GinError) for one in chain):
        del event["exc_info"]
        event["exception"] = "".join(
            f"{type(one).__name__}\n" + "".join(traceback.format_tb(one.__traceback__))
            for one in chain
        )
    return event


class Unusable:
    """Makes one line of whatever fails as the database does, and not the same one endlessly.

    Where it fails came long before: a traceback says nothing of a full disk, but helps to keep it
    full where the log lies on the same one.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._said: dict[tuple[str, str], tuple[float, int]] = {}
        """By event and reason: when that was said last, and how often it was left out since."""

    def __call__(
        self, _logger: object, _method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """A processor of structlog's; raise `structlog.DropEvent` for what was said just now."""
        error = _error_of(event)
        if isinstance(error, DatabaseUnusable):
            del event["exc_info"]
            event["why"] = str(error)
        elif event.get("event") != DATABASE_UNUSABLE:
            return event
        line = str(event.get("event")), str(event.get("why"))
        said, left_out = self._said.get(line, (-SAID_AGAIN_AFTER.total_seconds(), 0))
        now = self._seconds()
        if now - said < SAID_AGAIN_AFTER.total_seconds():
            self._said[line] = said, left_out + 1
            raise structlog.DropEvent
        self._said[line] = now, 0
        if left_out:
            event["left_out"] = left_out
        return event


def without(text: str, secrets: tuple[str, ...]) -> str:
    """A line of the log with ``secrets``, and tokens in addresses of Discord's, blacked out."""
    for secret in secrets:
        text = text.replace(secret, BLACK)
    return _IN_ADDRESS.sub(rf"\1/{BLACK}", text)


def set_up(level: LogLevel, *, secrets: tuple[str, ...] = ()) -> None:
    """Send structlog and the standard library's loggers to one place, ``secrets`` blacked out."""

    def black_out(_logger: object, _method: str, line: object) -> str:
        return without(str(line), secrets)

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        hide_cards,
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            Unusable(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=True)
        if sys.stderr.isatty()
        else structlog.processors.KeyValueRenderer(
            key_order=["timestamp", "level", "logger", "event"], sort_keys=True
        )
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                renderer,
                # Last, when everything is text: a secret may stand in any value, of any type.
                black_out,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.value)
    logging.getLogger("discord").setLevel(max(logging.getLevelName(level.value), logging.INFO))
    for chatty in ("aiosqlite", "alembic", "PIL", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
