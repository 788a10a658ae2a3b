"""Where the time of a bot's event loop goes: a look at its stack every few milliseconds.

Each look is put down to the innermost part of the program, or library, that is on the stack; what
Python's own library does counts for whoever called it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from types import FrameType
from typing import Final

EVERY: Final = 0.004
"""Seconds between two looks."""
PARTS: Final = (
    ("/bot/ui/pictures/", "pictures"),
    ("/bot/ui/", "pages"),
    ("/bot/front/", "front"),
    ("/bot/mail/", "mail"),
    ("/bot/shown/", "shown"),
    ("/bot/desk/", "desk"),
    ("/bot/play/", "play"),
    ("/bot/", "bot, the rest"),
    ("/db/", "db"),
    ("/gin/", "gin, the rules"),
    ("/bench/", "bench"),
    ("/sqlalchemy/", "SQLAlchemy"),
    ("/aiosqlite/", "aiosqlite"),
    ("/discord/", "discord.py"),
    ("/aiohttp/", "aiohttp"),
    ("/structlog/", "structlog"),
    ("/PIL/", "Pillow"),
)
WAITS: Final = "select"
"""What the loop is in when it has nothing to do."""


class Profile:
    """Counts what the main thread of this process is at."""

    def __init__(self) -> None:
        self.looks: Counter[str] = Counter()
        self._main = threading.main_thread().ident or 0

    def start(self) -> None:
        """Begin to look, in a thread of its own, until the program ends."""
        threading.Thread(target=self._look, name="profile", daemon=True).start()

    def _look(self) -> None:
        while True:
            time.sleep(EVERY)
            frame = sys._current_frames().get(self._main)  # noqa: SLF001 - made for this
            if frame is not None and frame.f_code.co_name != WAITS:
                self.looks[_part(frame)] += 1


def _part(frame: FrameType) -> str:
    at: FrameType | None = frame
    while at is not None:
        file = at.f_code.co_filename
        for folder, name in PARTS:
            if folder in file:
                return name
        at = at.f_back
    return "asyncio and Python"
