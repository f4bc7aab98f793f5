"""The first schema: accounts, bots, ladders, matches, the rating ledger.

Revision 0001, the beginning.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _owners()
    _bots()
    _bot_versions()
    _tokens()
    _requests()
    _ladders()
    _ladder_secrets()
    _ladder_entries()
    _match_groups()
    _matches()
    _match_seats()
    _rating_ledger()


def _owners() -> None:
    op.create_table(
        "owners",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_owners"),
    )


def _bots() -> None:
    op.create_table(
        "bots",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owners.id"], name="fk_bots_owner"),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
    )
    op.create_index("ix_bots_hidden_id", "bots", ["hidden", "id"], unique=False)
    op.create_index("ix_bots_owner", "bots", ["owner"], unique=False)


def _bot_versions() -> None:
    op.create_table(
        "bot_versions",
        sa.Column("bot", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=64), nullable=False),
        sa.Column("origin", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_bot_versions_bot"),
        sa.PrimaryKeyConstraint("bot", "label", name="pk_bot_versions"),
    )
    op.create_index("ix_bot_versions_bot_created_us", "bot_versions", ["bot", "created_us"], unique=False)


def _tokens() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("bot", sa.String(length=32), nullable=True),
        sa.Column("secret_sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("expires_us", sa.BigInteger(), nullable=True),
        sa.Column("revoked_us", sa.BigInteger(), nullable=True),
        sa.Column("last_used_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_tokens_bot"),
        sa.ForeignKeyConstraint(["owner"], ["owners.id"], name="fk_tokens_owner"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
    )
    op.create_index("ix_tokens_created_us_id", "tokens", ["created_us", "id"], unique=False)
    op.create_index("ix_tokens_owner_created_us_id", "tokens", ["owner", "created_us", "id"], unique=False)


def _requests() -> None:
    op.create_table(
        "requests",
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.Column("request_id", sa.String(length=36), nullable=False),
        sa.Column("method", sa.String(length=128), nullable=False),
        sa.Column("body_sha256", sa.LargeBinary(length=32), nullable=False),
        sa.Column("response", sa.LargeBinary(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owners.id"], name="fk_requests_owner"),
        sa.PrimaryKeyConstraint("owner", "request_id", name="pk_requests"),
    )


def _ladders() -> None:
    op.create_table(
        "ladders",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("seat_counts", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("same_owner", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("remaining_matches", sa.Integer(), nullable=True),
        sa.Column("finished_matches", sa.Integer(), nullable=False),
        sa.Column("groups_created", sa.Integer(), nullable=False),
        sa.Column("ledger_seq", sa.Integer(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ladders"),
    )


def _ladder_secrets() -> None:
    op.create_table(
        "ladder_secrets",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("secret", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.LargeBinary(length=32), nullable=False),
        sa.Column("revealed_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_ladder_secrets_ladder"),
        sa.PrimaryKeyConstraint("ladder", "day", name="pk_ladder_secrets"),
    )


def _ladder_entries() -> None:
    op.create_table(
        "ladder_entries",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("bot", sa.String(length=32), nullable=False),
        sa.Column("joined_us", sa.BigInteger(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("last_group_number", sa.Integer(), nullable=False),
        sa.Column("rating_milli", sa.Integer(), nullable=False),
        sa.Column("information", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("version_matches", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("placing_sum", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.BigInteger(), nullable=False),
        sa.Column("used_us", sa.BigInteger(), nullable=False),
        sa.Column("longest_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_ladder_entries_bot"),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_ladder_entries_ladder"),
        sa.PrimaryKeyConstraint("ladder", "bot", name="pk_ladder_entries"),
    )
    op.create_index(
        "ix_ladder_entries_ladder_active_bot", "ladder_entries", ["ladder", "active", "bot"], unique=False
    )
    op.create_index(
        "ix_ladder_entries_ladder_rating_milli", "ladder_entries", ["ladder", "rating_milli"], unique=False
    )


def _match_groups() -> None:
    op.create_table(
        "match_groups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.String(length=32), nullable=True),
        sa.Column("day", sa.String(length=10), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("bots", sa.Text(), nullable=False),
        sa.Column("seed_policy", sa.Integer(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("completed_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["ladder", "day"],
            ["ladder_secrets.ladder", "ladder_secrets.day"],
            name="fk_match_groups_ladder_day",
        ),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_match_groups_ladder"),
        sa.PrimaryKeyConstraint("id", name="pk_match_groups"),
        sa.UniqueConstraint("ladder", "number", name="uq_match_groups_ladder_number"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_match_groups_ladder_completed_us_day",
        "match_groups",
        ["ladder", "completed_us", "day"],
        unique=False,
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("voids", sa.Integer(), nullable=False),
        sa.Column("group_index", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("ladder", sa.String(length=32), nullable=True),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(length=64), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("seed_commitment", sa.LargeBinary(length=32), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=True),
        sa.Column("log", sa.String(length=64), nullable=False),
        sa.Column("void_reason", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=True),
        sa.Column("ended_us", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["match_groups.id"], name="fk_matches_group_id"),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_matches_ladder"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("group_id", "slot", "voids", name="uq_matches_group_id_slot_voids"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_ladder_id", "matches", ["ladder", "id"], unique=False)
    op.create_index("ix_matches_ladder_state_id", "matches", ["ladder", "state", "id"], unique=False)
    op.create_index("ix_matches_state_id", "matches", ["state", "id"], unique=False)


def _match_seats() -> None:
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(length=32), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=True),
        sa.Column("placing", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("termination", sa.Integer(), nullable=True),
        sa.Column("fault", sa.Integer(), nullable=True),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("used_us", sa.BigInteger(), nullable=False),
        sa.Column("longest_us", sa.BigInteger(), nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name="fk_match_seats_bot"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_seats_match_id"),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_match_seats"),
    )
    op.create_index("ix_match_seats_bot_match_id", "match_seats", ["bot", "match_id"], unique=False)


def _rating_ledger() -> None:
    op.create_table(
        "rating_ledger",
        sa.Column("ladder", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["match_groups.id"], name="fk_rating_ledger_group_id"),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.id"], name="fk_rating_ledger_ladder"),
        sa.PrimaryKeyConstraint("ladder", "seq", name="pk_rating_ledger"),
        sa.UniqueConstraint("ladder", "group_id", "kind", name="uq_rating_ledger_ladder_group_id_kind"),
    )
