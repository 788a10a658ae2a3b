"""The door: who is being served, nobody twice, and nobody new once the house is closing."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from db.ids import InteractionId

REMEMBERED: Final = 4096
"""Interactions remembered, so that one that is delivered twice is served once."""


class Door:
    """Counts the interactions that are being served."""

    def __init__(self) -> None:
        self._known: OrderedDict[InteractionId, None] = OrderedDict()
        self._inside = 0
        self._empty = asyncio.Event()
        self._empty.set()
        self.is_closed = False

    @contextmanager
    def entered(self, interaction: InteractionId) -> Iterator[bool]:
        """Serve an interaction inside the block; False where it must not be served.

        That is when it came before (the first one is answered), or when the house is closing:
        nothing was promised then, and its press works again after the start.
        """
        if self.is_closed or interaction in self._known:
            yield False
            return
        self._known[interaction] = None
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        self._inside += 1
        self._empty.clear()
        try:
            yield True
        finally:
            self._inside -= 1
            if not self._inside:
                self._empty.set()

    async def close(self) -> None:
        """Let nobody in any more, and wait until everybody inside has been served."""
        self.is_closed = True
        await self._empty.wait()
