"""Places that tables have lost, servers without the bot, parents of challenges' threads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# Written out rather than taken from db/schema.py: a migration stays as it was on its day.
_MOMENT = sa.BigInteger()
_OWN_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables and the column."""
    op.add_column("challenges", sa.Column("parent_id", sa.BigInteger(), nullable=True))
    op.create_index("ix_challenges_channel_id_status", "challenges", ["channel_id", "status"])
    op.create_table(
        "lost_places",
        sa.Column("match_id", _OWN_ID, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.String(16), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_lost_places"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_lost_places_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "absences",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("server_id", name="pk_absences"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("absences")
    op.drop_table("lost_places")
    op.drop_index("ix_challenges_channel_id_status", "challenges")
    op.drop_column("challenges", "parent_id")
