"""Gates: what a tournament compares, and the bots that it has added for it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """No tournament is a gate, and no bot belongs to one."""
    op.add_column("bots", sa.Column("gate", sa.String(length=32), nullable=False, server_default=""))
    op.add_column("tournaments", sa.Column("gate", sa.Text(), nullable=False, server_default=""))
