"""The log of actions, what is derived from it, and what is known of Discord."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Written out rather than taken from db/schema.py: a migration stays as it was on its day.
_MOMENT = sa.BigInteger()
_OWN_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create everything."""
    _create_what_is_known_of_discord()
    _create_challenges()
    _create_matches()
    _create_what_is_derived()


def downgrade() -> None:
    """Drop everything."""
    for table in (
        "shown",
        "results",
        "entries",
        "seats",
        "matches",
        "challenge_people",
        "challenges",
        "people",
        "servers",
    ):
        op.drop_table(table)


def _create_what_is_known_of_discord() -> None:
    op.create_table(
        "servers",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_servers"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen_at", _MOMENT, nullable=True),
        sa.Column("dm_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("dm_closed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
    )


def _create_challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", _OWN_ID, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("settled_at", _MOMENT, nullable=True),
        sa.Column("rematch_of", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_challenges_message_id", "challenges", ["message_id"])
    op.create_index("ix_challenges_status_expires_at", "challenges", ["status", "expires_at"])
    op.create_table(
        "challenge_people",
        sa.Column("challenge_id", _OWN_ID, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="fk_challenge_people_challenge_id"
        ),
        sa.PrimaryKeyConstraint("challenge_id", "position", name="pk_challenge_people"),
        sa.UniqueConstraint(
            "challenge_id", "person_id", name="uq_challenge_people_challenge_id_person_id"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_challenge_people_person_id_challenge_id",
        "challenge_people",
        ["person_id", "challenge_id"],
    )


def _create_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", _OWN_ID, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("acted_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT, nullable=True),
        sa.Column("challenge_id", _OWN_ID, nullable=True),
        sa.Column("rematch_of", _OWN_ID, nullable=True),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="fk_matches_challenge_id"
        ),
        sa.ForeignKeyConstraint(["rematch_of"], ["matches.id"], name="fk_matches_rematch_of"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("challenge_id", name="uq_matches_challenge_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_status", "matches", ["status"])
    op.create_index("ix_matches_channel_id_status", "matches", ["channel_id", "status"])
    op.create_index("ix_matches_thread_id_status", "matches", ["thread_id", "status"])
    op.create_table(
        "seats",
        sa.Column("match_id", _OWN_ID, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seats"),
        sa.UniqueConstraint("match_id", "person_id", name="uq_seats_match_id_person_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_person_id_match_id", "seats", ["person_id", "match_id"])
    op.create_table(
        "entries",
        sa.Column("match_id", _OWN_ID, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("actor", sa.BigInteger(), nullable=True),
        sa.Column("interaction_id", sa.BigInteger(), nullable=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_entries_match_id"),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_entries"),
        sa.UniqueConstraint("interaction_id", name="uq_entries_interaction_id"),
        sqlite_with_rowid=False,
    )


def _create_what_is_derived() -> None:
    op.create_table(
        "results",
        sa.Column("match_id", _OWN_ID, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("hands_won", sa.Integer(), nullable=False),
        sa.Column("hands_played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_results_match_id"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_results"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_results_standings", "results", ["server_id", "person_id", "won", "total"])
    op.create_table(
        "shown",
        sa.Column("match_id", _OWN_ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("posted_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_shown_match_id"),
        sa.PrimaryKeyConstraint("match_id", "kind", "seat", name="pk_shown"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_shown_message_id", "shown", ["message_id"])
