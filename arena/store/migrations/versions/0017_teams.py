"""Teams: users who own bots together."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Make nobody a member: no team exists before."""
    op.add_column("owners", sa.Column("team", sa.String(length=32), nullable=False, server_default=""))
    op.add_column("owners", sa.Column("is_team", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("owners", sa.Column("team_code_sha256", sa.LargeBinary(length=32), nullable=True))
    op.create_index("ix_owners_team_id", "owners", ["team", "id"])
    op.create_index("ix_owners_is_team_id", "owners", ["is_team", "id"])
    op.create_index("ix_owners_team_code_sha256", "owners", ["team_code_sha256"], unique=True)
    op.add_column("invites", sa.Column("team", sa.String(length=32), nullable=False, server_default=""))
