"""The name of the house set on each challenge, and on the match that came of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; challenges and matches from before have no name there."""
    op.add_column("challenges", sa.Column("house", sa.String(32), nullable=True))
    op.add_column("matches", sa.Column("house", sa.String(32), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("matches", "house")
    op.drop_column("challenges", "house")
