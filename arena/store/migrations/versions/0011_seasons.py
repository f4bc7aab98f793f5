"""Seasons of ladders, anchors, and titles of ladders and tournaments, which may be hidden."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Every ladder is in its first season; nothing has a title, is hidden or is an anchor."""
    op.add_column("ladders", sa.Column("season", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("match_groups", sa.Column("season", sa.Integer(), nullable=True))
    op.execute("UPDATE match_groups SET season = 1 WHERE ladder IS NOT NULL AND completed_us IS NOT NULL")
    op.add_column(
        "ladder_entries", sa.Column("anchor", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    for table in ("ladders", "tournaments"):
        op.add_column(table, sa.Column("title", sa.Text(), nullable=False, server_default=""))
        op.add_column(table, sa.Column("hidden", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_ladders_hidden_id", "ladders", ["hidden", "id"])
    op.create_index("ix_tournaments_hidden_created_us_id", "tournaments", ["hidden", "created_us", "id"])
    op.create_table(
        "seasons",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("start_us", sa.BigInteger(), nullable=False),
        sa.Column("close_us", sa.BigInteger(), nullable=False),
        sa.Column("keep_percent", sa.Integer(), nullable=False),
        sa.Column("bots", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("key_id", sa.String(length=16), nullable=False),
        sa.Column("signature", sa.LargeBinary(length=64), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_seasons_ladder"),
        sa.PrimaryKeyConstraint("ladder", "number", name="pk_seasons"),
    )
    _entries_without_a_group()


def _entries_without_a_group() -> None:
    """Let entries of the ledger have no group: SQLite changes no column, so the table is written anew."""
    op.create_table(
        "rating_ledger_new",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_rating_ledger_ladder"),
        sa.ForeignKeyConstraint(["group_id"], ["match_groups.id"], name="fk_rating_ledger_group_id"),
        sa.PrimaryKeyConstraint("ladder", "seq", name="pk_rating_ledger"),
        sa.UniqueConstraint("ladder", "group_id", "kind", name="uq_rating_ledger_ladder_group_id_kind"),
    )
    columns = "ladder, seq, kind, group_id, body, created_us"
    op.execute(f"INSERT INTO rating_ledger_new ({columns}) SELECT {columns} FROM rating_ledger")
    op.drop_table("rating_ledger")
    op.rename_table("rating_ledger_new", "rating_ledger")
