"""A ladder may have a seed policy of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; ladders that there are keep the policy that their game's chance gives."""
    op.add_column("ladders", sa.Column("seed_policy", sa.Integer(), nullable=True))
