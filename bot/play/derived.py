"""What is stored beside the log although it follows from it: how a match ended, for whom.

It is written in the same transaction as the entry that ends the match, and can be derived anew
(:mod:`bot.audit`).
"""

from __future__ import annotations

from collections.abc import Sequence

from db.ids import PersonId
from db.rows import MatchStatus, SeatResult
from gin import Match, Reason


def status_of(match: Match) -> MatchStatus:
    """Whether the match goes on, counts, or was called off."""
    if match.outcome is None:
        return MatchStatus.RUNNING
    cancelled = match.outcome.reason is Reason.CANCELLED
    return MatchStatus.CANCELLED if cancelled else MatchStatus.FINISHED


def results_of(people: Sequence[PersonId], match: Match) -> list[SeatResult]:
    """How it ended for each seat; nothing for a match that runs or was called off."""
    outcome = match.outcome
    if outcome is None or outcome.reason is Reason.CANCELLED:
        return []
    return [
        SeatResult(
            seat=index,
            person_id=person,
            place=outcome.places[index],
            points=outcome.points[index],
            total=outcome.totals[index],
            hands_won=outcome.hands_won[index],
            hands_played=outcome.hands_played[index],
            won=outcome.winner == index,
        )
        for index, person in enumerate(people)
    ]
