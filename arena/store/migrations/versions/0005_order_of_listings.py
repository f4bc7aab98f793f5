"""Indexes in the very order of the listings that they serve."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add indexes; what is stored stays as it is."""
    op.drop_index("ix_ladder_entries_ladder_rating_milli", "ladder_entries")
    op.create_index(
        "ix_ladder_entries_standings", "ladder_entries", ["ladder", sa.desc("rating_milli"), "bot"]
    )
    op.drop_index("ix_bot_versions_bot_created_us", "bot_versions")
    op.create_index("ix_bot_versions_bot_created_us_label", "bot_versions", ["bot", "created_us", "label"])
    op.create_index("ix_tournaments_format", "tournaments", ["format"])
    op.create_index("ix_ladders_state_id", "ladders", ["state", "id"])
