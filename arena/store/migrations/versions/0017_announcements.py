"""Announcements of organisers."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the table; nothing was announced before."""
    op.create_table(
        "announcements",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_announcements"),
        sqlite_autoincrement=True,
    )
