"""The database: transactions that happen whole or not at all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar, cast

import structlog
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError
from arena.store.accounts.idempotency import AnsweredRequests
from arena.store.accounts.invites import Invites
from arena.store.accounts.teams import Teams
from arena.store.accounts.tokens import Tokens
from arena.store.accounts.users import Users
from arena.store.announcements import Announcements
from arena.store.audit.entries import Audit
from arena.store.backends.backend import DatabaseTakenError, backend_of
from arena.store.bots.bots import Bots
from arena.store.bots.hosting import HostingRecords
from arena.store.bots.submissions import Submissions
from arena.store.ladders.anchors import Anchors
from arena.store.ladders.entries import Entries
from arena.store.ladders.frozen_standings import FrozenStandings
from arena.store.ladders.ladders import Ladders
from arena.store.ladders.ledger import Ledger
from arena.store.ladders.seasons import Seasons
from arena.store.ladders.solo_boards import SoloBoards
from arena.store.matches.bot_records import BotRecords
from arena.store.matches.counts import MatchTotals
from arena.store.matches.export_order import ExportOrder
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
from arena.store.webhooks.outbox import Outbox
from arena.store.webhooks.webhooks import Webhooks

T = TypeVar("T")

READERS: Final = 4
"""Connections for reading."""

_log = structlog.get_logger(__name__)

MIGRATIONS: Final = Path(__file__).parent / "migrations"
"""The folder of the migrations."""


class Transaction:
    """Access to the tables within the transaction of a connection, until the function that it was given to returns."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.users = Users(connection)
        self.tokens = Tokens(connection)
        self.invites = Invites(connection)
        self.teams = Teams(connection)
        self.announcements = Announcements(connection)
        self.requests = AnsweredRequests(connection)
        self.bots = Bots(connection)
        self.submissions = Submissions(connection)
        self.hosting = HostingRecords(connection)
        self.ladders = Ladders(connection)
        self.entries = Entries(connection)
        self.ledger = Ledger(connection)
        self.solo_boards = SoloBoards(connection)
        self.seasons = Seasons(connection)
        self.frozen_standings = FrozenStandings(connection)
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
        self.export_order = ExportOrder(connection)
        self.rulings = Rulings(connection)
        self.void_counts = VoidCounts(connection)
        self.audit = Audit(connection)
        self.names = Names(connection)
        self.webhooks = Webhooks(connection)
        self.outbox = Outbox(connection)

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
        """`url`: for example "sqlite:////var/lib/arena/arena.db" or "postgresql://arena@localhost/arena".

        Raises InvalidArgumentError (FIELD_INVALID): of another kind, or its driver is not installed.
        """
        self._reserved = False
        self._told: dict[Engine, str] = {}
        """What was logged last of connections that a server refuses."""
        self._backend = backend_of(url)
        self._errors: tuple[type[Exception], ...] = (DBAPIError, *self._backend.errors)
        self._writer = self._backend.open_writer()
        self._readers = self._backend.open_readers(READERS)

    def reserve(self) -> None:
        """Connect for writing; a server then refuses other arenas until the store is closed.

        Raises:
            FailedPreconditionError: STORAGE, another arena uses the database.
            UnavailableError: STORAGE, it cannot be used.
        """
        self._run(self._writer, _try_writing)
        self._reserved = True

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

    def is_empty(self) -> bool:
        """Whether a database on a server has no tables, views or sequences, of an arena or of something else.

        Raises UnavailableError (STORAGE).
        """

        def look(connection: Connection) -> bool:
            found = inspect(connection)
            return not (found.get_table_names() or found.get_view_names() or found.get_sequence_names())

        return self._run(self._readers, look)

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
            cause = _cause(error)
            if self._backend.is_damaged(cause) or self._backend.is_unavailable(cause):
                raise  # the database may have taken the whole transaction back
            savepoint.rollback()
            return ChangeOutcome(error=error)
        return done

    def copy_from(self, source: "Store", progress: Callable[[int, int], None]) -> int:
        """Fill this empty database with all rows of a SQLite database, whole or not at all; return how many there are.

        `progress`: called with the rows that are done, and all there are.
        Raises UnavailableError (STORAGE), DataLossError (STORAGE): what was stored is not what the source holds.
        """
        from arena.store.moving import copy_rows

        def fill(old: Connection) -> int:
            return self._run(self._writer, lambda new: copy_rows(MIGRATIONS, old, new, progress))

        return source._run(source._readers, fill)

    def check(self) -> None:
        """Read the whole database, and check what can be checked. Raises UnavailableError (STORAGE): it is damaged."""
        if found := self._run(self._readers, self._backend.check):
            raise _damaged(found)

    def close(self) -> None:
        """Close all connections."""
        self._readers.dispose()
        self._writer.dispose()

    def _run(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        commits = False
        try:
            with engine.begin() as connection:
                done = work(connection)
                commits = True
            self._told.pop(engine, None)
            return done
        except PoolTimeoutError as error:
            raise _unavailable("all connections are in use") from error
        except DatabaseTakenError as error:
            if not self._reserved:
                raise FailedPreconditionError(ErrorReason.STORAGE, str(error)) from error
            raise self._refusal(engine, error, "another arena uses it") from error
        except self._errors as error:
            cause = _cause(error)
            if self._backend.is_damaged(cause):
                raise _damaged(str(cause)) from error
            if not self._backend.is_unavailable(cause):
                raise
            if self._backend.is_outdated(cause):
                engine.dispose()
            known = not (commits and engine is self._writer and self._backend.on_server)
            raise self._refusal(engine, cause, self._backend.public_words(cause), known=known) from error

    def _refusal(
        self, engine: Engine, cause: Exception, public: str, *, known: bool = True
    ) -> UnavailableError:
        """Return the error of a database that cannot be used now. `public`: what callers of an arena may know."""
        if not (self._reserved and self._backend.on_server):
            return _unavailable(str(cause), known=known)
        told = " ".join(str(cause).split())
        if told != self._told.get(engine):
            _log.error("the database cannot be used", why=told)
            self._told[engine] = told
        return _unavailable(public, known=known)


def newest_version() -> str:
    """Return the version of the tables that this arena uses, for example "0002"."""
    from arena.store.migrating import newest

    return newest(MIGRATIONS)


def is_older(version: str) -> bool:
    """Whether this arena can bring a database of this version of the tables up to date."""
    from arena.store.migrating import known

    return version in known(MIGRATIONS) - {newest_version()}


def _cause(error: Exception) -> Exception:
    """Return what the driver raised."""
    if isinstance(error, DBAPIError) and isinstance(error.orig, Exception):
        return error.orig
    return error


def _try_writing(connection: Connection) -> None:
    """Write what is there already, to find a database or a user that may only read."""
    if inspect(connection).has_table("alembic_version"):
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _damaged(cause: str) -> UnavailableError:
    return UnavailableError(
        ErrorReason.STORAGE,
        f"The arena's database is damaged ({cause}): stop the arena and restore a backup (docs/storage.md).",
    )


def _unavailable(cause: str, *, known: bool = True) -> UnavailableError:
    """Return the error. `known`: whether it is known that nothing was stored."""
    outcome = (
        "nothing was stored, try again"
        if known
        else "look whether the change was stored before you try again"
    )
    one_line = " ".join(cause.split())
    return UnavailableError(
        ErrorReason.STORAGE, f"The arena's database cannot be used now ({one_line}); {outcome}."
    )
