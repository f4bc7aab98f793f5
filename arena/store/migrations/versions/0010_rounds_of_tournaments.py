"""Tournaments that are planned round by round: where a pairing belongs, byes, withdrawals, parameters of formats."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_PLACES = ("stage", "round", "bracket", "table_number", "game", "pool")


def upgrade() -> None:
    """Give the pairings of round-robins the rounds that follow from their numbers; nobody has withdrawn."""
    texts = {"parameters": "{}", "withdrawals": "[]"}
    for name, empty in texts.items():
        op.add_column("tournaments", sa.Column(name, sa.Text(), nullable=False, server_default=empty))
    op.add_column("tournaments", sa.Column("current_round", sa.Integer(), nullable=False, server_default="0"))
    op.add_column(
        "tournaments", sa.Column("seeded_by", sa.String(length=32), nullable=False, server_default="")
    )
    for name in _PLACES:
        op.add_column("match_groups", sa.Column(name, sa.Integer(), nullable=True))
    op.create_index(
        "ix_match_groups_tournament_round_number", "match_groups", ["tournament", "round", "number"]
    )
    op.create_table(
        "tournament_rounds",
        sa.Column("tournament", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("byes", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], name="fk_tournament_rounds_tournament"),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_tournament_rounds"),
    )
    # Every plan so far was a round-robin or one pairing: each of its rounds has all pairings once, in the same order.
    in_a_round = "(SELECT pairings / rounds FROM tournaments WHERE id = match_groups.tournament)"
    op.execute(
        "UPDATE match_groups SET stage = 1, bracket = 0, game = 1, pool = 0,"
        f" round = (number - 1) / {in_a_round} + 1, table_number = (number - 1) % {in_a_round} + 1"
        " WHERE tournament IS NOT NULL"
    )
