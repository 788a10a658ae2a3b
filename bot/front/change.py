"""What an act changed: shown to the others after its answer, but not long after the act."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Self

from db.ids import ChallengeId, MatchId


class Change:
    """What one interaction has had committed; its matches are shown once.

    It surrounds the act and its answer: at the end of the block what changed is shown, or before it
    where the answer takes longer than ``within``, counted from the commit. It is the witness
    (:mod:`bot.play.deed`) of its interaction: what is shown doesn't depend on a whole answer.
    """

    def __init__(self, show: Callable[[MatchId], None], within: timedelta) -> None:
        self._show = show
        self._within = within.total_seconds()
        self._told: set[MatchId] = set()
        self._left: dict[MatchId, None] = {}
        """What is still to be shown, in order."""
        self._anyway: asyncio.TimerHandle | None = None
        self._is_over = False
        self.counts = False
        """Whether something was committed that somebody asked for."""
        self.in_doubt = False
        """Whether nobody knows if such a thing was committed, as the commit itself failed."""
        self.in_parts = False
        self.challenges: set[ChallengeId] = set()
        """Those that were made or answered; a whole answer shows that by itself."""

    def committed(self) -> None:
        """Something was committed that somebody asked for."""
        self.counts = True

    def doubted(self) -> None:
        """Something that somebody asked for may be committed, or may not."""
        self.in_doubt = True

    def match_changed(self, match: MatchId) -> None:
        """The act is done: a match is to be shown anew."""
        self._told.add(match)
        self._left[match] = None
        if self._is_over:
            self._be_shown()
        elif self._anyway is None:
            loop = asyncio.get_running_loop()
            self._anyway = loop.call_later(self._within, self._be_shown)

    def challenge_changed(self, challenge: ChallengeId) -> None:
        """A challenge was made or answered."""
        self.challenges.add(challenge)

    def answered(self, match: MatchId | None) -> None:
        """The answer is worked out, and wants this match shown (None: no match)."""
        if match is not None and match not in self._told:
            self.match_changed(match)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over = True
        self._be_shown()

    def _be_shown(self) -> None:
        if self._anyway is not None:
            self._anyway.cancel()
            self._anyway = None
        left, self._left = self._left, {}
        for match in left:
            self._show(match)
