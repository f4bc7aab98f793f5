"""What a store asks of a database program: its connections, its errors, and the check whether it is whole."""

from collections.abc import Callable
from typing import Final, Protocol

from sqlalchemy import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError

from arena.core.errors import InvalidArgumentError, invalid_field


class DatabaseTakenError(Exception):
    """Another arena writes to the database: a sentence."""


_POSTGRESQL: Final = ("postgresql", "postgres")
"""Schemes of URLs; libpq knows both."""


class Backend(Protocol):
    """A database program."""

    errors: tuple[type[Exception], ...]
    """What its driver raises."""
    on_server: bool
    """Whether a connection to it can break, so that the outcome of a commit is not known."""

    def open_writer(self) -> Engine:
        """Return an engine of one connection whose transactions may write, one after the other.

        Connecting raises DatabaseTakenError: another arena writes to the database.
        """

    def open_readers(self, size: int) -> Engine:
        """Return an engine of at most `size` connections; a transaction reads one moment and cannot write."""

    def check(self, connection: Connection) -> str:
        """Read the whole database; return what is wrong with it, in one line, empty if nothing is."""

    def is_damaged(self, error: Exception) -> bool:
        """Whether what the driver raised says that stored data are damaged."""

    def is_unavailable(self, error: Exception) -> bool:
        """Whether what the driver raised says that the database cannot be used now: busy, full, gone."""

    def is_outdated(self, error: Exception) -> bool:
        """Whether only a new connection may find that the database can be used again."""

    def public_words(self, error: Exception) -> str:
        """Return what callers of the arena may know of an error: a sentence part."""


def backend_of(url: str) -> Backend:
    """Return the database program of a URL, "sqlite:///PATH" or "postgresql://USER@HOST/NAME".

    Raises InvalidArgumentError (FIELD_INVALID): it is of another kind, or the driver is not installed.
    """
    opens = _BACKENDS.get(url.partition(":")[0])
    if opens is None:
        raise _no_url()
    return opens(url)


def storable(text: str) -> str:
    """Return a text as every database can store it: a NUL becomes its symbol."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}")


def without_password(url: str) -> str:
    """Return the URL of a PostgreSQL database without its password. Raises InvalidArgumentError (FIELD_INVALID)."""
    try:
        given = make_url(url)
    except (ArgumentError, ValueError) as error:  # ValueError: the port is no number
        raise _no_url() from error
    if given.drivername not in _POSTGRESQL or not given.database:
        raise _no_url()
    query = given.difference_update_query(["password"]).query
    # URL.set cannot remove a password.
    plain = URL.create("postgresql", given.username, None, given.host, given.port, given.database, query)
    return plain.render_as_string()


def _no_url() -> InvalidArgumentError:
    return invalid_field(
        "database",
        "A database is named by postgresql://USER@HOST/NAME; without one it is a file of the data folder.",
    )


def _sqlite(url: str) -> Backend:
    from arena.store.backends.sqlite import SqliteBackend

    return SqliteBackend(url)


def _postgresql(url: str) -> Backend:
    try:
        from arena.store.backends.postgresql import PostgresqlBackend
    except ImportError as error:  # it is missing, or the library that it needs
        sentence = "The driver of PostgreSQL is not installed: `pip install '.[server,postgresql]'`."
        raise invalid_field("database", sentence) from error
    return PostgresqlBackend(url)


_BACKENDS: Final[dict[str, Callable[[str], Backend]]] = {
    "sqlite": _sqlite,
    **dict.fromkeys(_POSTGRESQL, _postgresql),
}
