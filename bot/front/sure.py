"""Sure: who was asked whether he means it, so that the same command typed again is the answer."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Final

from db.ids import MatchId, PersonId

STANDS: Final = timedelta(minutes=2)
"""So long typing a command again means yes."""
KEPT: Final = 10_000
"""So many questions are remembered at most; the oldest go first."""


class Sure:
    """The questions of the last two minutes. In memory alone: what is lost is asked again."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[PersonId, MatchId], tuple[int, datetime]] = OrderedDict()

    def is_sure(self, person: PersonId, match: MatchId, moment: int, now: datetime) -> bool:
        """Whether this person was asked about this match just now; a question counts once.

        ``moment``: the version of the person's own last act, or of a newer deal. Whoever has
        played on has answered no, and what others do meanwhile is no answer at all.
        """
        before, asked = self._asked.pop((person, match), (moment, None))
        return asked is not None and before == moment and now - asked <= STANDS

    def forget(self, person: PersonId, match: MatchId) -> None:
        """Note that this person has answered no: he plays on."""
        self._asked.pop((person, match), None)

    def asked(self, person: PersonId, match: MatchId, moment: int, now: datetime) -> None:
        """Note that the question stands where this person can read it."""
        self._asked[person, match] = moment, now
        self._asked.move_to_end((person, match))
        while len(self._asked) > KEPT:
            self._asked.popitem(last=False)
