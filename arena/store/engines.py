"""How a database is opened: SQLite with every commit on disk and one writer at a time, or PostgreSQL."""

from __future__ import annotations

from contextlib import closing
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

_SQLITE_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)


def open_writer(url: str) -> Engine:
    """An engine whose transactions may write.

    On SQLite each begins with BEGIN IMMEDIATE: a busy database is met at once, never half-way.
    """
    engine = create_engine(url, pool_size=1, max_overflow=0)
    if make_url(url).get_backend_name() == "sqlite":
        _set_up_sqlite(engine, begin="BEGIN IMMEDIATE", pragmas=_SQLITE_PRAGMAS)
    return engine


def open_readers(url: str, size: int) -> Engine:
    """An engine of at most `size` connections whose transactions cannot write."""
    if make_url(url).get_backend_name() == "sqlite":
        engine = create_engine(url, pool_size=size, max_overflow=0)
        _set_up_sqlite(engine, begin="BEGIN", pragmas=(*_SQLITE_PRAGMAS, "PRAGMA query_only = ON"))
        return engine
    return create_engine(
        url,
        pool_size=size,
        max_overflow=0,
        execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
    )


def _set_up_sqlite(engine: Engine, *, begin: str, pragmas: tuple[str, ...]) -> None:
    def on_connect(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        # The driver must not open transactions of its own: it would begin them late, as readers.
        driver: Any = connection
        driver.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    def on_begin(connection: Connection) -> None:
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
