"""Tournaments, and the match groups and matches that belong to one."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables of tournaments."""
    _tournaments()
    _belong_to_tournaments("match_groups")
    _belong_to_tournaments("matches")
    op.create_index(
        "ix_match_groups_tournament_number", "match_groups", ["tournament", "number"], unique=True
    )
    op.create_index("ix_match_groups_tournament_completed_us", "match_groups", ["tournament", "completed_us"])
    op.create_index("ix_matches_tournament_state_id", "matches", ["tournament", "state", "id"])
    op.create_index("ix_matches_tournament_id", "matches", ["tournament", "id"])


def _tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("bots", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("seed_policy", sa.Integer(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("pairings", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("ended_matches", sa.Integer(), nullable=False),
        sa.Column("unplayed_matches", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("ended_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["owners.id"], name="fk_tournaments_owner"),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_created_us_id", "tournaments", ["created_us", "id"])
    op.create_index("ix_tournaments_state_id", "tournaments", ["state", "id"])
    op.create_index("ix_tournaments_owner_state", "tournaments", ["owner", "state"])


def _belong_to_tournaments(table: str) -> None:
    """Add the column in plain SQL: SQLite adds a reference only together with its column, and Alembic apart."""
    op.execute(
        f"ALTER TABLE {table} ADD COLUMN tournament VARCHAR(32)"
        f" CONSTRAINT fk_{table}_tournament REFERENCES tournaments (id)"
    )
