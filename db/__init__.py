"""Storage: the log of actions, what is derived from it, and what stands on Discord."""

from __future__ import annotations

from db.errors import (
    AlreadyDone,
    AlreadyRunning,
    DatabaseUnusable,
    MatchEnded,
    NewerDatabase,
    NoSuchMatch,
    StaleVersion,
    StoreError,
)
from db.ids import (
    ChallengeId,
    ChannelId,
    InteractionId,
    MatchId,
    MessageId,
    PersonId,
    ServerId,
)
from db.lock import HouseLock
from db.rows import (
    TABLE_SEAT,
    ChallengeRow,
    ChallengeStatus,
    LogEntry,
    MatchRow,
    MatchStatus,
    NewChallenge,
    NewEntry,
    NewMatch,
    PersonRow,
    SeatResult,
    ServerRow,
    ShownKind,
    ShownRow,
    Standing,
)
from db.store import Store, Transaction

__all__ = [
    "TABLE_SEAT",
    "AlreadyDone",
    "AlreadyRunning",
    "ChallengeId",
    "ChallengeRow",
    "ChallengeStatus",
    "ChannelId",
    "DatabaseUnusable",
    "HouseLock",
    "InteractionId",
    "LogEntry",
    "MatchEnded",
    "MatchId",
    "MatchRow",
    "MatchStatus",
    "MessageId",
    "NewChallenge",
    "NewEntry",
    "NewMatch",
    "NewerDatabase",
    "NoSuchMatch",
    "PersonId",
    "PersonRow",
    "SeatResult",
    "ServerId",
    "ServerRow",
    "ShownKind",
    "ShownRow",
    "StaleVersion",
    "Standing",
    "Store",
    "StoreError",
    "Transaction",
]
