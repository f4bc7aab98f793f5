"""Standings that are frozen."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Freeze no standings: none were."""
    op.add_column("ladders", sa.Column("freeze_us", sa.BigInteger(), nullable=True))
    op.add_column("ladders", sa.Column("frozen_seq", sa.Integer(), nullable=True))
    op.add_column("ladders", sa.Column("revealing", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_ladders_freeze_us", "ladders", ["freeze_us"])
    op.add_column(
        "match_groups", sa.Column("frozen", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_match_groups_frozen_ladder", "match_groups", ["frozen", "ladder"])
    op.create_table(
        "frozen_standings",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("bot", sa.String(length=32), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("revealed", sa.Boolean(), nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.Column("final_place", sa.Integer(), nullable=True),
        sa.Column("final_rank", sa.Integer(), nullable=True),
        sa.Column("final_line", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_frozen_standings_bot"),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_frozen_standings_ladder"),
        sa.PrimaryKeyConstraint("ladder", "bot", name="pk_frozen_standings"),
    )
    op.create_index(
        "ix_frozen_standings_ladder_revealed_place", "frozen_standings", ["ladder", "revealed", "place"]
    )
