"""Attempts: messages that may stand on Discord although no answer told us so.

A repeated attempt has to carry the name of the first one, whatever happened at the table
meanwhile: then Discord gives that message instead of posting a second one. It shows what was so
when it was first tried, and has to be brought up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.mail.post import TryLater, Undelivered
from bot.play.table import Table
from db.ids import ChannelId, MatchId
from db.rows import ShownKind

_Place = tuple[MatchId, ShownKind, int, ChannelId]


class Attempts:
    """At which version of its match each message was first tried whose fate is unknown.

    Kept in memory: after a restart an orphan can stand if the match went on in between.
    """

    def __init__(self) -> None:
        self._first: dict[_Place, int] = {}

    @contextmanager
    def attempt(
        self, table: Table, kind: ShownKind, seat: int, channel: ChannelId
    ) -> Iterator[int]:
        """Post inside; gives the version under whose name, and which the message shows at least."""
        place = (table.id, kind, seat, channel)
        version = self._first.setdefault(place, table.head)
        try:
            yield version
        except TryLater:
            raise
        except Undelivered:
            del self._first[place]
            raise
        else:
            del self._first[place]


def name_of(table: Table, kind: ShownKind, seat: int, channel: ChannelId, version: int) -> str:
    """A name for one message, the same after a restart: match, its start, part, place, version.

    Without the place a table that moves would be given the message that stands where it was.
    """
    began = int(table.row.created_at.timestamp())
    part = f"{kind.value[0]}{seat + 1}"
    return f"{table.id:x}.{began:x}{part}{channel % 4093:x}.{version:x}"[-25:]
