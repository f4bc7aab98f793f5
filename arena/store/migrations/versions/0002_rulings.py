"""When the organiser ruled that a match is void."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the time of the organiser's ruling; there was none before."""
    op.add_column("matches", sa.Column("ruled_us", sa.BigInteger(), nullable=True))
