"""Attempts: messages that may stand on Discord although we haven't noted where.

A repeated attempt has to carry the name of the first one, whatever happened at the table
meanwhile: then Discord gives that message instead of posting a second one. It shows what was so
when it was first tried, and has to be brought up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.mail.post import ChannelGone, TryLater, Undelivered
from bot.now import Now
from bot.play.table import Table
from db.ids import ChannelId, MatchId
from db.rows import ShownKind

KEPT_FOR: Final = timedelta(minutes=15)
"""After it was last tried: Discord honours a name for a few minutes only."""

_Place = tuple[MatchId, ShownKind, int, ChannelId]


@dataclass(frozen=True, slots=True)
class _Attempt:
    version: int
    """At which the message was first tried."""
    tried_at: datetime
    """When it was tried last."""


class Attempts:
    """At which version of its match each message was first tried whose fate is unknown.

    Kept in memory: after a restart an orphan can stand if the match went on in between.
    """

    def __init__(self, now: Now) -> None:
        self._now = now
        self._open: dict[_Place, _Attempt] = {}
        """The one that was tried last comes last."""

    def is_open(self, match: MatchId, kind: ShownKind, seat: int, channel: ChannelId) -> bool:
        """Whether a message may stand there of which nobody knows."""
        self._give_up()
        return (match, kind, seat, channel) in self._open

    @contextmanager
    def attempt(
        self, table: Table, kind: ShownKind, seat: int, channel: ChannelId
    ) -> Iterator[int]:
        """Post inside, and note where; gives the version under whose name to do it.

        The message shows that version at least. Its name is kept after whatever goes wrong, unless
        Discord refused the message, and no earlier attempt may have brought one there either.
        """
        self._give_up()
        place = (table.id, kind, seat, channel)
        before = self._open.pop(place, None)
        version = table.head if before is None else before.version
        self._open[place] = _Attempt(version, self._now())
        try:
            yield version
        except TryLater:
            raise
        except Undelivered as error:
            if before is None or isinstance(error, ChannelGone):
                self._open.pop(place, None)
            raise
        else:
            self._open.pop(place, None)

    def found(self, match: MatchId, kind: ShownKind, seat: int, channel: ChannelId) -> None:
        """What may have stood there has come to light: the next message is another one."""
        self._open.pop((match, kind, seat, channel), None)

    def _give_up(self) -> None:
        """Forget names that Discord has forgotten."""
        long_ago = self._now() - KEPT_FOR
        while self._open:
            place = next(iter(self._open))
            if self._open[place].tried_at >= long_ago:
                return
            del self._open[place]


def name_of(table: Table, kind: ShownKind, seat: int, channel: ChannelId, version: int) -> str:
    """A name for one message, the same after a restart: match, its start, part, place, version.

    Without the place a table that moves would be given the message that stands where it was.
    """
    began = int(table.row.created_at.timestamp())
    part = f"{kind.value[0]}{seat + 1}"
    return f"{table.id:x}.{began:x}{part}{channel % 4093:x}.{version:x}"[-25:]
