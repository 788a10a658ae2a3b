"""Time in the playground: a clock that tests may move, and the ids that are made from it."""

import time
from collections.abc import Callable

from playground.wire import iso

DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock:
    """Real time plus an offset; moving it makes deadlines and token lives pass."""

    def __init__(self) -> None:
        self._zero = time.time() - time.monotonic()
        self._offset = 0.0
        self._moved: list[Callable[[], None]] = []

    def now(self) -> float:
        """Tell the time in Unix seconds."""
        return self._zero + time.monotonic() + self._offset

    def iso(self) -> str:
        """Tell the time as Discord writes it."""
        text = iso(self.now())
        assert text is not None  # noqa: S101 - iso() answers None only for None
        return text

    @property
    def offset(self) -> float:
        """How far the clock was moved, in seconds."""
        return self._offset

    def move(self, seconds: float) -> None:
        """Move the clock forward (or back, with a negative number) and let what is due happen."""
        self._offset += seconds
        for due in tuple(self._moved):
            due()

    def on_move(self, due: Callable[[], None]) -> None:
        """Ask to be called after each move."""
        self._moved.append(due)


class Snowflakes:
    """Makes ids as Discord does: milliseconds since 2015 in the upper bits, always rising."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """Make a new id, larger than all before."""
        made = (int(self._clock.now() * 1000) - DISCORD_EPOCH_MS) << 22
        if made <= self._last:
            made = self._last + 1
        self._last = made
        return made


def created_at(snowflake: int) -> float:
    """Tell when an id was made, in Unix seconds."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000
