"""The tables. Times are integer microseconds since 1970 UTC; enums are the numbers of the .proto files.

A change here needs a migration in `arena/store/migrations/versions`; a test compares the two.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    desc,
    false,
)
from sqlalchemy.types import TypeEngine

_Type = TypeEngine[Any] | type[TypeEngine[Any]]

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _required(kind: _Type, *names: str) -> list[Column[Any]]:
    """Return columns of one type, each of which has a value in every row."""
    return [Column(name, kind, nullable=False) for name in names]


def _optional(kind: _Type, *names: str) -> list[Column[Any]]:
    """Return columns of one type that may be NULL."""
    return [Column(name, kind, nullable=True) for name in names]


OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("role", Integer, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("quotas", Text, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    Column("full_name", Text, nullable=False, server_default=""),
    Column("team", String(32), nullable=False, server_default=""),
    Column("is_team", Boolean, nullable=False, server_default=false()),
    Column("team_code_sha256", LargeBinary(32), nullable=True),
    Index("ix_owners_role_disabled", "role", "disabled"),
    Index("ix_owners_disabled", "disabled"),
    Index("ix_owners_team_id", "team", "id"),
    Index("ix_owners_is_team_id", "is_team", "id"),
    Index("ix_owners_team_code_sha256", "team_code_sha256", unique=True),
)

BOTS: Final = Table(
    "bots",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", ForeignKey("owners.id"), nullable=False, index=True),
    Column("description", Text, nullable=False),
    Column("hidden", Boolean, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    Column("void_matches", Integer, nullable=False, server_default="0"),
    Column("refuses_challenges", Boolean, nullable=False, server_default=false()),
    Column("gate", String(32), nullable=False, server_default=""),
    Index("ix_bots_hidden_id", "hidden", "id"),
    Index("ix_bots_void_matches", "void_matches"),
)

BOT_VERSIONS: Final = Table(
    "bot_versions",
    METADATA,
    Column("bot", ForeignKey("bots.id"), primary_key=True),
    Column("label", String(64), primary_key=True),
    Column("origin", Integer, nullable=False),
    Column("language", String(32), nullable=False),
    *_required(BigInteger, "created_us", "bytes"),
    Column("program", Text, nullable=True),
    Index("ix_bot_versions_bot_created_us_label", "bot", "created_us", "label"),
    Index("ix_bot_versions_origin_label", "origin", "label"),
)

SUBMISSIONS: Final = Table(
    "submissions",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("bot", ForeignKey("bots.id"), nullable=False),
    Column("owner", ForeignKey("owners.id"), nullable=False),
    *_required(String(64), "archive_sha256", "reason"),
    *_required(Integer, "archive_bytes", "state", "scenarios"),
    Column("version", String(64), nullable=True),
    *_required(Boolean, "known", "plays", "charged"),
    *_required(Text, "trials", "sentence", "output"),
    Column("created_us", BigInteger, nullable=False),
    Column("ended_us", BigInteger, nullable=True),
    Index("ix_submissions_bot_number", "bot", "number"),
    Index("ix_submissions_bot_archive_sha256_number", "bot", "archive_sha256", "number"),
    Index("ix_submissions_owner_created_us", "owner", "created_us"),
    Index("ix_submissions_ended_us_number", "ended_us", "number"),
    sqlite_autoincrement=True,
)

HOSTING: Final = Table(
    "hosting",
    METADATA,
    Column("bot", ForeignKey("bots.id"), primary_key=True),
    *_required(Integer, "mode", "benchings"),
    Column("newest", String(64), nullable=False),
    Column("pinned", String(64), nullable=True),
    Column("benched", Text, nullable=False),
    Column("retry_us", BigInteger, nullable=True),
    Column("locked", Boolean, nullable=False, server_default=false()),
    ForeignKeyConstraint(
        ["bot", "newest"], ["bot_versions.bot", "bot_versions.label"], name="fk_hosting_newest"
    ),
    ForeignKeyConstraint(
        ["bot", "pinned"], ["bot_versions.bot", "bot_versions.label"], name="fk_hosting_pinned"
    ),
)

INVITES: Final = Table(
    "invites",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("code_sha256", LargeBinary(32), nullable=False, unique=True),
    *_required(Integer, "role", "uses", "used", "token_expire_days"),
    Column("user", ForeignKey("owners.id"), nullable=True, index=True),
    *_required(Boolean, "renewable"),
    *_required(Text, "quotas", "note"),
    Column("created_us", BigInteger, nullable=False),
    *_optional(BigInteger, "expires_us", "revoked_us", "tokens_end_us"),
    Column("team", String(32), nullable=False, server_default=""),
    Index("ix_invites_created_us_id", "created_us", "id"),
)

ANNOUNCEMENTS: Final = Table(
    "announcements",
    METADATA,
    Column("number", Integer, primary_key=True),
    *_required(Text, "text"),
    *_required(BigInteger, "created_us"),
    *_optional(BigInteger, "expires_us"),
    sqlite_autoincrement=True,
)

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("id", String(16), primary_key=True),
    *_required(Integer, "role", "scopes"),
    Column("owner", ForeignKey("owners.id"), nullable=False),
    Column("bot", ForeignKey("bots.id"), nullable=True),
    Column("secret_sha256", LargeBinary(32), nullable=False),
    Column("created_us", BigInteger, nullable=False),
    *_optional(BigInteger, "expires_us", "revoked_us", "last_used_us"),
    Column("note", String(64), nullable=False),
    Column("invite", String(16), nullable=False, server_default=""),
    Index("ix_tokens_created_us_id", "created_us", "id"),
    Index("ix_tokens_owner_created_us_id", "owner", "created_us", "id"),
)

LADDERS: Final = Table(
    "ladders",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    *_required(Integer, "rules_version", "state", "finished_matches", "groups_created", "ledger_seq"),
    *_required(Text, "seat_counts", "options", "time_control"),
    Column("same_owner", Boolean, nullable=False),
    *_optional(Integer, "remaining_matches", "seed_policy"),
    Column("created_us", BigInteger, nullable=False),
    Column("season", Integer, nullable=False, server_default="1"),
    Column("title", Text, nullable=False, server_default=""),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("deadline_us", BigInteger, nullable=True),
    Column("deadline_recorded", Boolean, nullable=False, server_default=false()),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("freeze_us", BigInteger, nullable=True),
    Column("frozen_seq", Integer, nullable=True),
    Column("revealing", Boolean, nullable=False, server_default=false()),
    Index("ix_ladders_state_id", "state", "id"),
    Index("ix_ladders_deadline", "deadline_recorded", "deadline_us"),
    Index("ix_ladders_freeze_us", "freeze_us"),
    Index("ix_ladders_hidden_id", "hidden", "id"),
)

LADDER_SECRETS: Final = Table(
    "ladder_secrets",
    METADATA,
    Column("ladder", ForeignKey("ladders.id"), primary_key=True),
    Column("day", String(10), primary_key=True),
    *_required(LargeBinary(32), "secret", "commitment"),
    Column("revealed_us", BigInteger, nullable=True),
)

LADDER_ENTRIES: Final = Table(
    "ladder_entries",
    METADATA,
    Column("ladder", ForeignKey("ladders.id"), primary_key=True),
    Column("bot", ForeignKey("bots.id"), primary_key=True),
    *_required(BigInteger, "joined_us", "information", "decisions", "used_us", "longest_us"),
    Column("active", Boolean, nullable=False),
    *_required(
        Integer, "last_group_number", "rating_milli", "version_matches", "matches", "placing_sum", "forfeits"
    ),
    Column("version", String(64), nullable=False),
    Column("best_score", Integer, nullable=True),
    Column("anchor", Boolean, nullable=False, server_default=false()),
    Column("locked", Boolean, nullable=False, server_default=false()),
    Index("ix_ladder_entries_standings", "ladder", desc("rating_milli"), "bot"),
    Index("ix_ladder_entries_ladder_active_bot", "ladder", "active", "bot"),
)

FROZEN_STANDINGS: Final = Table(
    "frozen_standings",
    METADATA,
    Column("ladder", ForeignKey("ladders.id"), primary_key=True),
    Column("bot", ForeignKey("bots.id"), primary_key=True),
    *_required(Integer, "place", "rank"),
    Column("revealed", Boolean, nullable=False),
    Column("line", LargeBinary, nullable=False),
    *_optional(Integer, "final_place", "final_rank"),
    Column("final_line", LargeBinary, nullable=True),
    Index("ix_frozen_standings_ladder_revealed_place", "ladder", "revealed", "place"),
)

SEASONS: Final = Table(
    "seasons",
    METADATA,
    Column("ladder", ForeignKey("ladders.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    *_required(BigInteger, "start_us", "close_us"),
    *_required(Integer, "keep_percent", "bots"),
    Column("document", Text, nullable=False),
    Column("key_id", String(16), nullable=False),
    Column("signature", LargeBinary(64), nullable=False),
)

TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("owner", ForeignKey("owners.id"), nullable=False),
    *_required(
        Integer,
        "format",
        "rules_version",
        "seats",
        "rounds",
        "seed_policy",
        "state",
        "pairings",
        "matches",
        "ended_matches",
        "unplayed_matches",
    ),
    Column("game", String(32), nullable=False),
    *_required(Text, "options", "time_control", "bots"),
    *_required(LargeBinary(32), "secret", "commitment"),
    Column("created_us", BigInteger, nullable=False),
    Column("ended_us", BigInteger, nullable=True),
    Column("yields", Boolean, nullable=False, server_default=false()),
    Column("parameters", Text, nullable=False, server_default="{}"),
    Column("current_round", Integer, nullable=False, server_default="0"),
    Column("withdrawals", Text, nullable=False, server_default="[]"),
    Column("seeded_by", String(32), nullable=False, server_default=""),
    Column("suite", Text, nullable=False, server_default=""),
    Column("title", Text, nullable=False, server_default=""),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("gate", Text, nullable=False, server_default=""),
    Index("ix_tournaments_created_us_id", "created_us", "id"),
    Index("ix_tournaments_hidden_created_us_id", "hidden", "created_us", "id"),
    Index("ix_tournaments_state_id", "state", "id"),
    Index("ix_tournaments_owner_state", "owner", "state"),
    Index("ix_tournaments_format", "format"),
)

TOURNAMENT_ROUNDS: Final = Table(
    "tournament_rounds",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("byes", Text, nullable=False),
    Column("created_us", BigInteger, nullable=False),
)

MATCH_GROUPS: Final = Table(
    "match_groups",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("ladder", String(32), nullable=True),
    Column("day", String(10), nullable=True),
    Column("number", Integer, nullable=True),
    Column("bots", Text, nullable=False),
    Column("seed_policy", Integer, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    Column("completed_us", BigInteger, nullable=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=True),
    *_optional(Integer, "stage", "round", "bracket", "table_number", "game", "pool"),
    Column("season", Integer, nullable=True),
    Column("frozen", Boolean, nullable=False, server_default=false()),
    ForeignKeyConstraint(["ladder"], ["ladders.id"]),
    ForeignKeyConstraint(["ladder", "day"], ["ladder_secrets.ladder", "ladder_secrets.day"]),
    UniqueConstraint("ladder", "number"),
    Index("ix_match_groups_ladder_completed_us_day", "ladder", "completed_us", "day"),
    Index("ix_match_groups_tournament_number", "tournament", "number", unique=True),
    Index("ix_match_groups_tournament_completed_us", "tournament", "completed_us"),
    Index("ix_match_groups_tournament_round_number", "tournament", "round", "number"),
    Index("ix_match_groups_frozen_ladder", "frozen", "ladder"),
    sqlite_autoincrement=True,
)

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("group_id", ForeignKey("match_groups.id"), nullable=False),
    *_required(Integer, "slot", "voids", "group_index", "attempt", "rules_version", "state", "plies"),
    Column("ladder", ForeignKey("ladders.id"), nullable=True),
    Column("game", String(32), nullable=False),
    *_required(Text, "options", "time_control", "void_reason"),
    Column("rated", Boolean, nullable=False),
    *_required(String(64), "ending", "log"),
    Column("seed_commitment", LargeBinary(32), nullable=False),
    Column("seed", LargeBinary(32), nullable=True),
    Column("created_us", BigInteger, nullable=False),
    *_optional(BigInteger, "started_us", "ended_us", "ruled_us"),
    Column("tournament", ForeignKey("tournaments.id"), nullable=True),
    UniqueConstraint("group_id", "slot", "voids"),
    Index("ix_matches_state_id", "state", "id"),
    Index("ix_matches_ladder_state_id", "ladder", "state", "id"),
    Index("ix_matches_ladder_id", "ladder", "id"),
    Index("ix_matches_tournament_state_id", "tournament", "state", "id"),
    Index("ix_matches_tournament_id", "tournament", "id"),
    sqlite_autoincrement=True,
)

MATCH_SEATS: Final = Table(
    "match_seats",
    METADATA,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("bot", ForeignKey("bots.id"), nullable=False),
    Column("version", String(64), nullable=True),
    *_required(Integer, "placing", "score", "decisions", "strikes"),
    *_optional(Integer, "termination", "fault"),
    *_required(Text, "evidence", "sentence"),
    *_required(BigInteger, "used_us", "longest_us"),
    Column("no_shows", Integer, nullable=False, server_default="0"),
    Index("ix_match_seats_bot_match_id", "bot", "match_id"),
)

RATING_LEDGER: Final = Table(
    "rating_ledger",
    METADATA,
    Column("ladder", ForeignKey("ladders.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", Integer, nullable=False),
    Column("group_id", ForeignKey("match_groups.id"), nullable=True),
    Column("body", Text, nullable=False),
    Column("created_us", BigInteger, nullable=False),
    UniqueConstraint("ladder", "group_id", "kind"),
)

EXPORT_ORDER: Final = Table(
    "export_order",
    METADATA,
    Column("position", Integer, primary_key=True),
    Column("ladder", String(32), nullable=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=True),
    Column("match_id", ForeignKey("matches.id"), nullable=True, unique=True),
    Column("seq", Integer, nullable=True),
    ForeignKeyConstraint(["ladder", "seq"], ["rating_ledger.ladder", "rating_ledger.seq"]),
    Index("ix_export_order_ladder_position", "ladder", "position"),
    Index("ix_export_order_tournament_position", "tournament", "position"),
    sqlite_autoincrement=True,
)

SOLO_BOARDS: Final = Table(
    "solo_boards",
    METADATA,
    Column("ladder", ForeignKey("ladders.id"), primary_key=True),
    Column("players_sha256", String(64), primary_key=True),  # the list itself may be too long for an index
    *_required(Text, "players", "scores", "squares"),
    Column("boards", Integer, nullable=False),
)

REQUESTS: Final = Table(
    "requests",
    METADATA,
    Column("owner", ForeignKey("owners.id"), primary_key=True),
    Column("request_id", String(36), primary_key=True),
    Column("method", String(128), nullable=False),
    Column("body_sha256", LargeBinary(32), nullable=False),
    Column("response", LargeBinary, nullable=False),
    Column("created_us", BigInteger, nullable=False),
)

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("at_us", BigInteger, nullable=False),
    Column("kind", Integer, nullable=False),
    Column("user", ForeignKey("owners.id"), nullable=True),
    Column("token", String(16), nullable=True),
    *_required(Text, "about", "sentence", "evidence"),
    Index("ix_audit_at_us_number", "at_us", "number"),
    Index("ix_audit_kind_number", "kind", "number"),
    Index("ix_audit_user_number", "user", "number"),
    sqlite_autoincrement=True,
)

AUDIT_ABOUT: Final = Table(
    "audit_about",
    METADATA,
    Column("about", String(128), primary_key=True),
    Column("number", ForeignKey("audit.number"), primary_key=True),
)

WEBHOOKS: Final = Table(
    "webhooks",
    METADATA,
    Column("id", String(16), primary_key=True),
    *_required(Text, "url", "types", "last_failure"),
    Column("ladder", ForeignKey("ladders.id"), nullable=True, index=True),
    *_required(Integer, "style", "delivered", "given_up", "dropped", "failures"),
    Column("secret", LargeBinary(32), nullable=False),
    Column("created_us", BigInteger, nullable=False),
    *_optional(BigInteger, "last_success_us", "last_failure_us", "retry_us"),
)

NOTIFICATIONS: Final = Table(
    "notifications",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("webhook", ForeignKey("webhooks.id"), nullable=False),
    *_required(Integer, "type", "attempts"),
    Column("data", Text, nullable=False),
    *_required(BigInteger, "created_us", "due_us"),
    Index("ix_notifications_webhook_number", "webhook", "number"),
    sqlite_autoincrement=True,
)


def _compare_bytes() -> None:
    """Have PostgreSQL compare texts as SQLite and Python do: by their code points, not by the rules of a language."""
    for table in METADATA.tables.values():
        for column in table.columns:
            if isinstance(column.type, String):
                length = column.type.length
                kind = Text(collation="C") if length is None else String(length, collation="C")
                column.type = column.type.with_variant(kind, "postgresql")


_compare_bytes()
