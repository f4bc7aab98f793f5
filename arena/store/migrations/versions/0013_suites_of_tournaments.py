"""The suite whose set-ups a tournament is played on."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """No tournament is played on a suite."""
    op.add_column("tournaments", sa.Column("suite", sa.Text(), nullable=False, server_default=""))
