"""Users with roles and quotas, tokens with scopes, and the audit trail."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_OWNER, _ORGANISER = 2, 3
_ABORTED = 4


def upgrade() -> None:
    """Who had an organiser's token is an organiser, everybody else an owner; every token keeps all of its role."""
    op.add_column("owners", sa.Column("role", sa.Integer(), nullable=False, server_default=str(_OWNER)))
    op.add_column("owners", sa.Column("disabled", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("owners", sa.Column("quotas", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("owners", sa.Column("created_us", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("tokens", sa.Column("scopes", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("tokens", sa.Column("note", sa.String(length=64), nullable=False, server_default=""))
    op.create_index("ix_owners_role_disabled", "owners", ["role", "disabled"])
    op.create_index("ix_owners_disabled", "owners", ["disabled"])
    op.add_column("submissions", sa.Column("charged", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("bot_versions", sa.Column("bytes", sa.BigInteger(), nullable=False, server_default="0"))
    _measure_versions()
    op.execute(
        f"UPDATE owners SET role = {_ORGANISER} "
        f"WHERE EXISTS (SELECT 1 FROM tokens WHERE tokens.owner = owners.id AND tokens.role = {_ORGANISER})"
    )
    op.execute(
        "UPDATE owners SET created_us = COALESCE("
        "(SELECT MIN(tokens.created_us) FROM tokens WHERE tokens.owner = owners.id), 0)"
    )
    op.add_column("bots", sa.Column("void_matches", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_bots_void_matches", "bots", ["void_matches"])
    op.execute(
        "UPDATE bots SET void_matches = (SELECT COUNT(*) FROM match_seats "
        "JOIN matches ON matches.id = match_seats.match_id "
        f"WHERE match_seats.bot = bots.id AND matches.state = {_ABORTED} "
        "AND matches.void_reason LIKE 'Void by the arena%')"
    )
    _audit()


def _measure_versions() -> None:
    """Set the bytes of old versions to what was submitted: what was built of them was not counted."""
    versions = sa.table(
        "bot_versions", sa.column("bot"), sa.column("label"), sa.column("program"), sa.column("bytes")
    )
    connection = op.get_bind()
    submitted = sa.select(versions.c.bot, versions.c.label, versions.c.program).where(
        versions.c.program.is_not(None)
    )
    for bot, label, program in connection.execute(submitted).all():
        size = int(json.loads(program)["bytes"])
        of_this = (versions.c.bot == bot) & (versions.c.label == label)
        connection.execute(sa.update(versions).where(of_this).values(bytes=size))


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=True),
        sa.Column("token", sa.String(length=16), nullable=True),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["owners.id"], name="fk_audit_user"),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_at_us_number", "audit", ["at_us", "number"])
    op.create_index("ix_audit_kind_number", "audit", ["kind", "number"])
    op.create_index("ix_audit_user_number", "audit", ["user", "number"])
    op.create_table(
        "audit_about",
        sa.Column("about", sa.String(length=128), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["audit.number"], name="fk_audit_about_number"),
        sa.PrimaryKeyConstraint("about", "number", name="pk_audit_about"),
    )
