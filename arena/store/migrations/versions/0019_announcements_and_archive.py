"""Announcements of organisers, and ladders and tournaments that may be archived."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Announce nothing, and archive nothing: nobody could before."""
    op.create_table(
        "announcements",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_announcements"),
        sqlite_autoincrement=True,
    )
    for table in ("ladders", "tournaments"):
        op.add_column(table, sa.Column("archived", sa.Boolean(), nullable=False, server_default=sa.false()))
