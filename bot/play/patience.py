"""Patience: a pause for whoever asks one person again and again and no match comes of it.

Every challenge notifies the one who is asked. It is counted from the challenges that are kept, on
whichever server they were made, so that neither a restart nor another server begins it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from db.ids import PersonId
from db.rows import ChallengeRow, ChallengeStatus

SHOWN_WITHIN: Final = timedelta(seconds=30)
"""A challenge that no message shows by then was seen by nobody."""
ENOUGH: Final = (
    (4, timedelta(minutes=10)),
    (8, timedelta(hours=1)),
    (16, timedelta(days=1)),
)
"""How often somebody may be asked in vain within which time, before it has to rest."""
LONGEST: Final = max(within for _times, within in ENOUGH)
A_NO: Final = 2
"""As much as this many challenges that were withdrawn or expired counts one that he declined."""


def rests_until(
    between: Sequence[ChallengeRow], you: PersonId, other: PersonId, now: datetime
) -> datetime | None:
    """When ``you`` may challenge ``other`` again; None if that is now.

    ``between`` are the challenges of these two, oldest first, whoever made them, as far back as
    :data:`LONGEST`. A match that came of one of them wipes out what was in vain before it.
    """
    in_vain: list[tuple[datetime, int]] = []
    for row in between:
        if row.status is ChallengeStatus.ACCEPTED:
            in_vain.clear()
        elif (
            row.challenger == you and row.status is not ChallengeStatus.OPEN and _was_seen(row, now)
        ):
            declined = row.status is ChallengeStatus.DECLINED and row.declined_by in (None, other)
            in_vain.append((row.created_at, A_NO if declined else 1))
    ends = [_end(in_vain, times, within) for times, within in ENOUGH]
    return max((end for end in ends if end is not None and end > now), default=None)


def _end(in_vain: Sequence[tuple[datetime, int]], times: int, within: timedelta) -> datetime | None:
    """When fewer than ``times`` of them are as young as ``within``; None if there are fewer."""
    counted = 0
    for at, weight in reversed(in_vain):
        counted += weight
        if counted >= times:
            return at + within
    return None


def _was_seen(row: ChallengeRow, now: datetime) -> bool:
    """Whether its message stands, or may be on its way."""
    return row.message_id is not None or now - row.created_at < SHOWN_WITHIN
