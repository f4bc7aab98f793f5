"""The versions of the tables, and the migration to the newest.

Alembic takes a quarter of a second to load, so this module is imported when a database is opened: `arena play` and
others that need none do not wait for it.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from arena.store.schema import METADATA


class UnknownVersionError(Exception):
    """The database has a version of the tables that no migration leads to."""


def newest(migrations: Path) -> str:
    """Return the version that the last migration leads to, for example "0002". `migrations`: their folder."""
    return str(ScriptDirectory.from_config(_config(migrations)).get_current_head())


def known(migrations: Path) -> set[str]:
    """Return all versions that a migration leads to."""
    return {each.revision for each in ScriptDirectory.from_config(_config(migrations)).walk_revisions()}


def version_of(connection: Connection) -> str | None:
    """Return which version the database has; None if it has no tables yet."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(migrations: Path, connection: Connection) -> None:
    """Bring the database to the newest version; one without tables is made at that version.

    Raises UnknownVersionError: no migration begins with the version that it has.
    """
    config = _config(migrations)
    config.attributes["connection"] = connection
    try:
        if version_of(connection) is None:
            METADATA.create_all(connection, checkfirst=False)
            command.stamp(config, "head")
        else:
            command.upgrade(config, "head")
    except CommandError as error:
        raise UnknownVersionError(str(error)) from error


def _config(migrations: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations))
    return config
