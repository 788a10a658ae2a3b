"""What an act changed: shown to the others after its answer, but not long after the act."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Self

from db.ids import MatchId


class Change:
    """The change of one act, shown once.

    It surrounds the act and its answer: at the end of the block the change is shown, or before it
    where the answer takes longer than ``within``, counted from the act.
    """

    def __init__(self, show: Callable[[MatchId], None], within: timedelta) -> None:
        self._show = show
        self._within = within.total_seconds()
        self._match: MatchId | None = None
        """What is still to be shown."""
        self._anyway: asyncio.TimerHandle | None = None

    def happened(self, match: MatchId | None) -> None:
        """The act is done: this match is to be shown anew (None: it has changed nothing)."""
        self._match = match
        if match is not None:
            self._anyway = asyncio.get_running_loop().call_later(self._within, self._be_shown)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._be_shown()

    def _be_shown(self) -> None:
        if self._anyway is not None:
            self._anyway.cancel()
        match, self._match = self._match, None
        if match is not None:
            self._show(match)
