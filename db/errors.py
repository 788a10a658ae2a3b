"""What storage refuses, and how it says so to a caller or to the person who runs the bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from db.ids import MatchId


class StoreError(Exception):
    """Anything that storage refuses; nothing was written."""


class StaleVersion(StoreError):
    """The match has moved on: ``head`` is the version it has now."""

    def __init__(self, head: int) -> None:
        super().__init__(f"the match is at version {head} now")
        self.head = head


class AlreadyDone(StoreError):
    """The interaction was accepted before, as entry ``seq`` of ``match_id``."""

    def __init__(self, match_id: MatchId, seq: int) -> None:
        super().__init__(f"already entry {seq} of match {match_id}")
        self.match_id = match_id
        self.seq = seq


class NoSuchMatch(StoreError):
    """No match has that id."""

    def __init__(self, match_id: MatchId) -> None:
        super().__init__(f"there is no match {match_id}")
        self.match_id = match_id


class MatchEnded(StoreError):
    """The match is no longer running: nothing can be added to its log, and it ends only once."""

    def __init__(self, match_id: MatchId) -> None:
        super().__init__(f"match {match_id} has ended")
        self.match_id = match_id


class DamagedLog(StoreError):
    """A packed log that can't be read; the text says why, and nothing of what it holds."""


class DatabaseUnusable(StoreError):
    """The database cannot be used; the text is one sentence for the person who runs the bot."""


class NewerDatabase(DatabaseUnusable):
    """A newer version of the program has written to this database."""


class AlreadyRunning(DatabaseUnusable):
    """Another process serves this database."""
