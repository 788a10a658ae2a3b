"""Attempts: messages that may stand on Discord although we haven't noted where.

A repeated attempt has to carry the name of the first one, whatever happened at the table
meanwhile: then Discord gives that message instead of posting a second one. It shows what was so
when it was first tried, and has to be brought up to date. Once Discord has told which message it
is, there is nothing to repeat but the note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.mail.post import ChannelGone, TryLater, Undelivered
from bot.now import Now
from bot.play.table import Table
from db.ids import ChannelId, MatchId, MessageId
from db.rows import ShownKind

KEPT_FOR: Final = timedelta(minutes=15)
"""After it was last tried."""
HONOURED_FOR: Final = timedelta(minutes=1)
"""So long after the first attempt Discord surely knows its name still: it says, a few minutes."""

Place = tuple[ShownKind, int, ChannelId]
"""Which part of a match is shown in which channel: its kind, and the seat."""


@dataclass(slots=True)
class Attempt:
    """To post one message, once."""

    name: str
    version: int
    """At which the message was first tried: it shows that at least."""
    began_at: datetime
    tried_at: datetime
    """When it was tried last."""
    message: MessageId | None = None
    """What it became, once Discord has said so."""


class Attempts:
    """Each message whose fate is unknown, as it was first tried.

    ``lost`` is told of a place where one may stand (and which, where that is known) that no
    further attempt will find. Kept in memory: after a restart orphans are looked for.
    """

    def __init__(
        self,
        now: Now,
        lost: Callable[[MatchId, Place, MessageId | None], None],
        generation: int = 0,
    ) -> None:
        self._now = now
        self._generation = generation
        self._lost = lost
        self._open: dict[tuple[MatchId, Place], Attempt] = {}
        """The one that was tried last comes last."""

    def is_open(self, match: MatchId, place: Place) -> bool:
        """Whether a message may stand there of which nobody knows."""
        self._give_up()
        return (match, place) in self._open

    @contextmanager
    def attempt(self, table: Table, place: Place, before: MessageId | None) -> Iterator[Attempt]:
        """Post inside under the name that is given, and note where.

        ``before`` is the message in whose place it comes. The attempt is kept after whatever goes
        wrong, unless Discord refused the message, and no earlier one may have been taken either.
        """
        self._give_up()
        now, key = self._now(), (table.id, place)
        known = self._open.pop(key, None)
        if known is None:
            tried = Attempt(name_of(table, place, before, self._generation), table.head, now, now)
        else:
            tried = replace(known, tried_at=now)
        self._open[key] = tried
        try:
            yield tried
        except TryLater:
            raise
        except Undelivered as error:
            if known is None or isinstance(error, ChannelGone):
                self._open.pop(key, None)
            raise
        else:
            self._open.pop(key, None)
            is_known = known is not None and known.message is not None
            if now - tried.began_at > HONOURED_FOR and not is_known:
                self._lost(table.id, place, None)

    def found(self, match: MatchId, place: Place, message: MessageId) -> None:
        """A newer message has come to light there: the next one that is posted is another.

        Where nobody knows what was tried became, this may be it, or stand beside it.
        """
        tried = self._open.get((match, place))
        if tried is not None and tried.message in (None, message):
            del self._open[match, place]
            if tried.message is None:
                self._lost(match, place, None)

    def close(self, match: MatchId, is_over: Callable[[Place, Attempt], bool]) -> None:
        """Try no more what is over for this match, since it goes elsewhere, or isn't needed."""
        for key in [key for key in self._open if key[0] == match]:
            if is_over(key[1], self._open[key]):
                self._close(key)

    def _give_up(self) -> None:
        """Try no more what wasn't tried for long: Discord has forgotten its name."""
        long_ago = self._now() - KEPT_FOR
        while self._open:
            key = next(iter(self._open))
            if self._open[key].tried_at >= long_ago:
                return
            self._close(key)

    def _close(self, key: tuple[MatchId, Place]) -> None:
        self._lost(*key, self._open.pop(key).message)


def name_of(table: Table, place: Place, before: MessageId | None, generation: int = 0) -> str:
    """A name for one message, the same after a restart: match, its start, part, place, version.

    Without the channel a table that moves would be given the message that stands where it was;
    without the message in whose place it comes it would be given that one, though it was deleted;
    without the generation one that was set back: what was shown at that version before.
    """
    kind, seat, channel = place
    began = int(table.row.created_at.timestamp()) ^ generation
    part = f"{kind.value[0]}{seat + 1}"
    where = (channel + 31 * (before or 0)) % 65_521
    return f"{table.id:x}.{began:x}{part}{where:x}.{table.head:x}"[-25:]
