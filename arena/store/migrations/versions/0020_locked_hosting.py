"""Hosting that only an organiser can turn on again."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Lock none: nobody could before."""
    op.add_column("hosting", sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false()))
