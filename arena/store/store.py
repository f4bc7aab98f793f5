"""The database: transactions that happen whole or not at all."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import ConnectionPoolEntry

from arena.core.errors import ErrorReason, UnavailableError
from arena.store.accounts.idempotency import AnsweredRequests
from arena.store.accounts.tokens import Tokens
from arena.store.accounts.users import Users
from arena.store.audit.entries import Audit
from arena.store.bots.bots import Bots
from arena.store.bots.hosting import HostingRecords
from arena.store.bots.submissions import Submissions
from arena.store.ladders.anchors import Anchors
from arena.store.ladders.entries import Entries
from arena.store.ladders.ladders import Ladders
from arena.store.ladders.ledger import Ledger
from arena.store.ladders.seasons import Seasons
from arena.store.ladders.solo_boards import SoloBoards
from arena.store.matches.bot_records import BotRecords
from arena.store.matches.counts import MatchTotals
from arena.store.matches.groups import Groups
from arena.store.matches.log_names import LogNames
from arena.store.matches.matches import Matches
from arena.store.matches.open_matches import OpenMatches
from arena.store.matches.results import MatchReport, Recorded, Results
from arena.store.matches.rulings import Rulings
from arena.store.matches.void_counts import VoidCounts
from arena.store.names import Names
from arena.store.tournaments.pairings import Pairings
from arena.store.tournaments.rounds import Rounds
from arena.store.tournaments.tournaments import Tournaments

T = TypeVar("T")

READERS: Final = 4
"""Connections for reading."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"
"""The folder of the migrations."""

_CHECK: Final = "PRAGMA quick_check(1)"
_PRIMARY_CODE: Final = 0xFF
_STORAGE_FAULTS: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    }
)
_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class Transaction:
    """Access to the tables within the transaction of a connection, until the function that it was given to returns."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.users = Users(connection)
        self.tokens = Tokens(connection)
        self.requests = AnsweredRequests(connection)
        self.bots = Bots(connection)
        self.submissions = Submissions(connection)
        self.hosting = HostingRecords(connection)
        self.ladders = Ladders(connection)
        self.entries = Entries(connection)
        self.ledger = Ledger(connection)
        self.solo_boards = SoloBoards(connection)
        self.seasons = Seasons(connection)
        self.anchors = Anchors(connection)
        self.tournaments = Tournaments(connection)
        self.pairings = Pairings(connection)
        self.rounds = Rounds(connection)
        self.groups = Groups(connection)
        self.matches = Matches(connection)
        self.open_matches = OpenMatches(connection)
        self.tallies = MatchTotals(connection)
        self.bot_records = BotRecords(connection)
        self.logs = LogNames(connection)
        self.rulings = Rulings(connection)
        self.void_counts = VoidCounts(connection)
        self.audit = Audit(connection)
        self.names = Names(connection)

    def record_result(self, report: MatchReport, *, now_us: int) -> Recorded:
        """Store the end of a match, as `Results.record` says."""
        return Results(self._connection).record(report, now_us)


@dataclass(frozen=True, slots=True)
class ChangeOutcome(Generic[T]):
    """What became of a change: what it returned, or why it was not stored."""

    value: T | None = None
    error: Exception | None = None

    def result(self) -> T:
        """Return what it returned. Raises what it raised."""
        if self.error is not None:
            raise self.error
        return cast(T, self.value)


class Store:
    """A database. All methods block; they may be called from any thread."""

    def __init__(self, url: str) -> None:
        """`url`: as SQLAlchemy reads it, for example "sqlite:////var/lib/arena/arena.db"."""
        self._writer = open_writer(url)
        self._readers = open_readers(url, READERS)

    def migrate(self) -> None:
        """Bring the tables to those of this version of the arena; what was stored is kept.

        Raises UnavailableError: STORAGE, the database cannot be used or was written by a newer arena.
        """
        from arena.store import migrating

        found = self.version()
        try:
            self._run(self._writer, lambda connection: migrating.upgrade(MIGRATIONS, connection))
        except migrating.UnknownVersionError as error:
            raise UnavailableError(
                ErrorReason.STORAGE,
                f"The database has version {found} of the tables, and this arena knows them up to "
                f"{newest_version()}: a newer version of the arena wrote it; install that version to use it.",
            ) from error

    def version(self) -> str | None:
        """Return which version of the tables the database has, for example "0001"; None if it has none yet.

        Raises UnavailableError (STORAGE).
        """
        from arena.store.migrating import version_of

        return self._run(self._readers, version_of)

    def read(self, question: Callable[[Transaction], T]) -> T:
        """Return what `question` returns; all it reads is of one moment, and it cannot write.

        Raises UnavailableError (STORAGE).
        """
        return self._run(self._readers, lambda connection: question(Transaction(connection)))

    def write(self, change: Callable[[Transaction], T]) -> T:
        """Return what `change` returns; what it wrote is on disk. If it raises, nothing is stored.

        Raises UnavailableError (STORAGE).
        """
        (outcome,) = self.write_together([change])
        return outcome.result()

    def write_together(self, changes: Sequence[Callable[[Transaction], T]]) -> list[ChangeOutcome[T]]:
        """Make the changes in this order, in one transaction; return what became of each, on disk.

        One that raised has stored nothing, and the others have all the same. If the database cannot be used, that is
        what became of all of them, and nothing is stored.
        """
        try:
            if len(changes) == 1:
                done = self._run(self._writer, lambda connection: changes[0](Transaction(connection)))
                return [ChangeOutcome(done)]
            return self._run(
                self._writer, lambda connection: [self._apart(connection, each) for each in changes]
            )
        # Any error belongs to the callers of the changes.
        except Exception as error:  # noqa: BLE001
            return [ChangeOutcome(error=error) for _ in changes]

    def _apart(self, connection: Connection, change: Callable[[Transaction], T]) -> ChangeOutcome[T]:
        """Make one of several changes within a savepoint of its own."""
        savepoint = connection.begin_nested()
        try:
            done = ChangeOutcome(change(Transaction(connection)))
            savepoint.commit()
        # Any error belongs to the caller of this change alone.
        except Exception as error:
            if _has_code(error, _DAMAGE | _STORAGE_FAULTS):
                raise  # the database may have taken the whole transaction back
            savepoint.rollback()
            return ChangeOutcome(error=error)
        return done

    def check(self) -> None:
        """Read the whole database, and check every page of it. Raises UnavailableError (STORAGE): it is damaged."""
        found = self._run(self._readers, lambda connection: connection.exec_driver_sql(_CHECK).scalar_one())
        if found != "ok":
            raise _damaged(str(found).partition("\n")[0])

    def close(self) -> None:
        """Close all connections."""
        self._readers.dispose()
        self._writer.dispose()

    def _run(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        try:
            with engine.begin() as connection:
                return work(connection)
        except PoolTimeoutError as error:
            raise _unavailable("all connections are in use") from error
        except (DatabaseError, sqlite3.DatabaseError) as error:
            if _has_code(error, _DAMAGE):
                raise _damaged(str(_cause(error))) from error
            if _has_code(error, _STORAGE_FAULTS):
                raise _unavailable(str(_cause(error))) from error
            raise


def newest_version() -> str:
    """Return the version of the tables that this arena uses, for example "0002"."""
    from arena.store.migrating import newest

    return newest(MIGRATIONS)


def is_older(version: str) -> bool:
    """Whether this arena can bring a database of this version of the tables up to date."""
    from arena.store.migrating import known

    return version in known(MIGRATIONS) - {newest_version()}


def _cause(error: BaseException) -> BaseException | None:
    """Return what sqlite3 raised."""
    return error.orig if isinstance(error, DatabaseError) else error


def _has_code(error: BaseException, codes: frozenset[int]) -> bool:
    """Whether SQLite failed with one of these codes."""
    code: int = getattr(_cause(error), "sqlite_errorcode", 0)
    return code & _PRIMARY_CODE in codes


def _damaged(cause: str) -> UnavailableError:
    return UnavailableError(
        ErrorReason.STORAGE,
        f"The arena's database is damaged ({cause}): stop the arena and restore a backup (docs/storage.md).",
    )


def _unavailable(cause: str) -> UnavailableError:
    return UnavailableError(
        ErrorReason.STORAGE,
        f"The arena's database cannot be used now ({cause}); nothing was stored, try again.",
    )


_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
"""Every commit is on disk, and there is one writer at a time."""


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
