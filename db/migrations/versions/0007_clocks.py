"""Clocks of challenges, matches and house sets; deadlines of turns; vacations of people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

# Written out rather than taken from db/schema.py: a migration stays as it was on its day.
_MOMENT = sa.BigInteger()
_OWN_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables, and the columns of those that play by a clock."""
    for table in ("challenges", "matches", "house_sets"):
        op.add_column(table, sa.Column("clock", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("asked_at", _MOMENT, nullable=True))
    op.create_table(
        "deadlines",
        sa.Column("match_id", _OWN_ID, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("began", _MOMENT, nullable=False),
        sa.Column("due", _MOMENT, nullable=False),
        sa.Column("remind_at", _MOMENT, nullable=True),
        sa.Column("next_at", _MOMENT, nullable=True),
        sa.Column("stopped_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("match_id", name="pk_deadlines"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_deadlines_match_id"),
    )
    op.create_index("ix_deadlines_next_at", "deadlines", ["next_at"])
    op.create_table(
        "vacations",
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("began", _MOMENT, autoincrement=False, nullable=False),
        sa.Column("ends", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("person_id", "began", name="pk_vacations"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("vacations")
    op.drop_table("deadlines")
    op.drop_column("matches", "asked_at")
    for table in ("house_sets", "matches", "challenges"):
        op.drop_column(table, "clock")
