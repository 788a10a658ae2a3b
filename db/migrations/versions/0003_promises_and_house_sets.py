"""Secrets promised before a match and the players' words; a server's named house rules."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Written out rather than taken from db/schema.py: a migration stays as it was on its day.
_MOMENT = sa.BigInteger()
_OWN_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "promises",
        sa.Column("challenge_id", _OWN_ID, autoincrement=False, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("challenge_id", name="pk_promises"),
        sa.ForeignKeyConstraint(
            ["challenge_id"], ["challenges.id"], name="fk_promises_challenge_id"
        ),
        sa.UniqueConstraint("commitment", name="uq_promises_commitment"),
    )
    op.create_table(
        "words",
        sa.Column("challenge_id", _OWN_ID, nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("is_own", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("challenge_id", "person_id", name="pk_words"),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name="fk_words_challenge_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "house_sets",
        sa.Column("server_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("changed_by", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("server_id", "name", name="pk_house_sets"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("house_sets")
    op.drop_table("words")
    op.drop_table("promises")
