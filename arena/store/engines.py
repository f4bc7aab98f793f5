"""How the database is opened: SQLite with every commit on disk, and one writer at a time."""

from contextlib import closing
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)


def open_writer(url: str) -> Engine:
    """Return an engine whose transactions may write.

    Each begins with BEGIN IMMEDIATE, so a busy database fails it at its beginning and never half-way.
    """
    return _open(url, 1, "BEGIN IMMEDIATE", _PRAGMAS)


def open_readers(url: str, size: int) -> Engine:
    """Return an engine of at most `size` connections whose transactions cannot write."""
    return _open(url, size, "BEGIN", (*_PRAGMAS, "PRAGMA query_only = ON"))


def _open(url: str, size: int, begin: str, pragmas: tuple[str, ...]) -> Engine:
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

    engine = create_engine(url, pool_size=size, max_overflow=0)
    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine
