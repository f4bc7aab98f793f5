"""How the database of an arena moves from its file to a PostgreSQL server."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.match_log.durable import sync_folder
from arena.scheduling.wall_clock import now_us
from arena.server.data_folder import DataFolder, storage_errors
from arena.server.maintenance.backup import open_for_reading
from arena.server.maintenance.upgrade import stamp
from arena.store.backends.backend import without_password
from arena.store.store import Store, newest_version


@dataclass(frozen=True, slots=True)
class MovedDatabase:
    """What a move has done."""

    url: str
    """Where the database is now, without a password."""
    rows: int
    kept: Path
    """The file that it was in."""


def move(folder: DataFolder, url: str, *, progress: Callable[[int, int], None]) -> MovedDatabase:
    """Copy the database to an empty one at `url`, compare every row, and have the folder name it. Blocks.

    Raises:
        InvalidArgumentError: FIELD_INVALID, it is no URL of a PostgreSQL database, or the driver is not installed.
        FailedPreconditionError: STORAGE, there is no database, an arena uses one of the two, the new one is not empty,
            or the database is on a server already or of an older arena.
        DataLossError: STORAGE, a row differs.
        UnavailableError: STORAGE, a database cannot be used. After any error the folder is as it was.
    """
    plain = without_password(url)
    if folder.server_url is not None:
        raise _not_moved(f"The database of {folder.path} is on a server already, {folder.server_url}.")
    open_for_reading(folder).close()
    with folder.lock():
        with closing(Store(folder.database_url)) as old, closing(Store(url)) as new:
            if old.version() != newest_version():
                raise _not_moved(
                    "Its tables are of another version of the arena: start the arena once before."
                )
            old.check()
            new.reserve()
            if not new.is_empty():
                raise _not_moved(f"The database {plain} is not empty: choose one without tables.")
            rows = new.copy_from(old, progress)
        with storage_errors(f"{folder.path} could not be changed", "mend the folder, and use a new database"):
            folder.keep_database(url)  # from now on the file does not count
            kept = _set_aside(folder)
    return MovedDatabase(plain, rows, kept)


def _set_aside(folder: DataFolder) -> Path:
    """Move the SQLite file to the copies of the database; return its new path. Raises OSError."""
    folder.safety_copies.mkdir(mode=0o700, exist_ok=True)
    kept = folder.safety_copies / f"arena-{newest_version()}-{stamp(now_us())}.db"
    folder.database.replace(kept)
    sync_folder(folder.safety_copies)
    return kept


def _not_moved(why: str) -> FailedPreconditionError:
    return FailedPreconditionError(ErrorReason.STORAGE, why)
