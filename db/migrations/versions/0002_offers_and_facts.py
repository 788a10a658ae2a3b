"""Offers to call a match off, and single facts that the bot remembers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "cancel_offers",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "person_id", name="pk_cancel_offers"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_cancel_offers_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_facts"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("facts")
    op.drop_table("cancel_offers")
