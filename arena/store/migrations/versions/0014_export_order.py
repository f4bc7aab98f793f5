"""The order in which matches and entries of the rating ledger became final."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_FINAL = """
INSERT INTO export_order (ladder, tournament, match_id, seq)
SELECT ladder, tournament, match_id, seq FROM (
    SELECT matches.ladder, matches.tournament, matches.id AS match_id, CAST(NULL AS INTEGER) AS seq,
           match_groups.completed_us AS at_us, 0 AS kind, matches.id AS number
    FROM matches JOIN match_groups ON match_groups.id = matches.group_id
    WHERE match_groups.completed_us IS NOT NULL
    UNION ALL
    SELECT ladder, CAST(NULL AS VARCHAR(32)), CAST(NULL AS INTEGER), seq,
           MAX(created_us) OVER (PARTITION BY ladder ORDER BY seq), 1, seq
    FROM rating_ledger
) AS final ORDER BY at_us, kind, number
"""


def upgrade() -> None:
    """Give matches of complete groups the order in which the groups ended, and entries of a ladder their own."""
    op.create_table(
        "export_order",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.String(length=32), nullable=True),
        sa.Column("tournament", sa.String(length=32), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], name="fk_export_order_tournament"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_export_order_match_id"),
        sa.ForeignKeyConstraint(
            ["ladder", "seq"], ["rating_ledger.ladder", "rating_ledger.seq"], name="fk_export_order_ladder"
        ),
        sa.PrimaryKeyConstraint("position", name="pk_export_order"),
        sa.UniqueConstraint("match_id", name="uq_export_order_match_id"),
        sqlite_autoincrement=True,
    )
    op.execute(_FINAL)
    op.create_index("ix_export_order_ladder_position", "export_order", ["ladder", "position"])
    op.create_index("ix_export_order_tournament_position", "export_order", ["tournament", "position"])
