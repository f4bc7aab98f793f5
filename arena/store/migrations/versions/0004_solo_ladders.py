"""Ladders of one seat: their boards, summed up, and the best score of each entry."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """There was no such ladder before."""
    op.create_table(
        "solo_boards",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("players_sha256", sa.String(length=64), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("scores", sa.Text(), nullable=False),
        sa.Column("squares", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_solo_boards_ladder"),
        sa.PrimaryKeyConstraint("ladder", "players_sha256", name="pk_solo_boards"),
    )
    op.add_column("ladder_entries", sa.Column("best_score", sa.Integer(), nullable=True))
