"""SQLite: a file of the arena's own, with one writer at a time."""

import sqlite3
from contextlib import closing
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

_CHECK: Final = "PRAGMA quick_check(1)"
_PRIMARY_CODE: Final = 0xFF
_UNAVAILABLE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    }
)
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
"""Every commit is on disk, and there is one writer at a time."""


class SqliteBackend:
    """SQLite, by the standard library's driver."""

    errors: tuple[type[Exception], ...] = (sqlite3.DatabaseError,)
    on_server = False

    def __init__(self, url: str) -> None:
        """`url`: for example "sqlite:////var/lib/arena/arena.db"."""
        self._url = url

    def open_writer(self) -> Engine:
        """Return an engine whose transactions may write.

        Each begins with BEGIN IMMEDIATE, so a busy database fails it at its beginning and never half-way.
        """
        return self._open(1, "BEGIN IMMEDIATE", _PRAGMAS)

    def open_readers(self, size: int) -> Engine:
        """Return an engine of at most `size` connections whose transactions cannot write."""
        return self._open(size, "BEGIN", (*_PRAGMAS, "PRAGMA query_only = ON"))

    def check(self, connection: Connection) -> str:
        """Check every page; return the first thing that is wrong."""
        found = str(connection.exec_driver_sql(_CHECK).scalar_one())
        return "" if found == "ok" else found.partition("\n")[0]

    def is_damaged(self, error: Exception) -> bool:
        """Whether the file is damaged, or no database."""
        return _code(error) in _DAMAGED

    def is_unavailable(self, error: Exception) -> bool:
        """Whether the file is locked, the disk full, or the file gone."""
        return _code(error) in _UNAVAILABLE

    def is_outdated(self, error: Exception) -> bool:
        """Return False: the next transaction finds the file as it is."""
        return False

    def public_words(self, error: Exception) -> str:
        """Return SQLite's own words, which name no path."""
        return str(error)

    def _open(self, size: int, begin: str, pragmas: tuple[str, ...]) -> Engine:
        def on_connect(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
            # The driver must not open transactions of its own: it would begin them late, as readers.
            driver: Any = connection
            driver.isolation_level = None
            with closing(connection.cursor()) as cursor:
                for pragma in pragmas:
                    cursor.execute(pragma)

        def on_begin(connection: Connection) -> None:
            with closing(connection.connection.cursor()) as cursor:
                cursor.execute(begin)

        engine = create_engine(self._url, pool_size=size, max_overflow=0)
        event.listen(engine, "connect", on_connect)
        event.listen(engine, "begin", on_begin)
        return engine


def _code(error: Exception) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & _PRIMARY_CODE
