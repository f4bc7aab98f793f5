"""No-shows are counted by seat; challenges may be refused, and yield to rated play."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Nobody has missed a match, no bot refuses challenges, and the challenges that there are keep their turn."""
    op.add_column("match_seats", sa.Column("no_shows", sa.Integer(), nullable=False, server_default="0"))
    op.add_column(
        "bots", sa.Column("refuses_challenges", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("tournaments", sa.Column("yields", sa.Boolean(), nullable=False, server_default=sa.false()))
