"""Indexes by which the match that ended last in a channel is found at once."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Index a channel's matches by their end; a running one has none."""
    op.create_index("ix_matches_channel_id_ended_at", "matches", ["channel_id", "ended_at"])
    op.create_index("ix_matches_thread_id_ended_at", "matches", ["thread_id", "ended_at"])
    op.drop_index("ix_matches_channel_id_status", "matches")
    op.drop_index("ix_matches_thread_id_status", "matches")


def downgrade() -> None:
    """Put the indexes by status back."""
    op.create_index("ix_matches_thread_id_status", "matches", ["thread_id", "status"])
    op.create_index("ix_matches_channel_id_status", "matches", ["channel_id", "status"])
    op.drop_index("ix_matches_thread_id_ended_at", "matches")
    op.drop_index("ix_matches_channel_id_ended_at", "matches")
