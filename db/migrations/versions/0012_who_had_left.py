"""Who had left the server when a match was called off: so far a version of -1 said so."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_OFFERS = sa.table(
    "cancel_offers",
    sa.column("match_id", sa.BigInteger),
    sa.column("version", sa.Integer),
    sa.column("had_left", sa.Boolean),
)
_MATCHES = sa.table("matches", sa.column("id", sa.BigInteger), sa.column("head", sa.Integer))


def upgrade() -> None:
    """Create the column; it was noted just before the act that called the match off."""
    op.add_column(
        "cancel_offers",
        sa.Column("had_left", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    head = sa.select(_MATCHES.c.head).where(_MATCHES.c.id == _OFFERS.c.match_id).scalar_subquery()
    op.execute(_OFFERS.update().where(_OFFERS.c.version == -1).values(had_left=True, version=head))


def downgrade() -> None:
    """Drop it."""
    op.execute(_OFFERS.update().where(_OFFERS.c.had_left).values(version=-1))
    op.drop_column("cancel_offers", "had_left")
