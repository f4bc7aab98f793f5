"""Deadlines of ladders."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Give no ladder a deadline: none had one."""
    op.add_column("ladders", sa.Column("deadline_us", sa.BigInteger(), nullable=True))
    op.add_column(
        "ladders", sa.Column("deadline_recorded", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_ladders_deadline", "ladders", ["deadline_recorded", "deadline_us"])
