"""The upgrade of a database of an older arena, with a copy of it as it was."""

from datetime import UTC, datetime
from pathlib import Path

import structlog

from arena.core.units import US_PER_S
from arena.match_log.durable import UNFINISHED_SUFFIX, sync_folder
from arena.scheduling.wall_clock import now_us
from arena.server.data_folder import DataFolder, storage_errors
from arena.store.sqlite_copy import copy_database
from arena.store.store import Store, is_older, newest_version

_log = structlog.get_logger(__name__)


def bring_up_to_date(store: Store, folder: DataFolder) -> None:
    """Bring the tables to those of this arena; if they were older, first copy the database to `folder.safety_copies`.

    One on a PostgreSQL server is not copied: there a change of the tables happens whole or not at all, too, and backups
    are the server's. Blocks.

    Raises UnavailableError: STORAGE, a newer arena wrote the database, or it cannot be copied or changed.
    """
    found = store.version()
    if found is not None and is_older(found) and folder.server_url is None:
        copy = _safety_copy(folder, found)
        store.migrate()
        _log.info("database brought up to date", old=found, new=newest_version(), safety_copy=str(copy))
        return
    store.migrate()
    if found is not None and is_older(found):
        _log.info("database brought up to date", old=found, new=newest_version())


def stamp(moment_us: int) -> str:
    """Return a moment as in names of files: "20261121T093005Z". `moment_us`: microseconds since 1970 UTC."""
    return datetime.fromtimestamp(moment_us // US_PER_S, UTC).strftime("%Y%m%dT%H%M%SZ")


def _safety_copy(folder: DataFolder, version: str) -> Path:
    copy = folder.safety_copies / f"arena-{version}-{stamp(now_us())}.db"
    what = f"The database could not be copied to {folder.safety_copies} before it is brought up to date"
    with storage_errors(what, "nothing has changed: free some space or mend the folder"):
        folder.safety_copies.mkdir(mode=0o700, exist_ok=True)
        unfinished = copy.with_name(copy.name + UNFINISHED_SUFFIX)
        unfinished.unlink(missing_ok=True)
        copy_database(folder.database, unfinished)
        unfinished.replace(copy)
        sync_folder(folder.safety_copies)
    return copy
