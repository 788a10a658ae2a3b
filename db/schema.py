"""The tables: the log of actions, what is derived from it, and what is known of Discord.

Ids of Discord's own things carry no foreign key: a name is what was last heard, never a condition.
Whatever changes here needs a migration under ``db/migrations/versions``; a test compares the two.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from db.types import Moment, OwnId

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

servers: Final = Table(
    "servers",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("seen_at", Moment, nullable=False),
)

people: Final = Table(
    "people",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("seen_at", Moment),
    Column("dm_channel_id", BigInteger),
    Column("dm_closed", Boolean, nullable=False),
)

challenges: Final = Table(
    "challenges",
    metadata,
    Column("id", OwnId, primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    # The channel to which it belongs, where the challenge stands in a thread.
    Column("parent_id", BigInteger),
    Column("message_id", BigInteger),
    Column("rules", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("settled_at", Moment),
    # The name of the house set that was picked, as it was then: a later change changes nothing.
    Column("house", String(32)),
    # How long a turn may take and what happens then, as one line of text; none: no clock.
    Column("clock", Text),
    # A match's id. No foreign key: matches already refer to challenges, and a ring of references
    # could be created and dropped by neither database in plain order.
    Column("rematch_of", BigInteger),
    Index(None, "status", "expires_at"),
    Index(None, "channel_id", "status"),
    sqlite_autoincrement=True,
)

challenge_people: Final = Table(
    "challenge_people",
    metadata,
    Column("challenge_id", ForeignKey("challenges.id"), primary_key=True),
    # 0 is the challenger, 1 and 2 the challenged.
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, nullable=False),
    Column("accepted", Boolean, nullable=False),
    Column("declined", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("challenge_id", "person_id"),
    Index(None, "person_id", "challenge_id"),
    sqlite_with_rowid=False,
)

matches: Final = Table(
    "matches",
    metadata,
    Column("id", OwnId, primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger),
    Column("rules", Text, nullable=False),
    Column("status", String(16), nullable=False),
    # The number of entries in the log; adding to the log compares and sets it.
    Column("head", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("acted_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("challenge_id", ForeignKey("challenges.id"), unique=True),
    Column("rematch_of", ForeignKey("matches.id")),
    Column("house", String(32)),
    Column("clock", Text),
    # When the players were last asked whether to close the match, as nobody had played for long.
    Column("asked_at", Moment),
    Index(None, "status"),
    Index(None, "server_id", "status"),
    # A running match has no end: those that run in a channel, and the one that ended there last.
    Index(None, "channel_id", "ended_at"),
    Index(None, "thread_id", "ended_at"),
    sqlite_autoincrement=True,
)

seats: Final = Table(
    "seats",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, nullable=False),
    UniqueConstraint("match_id", "person_id"),
    Index(None, "person_id", "match_id"),
    sqlite_with_rowid=False,
)

entries: Final = Table(
    "entries",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("seat", Integer),
    Column("actor", BigInteger),
    Column("interaction_id", BigInteger, unique=True),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# The log of a match that ended some time ago, in one value (db/packed.py says how).
packed_logs: Final = Table(
    "packed_logs",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)

# Who made an entry of a packed log from no seat, or from another person's (an administrator).
packed_actors: Final = Table(
    "packed_actors",
    metadata,
    Column("match_id", ForeignKey("packed_logs.match_id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, nullable=False, index=True),
    sqlite_with_rowid=False,
)

# Derived from the log when a match finishes; a match that was cancelled or voided has none.
results: Final = Table(
    "results",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("server_id", BigInteger, nullable=False),
    Column("person_id", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("hands_won", Integer, nullable=False),
    Column("hands_played", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    # A person's line of the league table is counted from this index alone.
    Index("ix_results_of_person", "person_id", "server_id", "won", "total"),
    sqlite_with_rowid=False,
)

# The league table: what a person's results on a server come to, counted anew in the transaction
# that changes any of them. Points are the totals of his matches added up.
standings: Final = Table(
    "standings",
    metadata,
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("server_id", BigInteger, primary_key=True, autoincrement=False),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    # In the order of the table, read backwards.
    Index(None, "server_id", "won", "points"),
    sqlite_with_rowid=False,
)

# What stands on Discord, and which version of the match it shows.
shown: Final = Table(
    "shown",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("posted_at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Places that tables have lost: why, and which of the players know (one bit a seat).
lost_places: Final = Table(
    "lost_places",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("why", String(16), nullable=False),
    Column("told", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Servers that the bot was removed from, and when; what is played there waits until it is back.
absences: Final = Table(
    "absences",
    metadata,
    Column("server_id", BigInteger, primary_key=True, autoincrement=False),
    Column("since", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Who has proposed to call a running match off, and at which version of it.
cancel_offers: Final = Table(
    "cancel_offers",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    # The version of the match at which it was noted.
    Column("version", Integer, nullable=False),
    # Nobody offered anything: he had left the server, so the others called the match off.
    Column("had_left", Boolean, nullable=False, server_default=false()),
    sqlite_with_rowid=False,
)

# Until when the player to act has time: one row for each running match with a clock.
deadlines: Final = Table(
    "deadlines",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    # The version of the match at which the turn began; with another one the row counts no more.
    Column("turn", Integer, nullable=False),
    Column("began", Moment, nullable=False),
    Column("due", Moment, nullable=False),
    # When the player is to be reminded; none: he was, or won't be.
    Column("remind_at", Moment),
    # When something is to be done about this row; none: nothing more.
    Column("next_at", Moment, index=True),
    # Since when the clock stands still.
    Column("stopped_at", Moment),
)

# When a person's correspondence clocks stand still. ``ends`` moves when he comes back earlier.
vacations: Final = Table(
    "vacations",
    metadata,
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("began", Moment, primary_key=True, autoincrement=False),
    Column("ends", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Single facts by name, such as a digest of the commands last registered.
facts: Final = Table(
    "facts",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The secret that a challenge's shuffles will follow from, and what was published of it before.
promises: Final = Table(
    "promises",
    metadata,
    Column("challenge_id", ForeignKey("challenges.id"), primary_key=True, autoincrement=False),
    Column("secret", String(64), nullable=False),
    Column("commitment", String(64), nullable=False, unique=True),
)

# What each player mixes into the shuffles; `is_own` if he typed it himself.
words: Final = Table(
    "words",
    metadata,
    Column("challenge_id", ForeignKey("challenges.id"), primary_key=True),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("word", Text, nullable=False),
    Column("is_own", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

# A server's named house rules, as one line of text each; at most one of them is the default.
house_sets: Final = Table(
    "house_sets",
    metadata,
    Column("server_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(32), primary_key=True),
    Column("rules", Text, nullable=False),
    Column("is_default", Boolean, nullable=False),
    Column("changed_by", BigInteger, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Column("clock", Text),
    sqlite_with_rowid=False,
)

# What administrators did, in the transaction in which they did it.
admin_acts: Final = Table(
    "admin_acts",
    metadata,
    Column("id", OwnId, primary_key=True),
    Column("server_id", BigInteger, nullable=False),
    Column("actor", BigInteger, nullable=False),
    Column("act", String(32), nullable=False),
    Column("match_id", ForeignKey("matches.id")),
    Column("person_id", BigInteger),
    Column("note", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "server_id", "id"),
    sqlite_autoincrement=True,
)

# What a server allows each person; a server without a row has the defaults.
server_limits: Final = Table(
    "server_limits",
    metadata,
    Column("server_id", BigInteger, primary_key=True, autoincrement=False),
    Column("challenges", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
)

# Where a server wants tables; without a row, everywhere.
allowed_channels: Final = Table(
    "allowed_channels",
    metadata,
    Column("server_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# Who can't challenge or be challenged on a server.
server_blocks: Final = Table(
    "server_blocks",
    metadata,
    Column("server_id", BigInteger, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# Whom a person doesn't want to play with.
blocks: Final = Table(
    "blocks",
    metadata,
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# How a person wants things; whoever has no row has the defaults.
wishes: Final = Table(
    "wishes",
    metadata,
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("calls", Boolean, nullable=False),
    Column("four_colours", Boolean, nullable=False),
)
