"""The first schema: accounts, bots, ladders, matches, the rating ledger."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: a database without tables is made by `arena.store.migrating.upgrade`, at the newest version."""
