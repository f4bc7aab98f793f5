"""The database, opened: transactions that either happen whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Generic, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.engine.interfaces import DBAPIModule
from sqlalchemy.exc import DatabaseError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from arena.core.errors import ErrorReason, UnavailableError
from arena.store.accounts.idempotency import AnsweredRequests
from arena.store.accounts.tokens import Tokens
from arena.store.accounts.users import Users
from arena.store.audit.entries import Audit
from arena.store.bots.bots import Bots
from arena.store.bots.hosting import HostingRecords
from arena.store.bots.submissions import Submissions
from arena.store.engines import open_readers, open_writer
from arena.store.ladders.entries import Entries
from arena.store.ladders.ladders import Ladders
from arena.store.ladders.ledger import Ledger
from arena.store.ladders.solo_boards import SoloBoards
from arena.store.matches.counts import MatchTotals
from arena.store.matches.groups import Groups
from arena.store.matches.log_names import LogNames
from arena.store.matches.matches import Matches
from arena.store.matches.open_matches import OpenMatches
from arena.store.matches.results import MatchReport, Recorded, Results
from arena.store.matches.rulings import Rulings
from arena.store.matches.void_counts import VoidCounts
from arena.store.tournaments.pairings import Pairings
from arena.store.tournaments.tournaments import Tournaments

T = TypeVar("T")

READERS: Final = 4
"""Connections for reading."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"
"""The folder of the migrations."""

_CHECK: Final = "PRAGMA quick_check(1)"
_PRIMARY_CODE: Final = 0xFF
_SQLITE_STORAGE_FAULTS: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    }
)
_SQLITE_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class Transaction:
    """One transaction: what is kept, by kind. It must not outlive the function it was given to."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: within the transaction."""
        self._connection = connection

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens."""
        return Tokens(self._connection)

    @cached_property
    def users(self) -> Users:
        """The users, whom tokens and bots belong to."""
        return Users(self._connection)

    @cached_property
    def audit(self) -> Audit:
        """The audit trail."""
        return Audit(self._connection)

    @cached_property
    def bots(self) -> Bots:
        """The bots and their versions."""
        return Bots(self._connection)

    @cached_property
    def submissions(self) -> Submissions:
        """The archives on their way to becoming versions."""
        return Submissions(self._connection)

    @cached_property
    def hosting(self) -> HostingRecords:
        """Which versions the arena runs itself."""
        return HostingRecords(self._connection)

    @cached_property
    def ladders(self) -> Ladders:
        """The ladders and their secrets."""
        return Ladders(self._connection)

    @cached_property
    def entries(self) -> Entries:
        """Who takes part in the ladders."""
        return Entries(self._connection)

    @cached_property
    def tournaments(self) -> Tournaments:
        """The tournaments."""
        return Tournaments(self._connection)

    @cached_property
    def pairings(self) -> Pairings:
        """The plans of the tournaments."""
        return Pairings(self._connection)

    @cached_property
    def groups(self) -> Groups:
        """The match groups."""
        return Groups(self._connection)

    @cached_property
    def matches(self) -> Matches:
        """The matches."""
        return Matches(self._connection)

    @cached_property
    def open_matches(self) -> OpenMatches:
        """The matches that have not ended."""
        return OpenMatches(self._connection)

    @cached_property
    def tallies(self) -> MatchTotals:
        """How many matches there are."""
        return MatchTotals(self._connection)

    @cached_property
    def logs(self) -> LogNames:
        """The logs that matches name."""
        return LogNames(self._connection)

    @cached_property
    def ledger(self) -> Ledger:
        """The rating ledgers."""
        return Ledger(self._connection)

    @cached_property
    def solo_boards(self) -> SoloBoards:
        """The boards of the solo ladders."""
        return SoloBoards(self._connection)

    @cached_property
    def requests(self) -> AnsweredRequests:
        """The requests that were answered."""
        return AnsweredRequests(self._connection)

    @cached_property
    def rulings(self) -> Rulings:
        """What the organiser rules on matches."""
        return Rulings(self._connection)

    @cached_property
    def void_counts(self) -> VoidCounts:
        """How many matches of each bot were void."""
        return VoidCounts(self._connection)

    def record_result(self, report: MatchReport, *, now_us: int) -> Recorded:
        """The match has ended, as `Results.record` says."""
        return Results(self._connection).record(report, now_us)


@dataclass(frozen=True, slots=True)
class ChangeOutcome(Generic[T]):
    """What became of a change: what it returned, or why it was not stored."""

    value: T | None = None
    error: Exception | None = None

    def result(self) -> T:
        """What it returned. Raises what it raised."""
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
        """The tables are those of this version of the arena; what was stored is kept.

        Raises:
            UnavailableError: STORAGE, the database cannot be used or was written by a newer arena.
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
        """Which version of the tables the database has, for example "0001"; None if it has none yet.

        Raises:
            UnavailableError: STORAGE.
        """
        from arena.store.migrating import version_of

        return self._run(self._readers, version_of)

    def read(self, question: Callable[[Transaction], T]) -> T:
        """What `question` returns; all it reads is of one moment, and it cannot write.

        Raises:
            UnavailableError: STORAGE.
        """
        return self._run(self._readers, lambda connection: question(Transaction(connection)))

    def write(self, change: Callable[[Transaction], T]) -> T:
        """What `change` returns; what it wrote is on disk. If it raises, nothing is stored.

        Raises:
            UnavailableError: STORAGE.
        """
        (outcome,) = self.write_together([change])
        return outcome.result()

    def write_together(self, changes: Sequence[Callable[[Transaction], T]]) -> list[ChangeOutcome[T]]:
        """What became of each change; all were made in this order, in one transaction, and are on disk.

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
        # Whatever it is, those who asked for the changes have to hear of it.
        except Exception as error:  # noqa: BLE001
            return [ChangeOutcome(error=error) for _ in changes]

    def _apart(self, connection: Connection, change: Callable[[Transaction], T]) -> ChangeOutcome[T]:
        """One of several changes, which takes nothing back but itself."""
        savepoint = connection.begin_nested()
        try:
            done = ChangeOutcome(change(Transaction(connection)))
            savepoint.commit()
        # Whatever it is, it is the business of whoever asked for this change, and of nobody else.
        except Exception as error:
            if _is_damage(error) or _is_storage_fault(error, self._writer.dialect.loaded_dbapi):
                raise  # the database may have taken the whole transaction back
            savepoint.rollback()
            return ChangeOutcome(error=error)
        return done

    def check(self) -> None:
        """Every page of the database is sound. On SQLite it reads the whole file.

        Raises:
            UnavailableError: STORAGE, it is damaged.
        """
        if self._readers.dialect.name != "sqlite":
            return
        found = self._run(self._readers, lambda connection: connection.exec_driver_sql(_CHECK).scalar_one())
        if found != "ok":
            raise _damaged(str(found).partition("\n")[0])

    def close(self) -> None:
        """All connections are closed."""
        self._readers.dispose()
        self._writer.dispose()

    def _run(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        try:
            with engine.begin() as connection:
                return work(connection)
        except PoolTimeoutError as error:
            raise _unavailable("all connections are in use") from error
        except (DatabaseError, engine.dialect.loaded_dbapi.DatabaseError) as error:
            if _is_damage(error):
                raise _damaged(str(_cause(error))) from error
            if _is_storage_fault(error, engine.dialect.loaded_dbapi):
                raise _unavailable(str(_cause(error))) from error
            raise


def newest_version() -> str:
    """The version of the tables that this arena uses, for example "0002"."""
    from arena.store.migrating import newest

    return newest(MIGRATIONS)


def is_older(version: str) -> bool:
    """Whether this arena can bring a database of this version of the tables up to date."""
    from arena.store.migrating import known

    return version in known(MIGRATIONS) - {newest_version()}


def _cause(error: BaseException) -> BaseException | None:
    """What the driver raised."""
    return error.orig if isinstance(error, DatabaseError) else error


def _is_damage(error: BaseException) -> bool:
    """Whether the file is no longer what SQLite wrote."""
    code: int = getattr(_cause(error), "sqlite_errorcode", 0)
    return code & _PRIMARY_CODE in _SQLITE_DAMAGE


def _is_storage_fault(error: BaseException, driver: DBAPIModule) -> bool:
    """Whether the database failed, not what was asked of it."""
    code: int | None = getattr(_cause(error), "sqlite_errorcode", None)
    if code is None:
        return isinstance(_cause(error), driver.OperationalError)
    return code & _PRIMARY_CODE in _SQLITE_STORAGE_FAULTS


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
