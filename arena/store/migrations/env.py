"""Runs the migrations in the transaction that `Store.migrate` has begun."""

from alembic import context

from arena.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True
)
context.run_migrations()
