"""Where a bot's processor time goes: looks at its main thread's stack, some milliseconds apart.

Each look is put down to the innermost part of the program, or library, that is on the stack; what
Python's own library does counts for whoever called it.
"""

from __future__ import annotations

import signal
from collections import Counter
from types import FrameType
from typing import Final

EVERY: Final = 0.004
"""Seconds of the processor between two looks."""
PARTS: Final = (
    ("/bot/ui/pictures/", "pictures"),
    ("/bot/ui/", "pages"),
    ("/bot/front/", "front"),
    ("/bot/mail/", "mail"),
    ("/bot/shown/", "shown"),
    ("/bot/desk/", "desk"),
    ("/bot/play/", "play"),
    ("/bot/__main__.py", "the loop itself, and the database's thread"),
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


class Profile:
    """Counts what the main thread of this process is at.

    By a signal that comes with the processor's time: a thread that looks would see the loop mostly
    where it gives way to other threads, in system calls.
    """

    def __init__(self) -> None:
        self.looks: Counter[str] = Counter()

    def start(self) -> None:
        """Begin to look, until the program ends; to be called in the main thread."""
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)

    def stop(self) -> None:
        """Look no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _look(self, _signal: int, frame: FrameType | None) -> None:
        if frame is not None:
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
