"""Copies of a SQLite database that is in use, and the check whether a database is whole."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from arena.core.errors import ErrorReason, UnavailableError

_MOST_FLAWS: Final = 10
_OWNER_ONLY: Final = 0o600


def copy_database(source: Path, target: Path) -> None:
    """Copy the database, as it is at one moment, to one new file, on disk and for its owner alone. Blocks.

    SQLite's online backup: users of the source do not wait.

    Raises UnavailableError: STORAGE, the source cannot be read or the target not be written; it is not there then.
    """
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
        with closing(_open(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # one file, with no other beside it
        with target.open("rb") as copy:
            os.fsync(copy.fileno())
    except (sqlite3.Error, OSError) as error:
        if not isinstance(error, FileExistsError):
            target.unlink(missing_ok=True)
        raise UnavailableError(
            ErrorReason.STORAGE,
            f"The database {source} cannot be copied to {target} ({error}): free some space or mend the folder.",
        ) from error


def flaws_of(database: Path) -> list[str]:
    """Return what SQLite finds wrong with a database file, at most ten lines; none if it is whole. Blocks."""
    try:
        with closing(_open(database)) as connection:
            lines = connection.execute(f"PRAGMA integrity_check({_MOST_FLAWS})").fetchall()
            broken = connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST_FLAWS)
    except sqlite3.Error as error:
        return [str(error)]
    found = [str(line[0]) for line in lines if line[0] != "ok"]
    return [
        *found,
        *(f"table {row[0]}, row {row[1]}: a reference to {row[2]} leads nowhere" for row in broken),
    ]


def skip_ids(database: Path, count: int) -> None:
    """Raise the ids of the next match group and match by `count`, in a database that is not in use."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = seq + ?", (count,))


def _open(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.resolve().as_uri()}?mode=rw", uri=True)
