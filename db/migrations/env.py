"""Run by Alembic for each migration; the program hands its connection over."""

from __future__ import annotations

from alembic import context

from db.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes a table by building it anew, and unlike Alembic's default for it, all of a
    # migration is within the caller's transaction: it happens completely or not at all.
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
