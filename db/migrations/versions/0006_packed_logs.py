"""Logs of matches that ended some time ago, one row each."""

from __future__ import annotations

import zlib

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_OWN_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables; logs are packed later, while the bot runs."""
    op.create_table(
        "packed_logs",
        sa.Column("match_id", _OWN_ID, autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_packed_logs_match_id"),
        sa.PrimaryKeyConstraint("match_id", name="pk_packed_logs"),
    )
    op.create_table(
        "packed_actors",
        sa.Column("match_id", _OWN_ID, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["packed_logs.match_id"], name="fk_packed_actors_match_id"
        ),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_packed_actors"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_packed_actors_person_id", "packed_actors", ["person_id"])


def downgrade() -> None:
    """Put every packed log back, an entry a row, and drop the tables."""
    connection = op.get_bind()
    packed = connection.execute(sa.text("SELECT match_id FROM packed_logs ORDER BY match_id"))
    for (match,) in packed.all():
        _unpack(connection, match)
    op.drop_table("packed_actors")
    op.drop_table("packed_logs")


def _unpack(connection: sa.Connection, match: int) -> None:
    its = {"its": match}
    seats = sa.text("SELECT seat, person_id FROM seats WHERE match_id = :its")
    beside = sa.text("SELECT seq, person_id FROM packed_actors WHERE match_id = :its")
    content = sa.text("SELECT content FROM packed_logs WHERE match_id = :its")
    in_seat = {str(row.seat): row.person_id for row in connection.execute(seats, its)}
    others = {row.seq: row.person_id for row in connection.execute(beside, its)}
    packed = bytes(connection.execute(content, its).scalar_one())
    _first, *lines = zlib.decompress(packed).decode().split("\n")
    rows = []
    interaction = at = 0
    for seq, (text, seat, actor, further, later) in enumerate(
        zip(*(line.split("\t") for line in lines), strict=True), 1
    ):
        interaction += int(further or 0)
        at += int(later)
        rows.append(
            {
                "match_id": match,
                "seq": seq,
                "text": text,
                "seat": int(seat) if seat else None,
                "actor": {"=": in_seat.get(seat), "+": others.get(seq)}.get(actor),
                "interaction_id": interaction if further else None,
                "at": at,
            }
        )
    connection.execute(
        sa.text(
            "INSERT INTO entries (match_id, seq, text, seat, actor, interaction_id, at) "
            "VALUES (:match_id, :seq, :text, :seat, :actor, :interaction_id, :at)"
        ),
        rows,
    )
