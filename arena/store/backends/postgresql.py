"""PostgreSQL: a server that others look after, used by one arena at a time."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, TypeVar

import psycopg
from psycopg.types.string import StrDumper
from sqlalchemy import Connection, Dialect, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from arena.core.errors import ErrorReason, FailedPreconditionError, invalid_field
from arena.store.backends.backend import DatabaseTakenError, storable, without_password
from arena.store.schema import METADATA

ARENA_LOCK: Final = 0x63617261  # "cara"
"""The advisory lock that the connection of an arena's writer holds, while it lives."""

_OLDEST: Final = 13
_ENCODING: Final = "UTF8"

_CONNECT: Final = {
    "application_name": "caravan-arena",
    "client_encoding": _ENCODING,
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,  # milliseconds
}
"""A server that is gone is noticed in half a minute."""

ANSWERS_WITHIN_S: Final = 60.0
"""A connection that is waited for longer is closed: its server is frozen, or waits for something itself."""

_SETTINGS: Final = (
    "SET synchronous_commit = on",
    "SET lock_timeout = '5s'",
    "SET standard_conforming_strings = on",
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
    "SET tcp_user_timeout = '30s'",
)
"""A commit returns when it is on disk, whatever the server's own setting is.

The server ends a connection whose arena is gone in half a minute, and with it the lock.
"""

_UNAVAILABLE_CLASSES: Final = frozenset({"08", "53", "55", "57", "58"})
"""Classes of SQLSTATE: the connection, resources, locks, the operator, the system."""

_READ_ONLY: Final = "25006"
_NO_PRIVILEGE: Final = "42501"

_WORDS: Final = {
    "": "its server does not answer",
    "08": "its server does not answer",
    "53": "its server is full or takes no more connections",
    "55": "it is locked",
    "57": "its server stops or starts",
    "25": "it is read-only",
    "42": "a privilege is missing",
}
"""What callers may know, by class of SQLSTATE."""

_DAMAGED: Final = "XX"
_INTERNAL: Final = "XX000"


T = TypeVar("T")


class _TextDumper(StrDumper):
    """Writes texts; a NUL, which programs may have written and PostgreSQL cannot store, becomes its symbol."""

    def dump(self, obj: str) -> Any:
        """Return the bytes to send."""
        return super().dump(storable(obj))


class _Connection(psycopg.Connection[Any]):
    """A connection that does not wait without end for its server."""

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        """Run an exchange with the server. Raises OperationalError: it did not answer, and the connection is closed."""
        return super().wait(self._bounded(gen), *arguments, **options)

    def _bounded(self, exchange: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        """Pass on what an exchange waits for, and what has come; nothing comes at each interval without an answer."""
        heard = time.monotonic()
        try:
            ready = yield next(exchange)
            while True:
                now = time.monotonic()
                if ready:
                    heard = now
                elif now - heard > ANSWERS_WITHIN_S:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"the server did not answer for {ANSWERS_WITHIN_S:.0f} s")
                ready = yield exchange.send(ready)
        except StopIteration as end:
            done: T = end.value
            return done


class PostgresqlBackend:
    """PostgreSQL 13 or newer, by psycopg 3."""

    errors: tuple[type[Exception], ...] = (psycopg.Error,)
    on_server = True

    def __init__(self, url: str) -> None:
        """`url`: for example "postgresql://arena@localhost/arena".

        Raises InvalidArgumentError: FIELD_INVALID, it is no such URL, or has an option that PostgreSQL does not know.
        """
        self._name = without_password(url)
        self._url = make_url(url).set(drivername="postgresql+psycopg")
        try:
            options = {name: str(value) for name, value in self._url.query.items()}
            psycopg.conninfo.make_conninfo("", **options)
        except psycopg.ProgrammingError as error:
            cause = " ".join(str(error).split())
            raise invalid_field("database", f"The URL of the database is refused: {cause}.") from error

    def open_writer(self) -> Engine:
        """Return an engine of one connection, which keeps other arenas off the database.

        Connecting raises DatabaseTakenError, and FailedPreconditionError (STORAGE): the encoding is not UTF8, or the
        server is too old. The server may take a moment to end a connection that was cut, so this waits for
        `lock_timeout`.
        """

        def lock(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
            self._check_server(connection)
            try:
                with closing(connection.cursor()) as cursor:
                    cursor.execute(f"SELECT pg_advisory_lock({ARENA_LOCK})")
            except psycopg.errors.LockNotAvailable as error:
                raise DatabaseTakenError(
                    f"Another arena uses the database {self._name}: stop it, or choose another database."
                ) from error
            connection.commit()

        engine = self._open(1, "READ COMMITTED", read_only=False)
        event.listen(engine, "connect", lock)
        return engine

    def open_readers(self, size: int) -> Engine:
        """Return an engine of at most `size` connections, whose transactions see one moment."""
        return self._open(size, "REPEATABLE READ", read_only=True)

    def check(self, connection: Connection) -> str:
        """Read every row of every table: the server compares the checksums of pages, if it was set up with them."""
        for table in METADATA.sorted_tables:
            connection.exec_driver_sql(f'SELECT count(t.*) FROM "{table.name}" AS t')
        return ""

    def is_damaged(self, error: Exception) -> bool:
        """Whether the server found damaged data."""
        state = _state(error)
        return state.startswith(_DAMAGED) and state != _INTERNAL

    def is_unavailable(self, error: Exception) -> bool:
        """Whether the server is gone, full, busy, or takes no changes."""
        state = _state(error)
        if not state:  # libpq itself reports it: there is no connection
            return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        return state[:2] in _UNAVAILABLE_CLASSES or state in {_READ_ONLY, _NO_PRIVILEGE}

    def is_outdated(self, error: Exception) -> bool:
        """Whether the connection was made while the database was read-only."""
        return _state(error) == _READ_ONLY

    def public_words(self, error: Exception) -> str:
        """Return words without host, port and user."""
        return _WORDS.get(_state(error)[:2], "its server has failed")

    def _open(self, size: int, isolation: str, *, read_only: bool) -> Engine:
        def on_connect(connection: Any, _entry: ConnectionPoolEntry) -> None:
            connection.adapters.register_dumper(str, _TextDumper)
            with closing(connection.cursor()) as cursor:
                for setting in _SETTINGS:
                    cursor.execute(setting)
                if read_only:
                    cursor.execute("SET default_transaction_read_only = on")
            connection.commit()

        engine = create_engine(
            self._url,
            pool_size=size,
            max_overflow=0,
            pool_pre_ping=True,  # a server that was restarted meanwhile fails no transaction
            connect_args=_CONNECT,
            isolation_level=isolation,
        )
        event.listen(engine, "do_connect", _connect)
        event.listen(engine, "connect", on_connect)
        return engine

    def _check_server(self, connection: Any) -> None:
        """Raise FailedPreconditionError (STORAGE) if the arena cannot use such a database."""
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != _ENCODING:
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"The database {self._name} has the encoding {encoding}, and the arena needs {_ENCODING}: create it "
                f"with `createdb --encoding {_ENCODING} --template template0`.",
            )
        version = connection.info.server_version // 10_000
        if version < _OLDEST:
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"The server of {self._name} is PostgreSQL {version}, and the arena needs {_OLDEST} or newer.",
            )


def _connect(
    _dialect: Dialect, _entry: ConnectionPoolEntry, arguments: Sequence[Any], options: Mapping[str, Any]
) -> _Connection:
    return _Connection.connect(*arguments, **options)


def _state(error: Exception) -> str:
    state: str | None = getattr(error, "sqlstate", None)
    return state or ""
