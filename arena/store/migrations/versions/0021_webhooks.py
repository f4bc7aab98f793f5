"""Webhooks, and the notifications that wait for them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Create the tables; nobody had a webhook before."""
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("types", sa.Text(), nullable=False),
        sa.Column("last_failure", sa.Text(), nullable=False),
        sa.Column("ladder", sa.String(length=32), nullable=True),
        sa.Column("style", sa.Integer(), nullable=False),
        sa.Column("delivered", sa.Integer(), nullable=False),
        sa.Column("given_up", sa.Integer(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("last_success_us", sa.BigInteger(), nullable=True),
        sa.Column("last_failure_us", sa.BigInteger(), nullable=True),
        sa.Column("retry_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_webhooks_ladder"),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_index("ix_webhooks_ladder", "webhooks", ["ladder"])
    op.create_table(
        "notifications",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("webhook", sa.String(length=16), nullable=False),
        sa.Column("type", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("due_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["webhook"], ["webhooks.id"], name="fk_notifications_webhook"),
        sa.PrimaryKeyConstraint("number", name="pk_notifications"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notifications_webhook_number", "notifications", ["webhook", "number"])
