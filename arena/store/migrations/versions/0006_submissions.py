"""Submissions, the versions that come of them, and which one the arena runs."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add tables and columns; the versions known until now were all declared by their bots."""
    op.add_column("bot_versions", sa.Column("program", sa.Text(), nullable=True))
    op.create_index("ix_bot_versions_origin_label", "bot_versions", ["origin", "label"])
    _submissions()
    _hosting()


def _submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("archive_sha256", sa.String(length=64), nullable=False),
        sa.Column("archive_bytes", sa.Integer(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=True),
        sa.Column("known", sa.Boolean(), nullable=False),
        sa.Column("plays", sa.Boolean(), nullable=False),
        sa.Column("scenarios", sa.Integer(), nullable=False),
        sa.Column("trials", sa.Text(), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("output", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("ended_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_submissions_bot"),
        sa.ForeignKeyConstraint(["owner"], ["owners.id"], name="fk_submissions_owner"),
        sa.PrimaryKeyConstraint("number", name="pk_submissions"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_submissions_bot_number", "submissions", ["bot", "number"])
    op.create_index(
        "ix_submissions_bot_archive_sha256_number", "submissions", ["bot", "archive_sha256", "number"]
    )
    op.create_index("ix_submissions_owner_created_us", "submissions", ["owner", "created_us"])
    op.create_index("ix_submissions_ended_us_number", "submissions", ["ended_us", "number"])


def _hosting() -> None:
    version = ["bot_versions.bot", "bot_versions.label"]
    op.create_table(
        "hosting",
        sa.Column("bot", sa.String(length=32), nullable=False),
        sa.Column("mode", sa.Integer(), nullable=False),
        sa.Column("newest", sa.String(length=64), nullable=False),
        sa.Column("pinned", sa.String(length=64), nullable=True),
        sa.Column("benched", sa.Text(), nullable=False),
        sa.Column("retry_us", sa.BigInteger(), nullable=True),
        sa.Column("benchings", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_hosting_bot"),
        sa.ForeignKeyConstraint(["bot", "newest"], version, name="fk_hosting_newest"),
        sa.ForeignKeyConstraint(["bot", "pinned"], version, name="fk_hosting_pinned"),
        sa.PrimaryKeyConstraint("bot", name="pk_hosting"),
    )
