"""Invites, the tokens that they gave, and full names of users."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the invites; nobody has joined by one before."""
    op.create_table(
        "invites",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("code_sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("token_expire_days", sa.Integer(), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=True),
        sa.Column("renewable", sa.Boolean(), nullable=False),
        sa.Column("quotas", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=True),
        sa.Column("revoked_us", sa.BigInteger(), nullable=True),
        sa.Column("tokens_end_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["user"], ["owners.id"], name="fk_invites_user"),
        sa.PrimaryKeyConstraint("id", name="pk_invites"),
        sa.UniqueConstraint("code_sha256", name="uq_invites_code_sha256"),
    )
    op.create_index("ix_invites_user", "invites", ["user"])
    op.create_index("ix_invites_created_us_id", "invites", ["created_us", "id"])
    op.add_column("owners", sa.Column("full_name", sa.Text(), nullable=False, server_default=""))
    op.add_column("tokens", sa.Column("invite", sa.String(length=16), nullable=False, server_default=""))
