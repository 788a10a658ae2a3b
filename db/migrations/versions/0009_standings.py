"""The league table kept as it stands, and indexes that are read instead of some that weren't."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, and count it from the results."""
    op.create_table(
        "standings",
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "server_id", name="pk_standings"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO standings (person_id, server_id, played, won, points) "
        "SELECT person_id, server_id, count(*), sum(CASE WHEN won THEN 1 ELSE 0 END), sum(total) "
        "FROM results GROUP BY person_id, server_id"
    )
    op.create_index(
        "ix_standings_server_id_won_points", "standings", ["server_id", "won", "points"]
    )
    op.drop_index("ix_results_standings", "results")
    op.create_index("ix_results_of_person", "results", ["person_id", "server_id", "won", "total"])
    op.create_index("ix_matches_server_id_status", "matches", ["server_id", "status"])
    op.drop_index("ix_challenges_message_id", "challenges")
    op.drop_index("ix_shown_message_id", "shown")


def downgrade() -> None:
    """Drop the table, and put the indexes back."""
    op.create_index("ix_shown_message_id", "shown", ["message_id"])
    op.create_index("ix_challenges_message_id", "challenges", ["message_id"])
    op.drop_index("ix_matches_server_id_status", "matches")
    op.drop_index("ix_results_of_person", "results")
    op.create_index("ix_results_standings", "results", ["server_id", "person_id", "won", "total"])
    op.drop_table("standings")
