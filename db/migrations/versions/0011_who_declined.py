"""Who declined a challenge: with three people its being declined doesn't tell."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the column; of older challenges nobody knows who declined."""
    op.add_column(
        "challenge_people",
        sa.Column("declined", sa.Boolean(), server_default=sa.false(), nullable=False),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_column("challenge_people", "declined")
