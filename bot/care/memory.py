"""Memory: what a rush took and nobody uses any more is given back to the machine.

The C library keeps what is freed in the middle of its heap for later, which after a rush may be a
tenth of all that the bot has. Where it can be asked (glibc) it is asked now and then to let go.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from datetime import timedelta
from typing import Final

EVERY: Final = timedelta(seconds=30)
"""It takes a few milliseconds, in a thread of its own."""

_pause = asyncio.sleep


def asked_for() -> Callable[[], None] | None:
    """How to give memory back here; None where the C library can't be asked."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, TypeError, AttributeError):  # no such library, or no such function in it
        return None

    def give_back() -> None:
        trim(ctypes.c_size_t(0))

    return give_back


async def watch(give_back: Callable[[], None] | None) -> None:
    """Give back every half minute, for ever; at once nothing where that can't be done."""
    if give_back is None:
        return
    while True:
        await _pause(EVERY.total_seconds())
        await asyncio.to_thread(give_back)
