"""Acts of administrators, limits and blocks of a server, blocks and wishes of people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# Written out rather than taken from db/schema.py: a migration stays as it was on its day.
_MOMENT = sa.BigInteger()
_OWN_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "admin_acts",
        sa.Column("id", _OWN_ID, nullable=False),
        sa.Column("server_id", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=False),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("match_id", _OWN_ID, nullable=True),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin_acts"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_admin_acts_match_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_admin_acts_server_id_id", "admin_acts", ["server_id", "id"])
    op.create_table(
        "server_limits",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("challenges", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("server_id", name="pk_server_limits"),
    )
    op.create_table(
        "allowed_channels",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("server_id", "channel_id", name="pk_allowed_channels"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "server_blocks",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("server_id", "person_id", name="pk_server_blocks"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blocks",
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "blocked_id", name="pk_blocks"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "wishes",
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("calls", sa.Boolean(), nullable=False),
        sa.Column("four_colours", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_wishes"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("wishes")
    op.drop_table("blocks")
    op.drop_table("server_blocks")
    op.drop_table("allowed_channels")
    op.drop_table("server_limits")
    op.drop_table("admin_acts")
