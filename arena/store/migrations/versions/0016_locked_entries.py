"""Entries of ladders that only an organiser can make active again."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Lock no entry: nobody could before."""
    op.add_column(
        "ladder_entries", sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false())
    )
