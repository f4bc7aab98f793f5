"""The data folder of an arena: its paths, lock, secrets, and the announcement of the running arena."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from arena.core.errors import ErrorReason, FailedPreconditionError, InvalidArgumentError, UnavailableError
from arena.core.units import SOCKET_PATH_BYTES
from arena.match_log.durable import UNFINISHED_SUFFIX, write_durably
from arena.server.ready_file import write_addresses
from arena.store.backends.backend import without_password

SERVER_FILE: Final = "server.json"
ORGANISER_TOKEN_FILE: Final = "organiser.token"
DATABASE_URL_FILE: Final = "database.url"
"""Names the PostgreSQL database of the arena; without it the database is a file of the folder."""


@contextmanager
def storage_errors(what: str, remedy: str) -> Iterator[None]:
    """Raise an UnavailableError (STORAGE) for an OSError inside. `what`: what failed, to begin a sentence with."""
    try:
        yield
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        why = f"{error.strerror or error}{place}"
        raise UnavailableError(ErrorReason.STORAGE, f"{what}: {why}; {remedy}.") from error


class DataFolder:
    """The paths of everything that an arena keeps."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.database: Final = path / "arena.db"
        """The SQLite database, unless `server_url` names another one."""
        self.safety_copies: Final = path / "backups"
        """Copies of the database from before each upgrade."""
        self.logs: Final = path / "logs"
        self.debug_lines: Final = path / "debug"
        self.uploads: Final = path / "uploads"
        """The archives of open submissions."""
        self.versions: Final = path / "versions"
        """The submitted versions of bots."""
        self.runtimes: Final = path / "runtimes"
        """The organiser's runtimes, unless they are elsewhere."""
        self.keys: Final = path / "keys"
        """The keys that logs are signed with."""
        self.organiser_token: Final = path / ORGANISER_TOKEN_FILE
        """The first organiser token."""
        self.cluster_token: Final = path / "cluster.token"
        """The token without which no machine joins the arena's cluster."""
        self.drained_nodes: Final = path / "drained_nodes.json"
        """The nodes of the cluster on which no match begins, and why."""
        self.page_key: Final = self.keys / "pages.key"
        """The key that page tokens are protected with."""

    @property
    def server_url(self) -> str | None:
        """The PostgreSQL database of the arena, without its password; None: it is the SQLite file.

        Raises FailedPreconditionError: STORAGE, the file that names it cannot be read, or names none.
        """
        file = self.path / DATABASE_URL_FILE
        try:
            return without_password(file.read_text(encoding="utf-8").strip())
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, InvalidArgumentError) as error:
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"{file} does not name the database of the arena: write postgresql://USER@HOST/NAME into it.",
            ) from error

    @property
    def database_url(self) -> str:
        """Where the database is."""
        return self.server_url or f"sqlite:///{self.database.resolve()}"

    @property
    def has_database(self) -> bool:
        """Whether the folder has a database, or names one on a server."""
        return self.server_url is not None or self.database.is_file()

    def choose_database(self, url: str | None) -> str:
        """Return the URL of the arena's database: `url` if one is given. A new folder may have any.

        Raises:
            InvalidArgumentError: FIELD_INVALID, it is no URL of a PostgreSQL database.
            FailedPreconditionError: STORAGE, the arena has another database, or has lost it.
        """
        plain = None if url is None else without_password(url)
        if not self.has_database and self.organiser_token.exists():  # written when the first one was made
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"The database of the arena of {self.path} is missing: restore {self.database.name}, or, if it is on a "
                f"PostgreSQL server, write its URL into {DATABASE_URL_FILE}. A new arena needs an empty folder.",
            )
        if url is None:
            return self.database_url
        if not self.has_database:
            return url
        if self.server_url is None:
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"The arena of {self.path} has its database in that folder: start it without --database, or move the "
                "database with `arena data move`.",
            )
        if self.server_url != plain:
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"The arena of {self.path} has its database at {self.server_url}: start it without --database, or with "
                "this one.",
            )
        return url

    def keep_database(self, url: str) -> None:
        """Remember the PostgreSQL database of the arena, without its password.

        Raises UnavailableError: STORAGE, the URL could not be written.
        """
        self.write_secret(self.path / DATABASE_URL_FILE, f"{without_password(url)}\n")

    def forget_database(self) -> None:
        """Take back what `keep_database` did. Raises OSError."""
        (self.path / DATABASE_URL_FILE).unlink(missing_ok=True)

    def socket(self) -> Path | None:
        """Return the path of the Unix socket; None if the folder's path is too long for one."""
        path = self.path.resolve() / "arena.sock"
        return path if len(os.fsencode(path)) <= SOCKET_PATH_BYTES else None

    def free_bytes(self) -> int:
        """Return the free space of the folder's disk. Raises OSError."""
        return shutil.disk_usage(self.path).free

    def lock(self) -> IO[str]:
        """Lock the folder until the returned file is closed.

        Raises:
            FailedPreconditionError: another arena runs on it.
            UnavailableError: STORAGE, the folder cannot be made or written, or something in it cannot be.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = (self.path / "arena.lock").open("w")
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise FailedPreconditionError(
                ErrorReason.STORAGE,
                f"Another arena runs on the data folder {self.path}: stop it, or choose another folder with --data.",
            ) from error
        try:
            self._check_writable()
        except UnavailableError:
            file.close()
            raise
        return file

    def _check_writable(self) -> None:
        """Check now what otherwise the first result would find. Raises UnavailableError (STORAGE)."""
        for path in (self.path, self.logs, self.debug_lines, self.uploads, self.versions):
            if path.exists() and not (path.is_dir() and os.access(path, os.R_OK | os.W_OK | os.X_OK)):
                raise self._unusable(f"{path} is no folder that it may read and write")
        for path in (self.database, *self.path.glob(f"{self.database.name}-*")):
            if path.exists() and not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
                raise self._unusable(f"{path} is no file that it may read and write")

    def _unusable(self, why: str) -> UnavailableError:
        return UnavailableError(
            ErrorReason.STORAGE,
            f"The arena cannot use the data folder {self.path} ({why}): mend it, or choose another with --data.",
        )

    def write_secret(self, path: Path, text: str) -> None:
        """Write the text to a file that only its owner may read.

        Raises UnavailableError: STORAGE, it could not be written; then it is not there.
        """
        with storage_errors(f"The file {path} could not be written", "free some space or mend the folder"):
            write_durably(path, text.encode())

    def discard_unfinished(self) -> int:
        """Remove the files that a crash has left half-written; return how many.

        Only to be called under the lock, before anything is written.
        """
        waste = [
            *self.path.glob(f"{SERVER_FILE}{UNFINISHED_SUFFIX}"),
            *self.path.glob(f"{ORGANISER_TOKEN_FILE}{UNFINISHED_SUFFIX}"),
            *self.keys.glob(f"*{UNFINISHED_SUFFIX}"),
            *self.logs.glob(f"*/*{UNFINISHED_SUFFIX}"),
            *self.debug_lines.glob(f"*/*{UNFINISHED_SUFFIX}"),
            *self.safety_copies.glob(f"*.db{UNFINISHED_SUFFIX}*"),  # SQLite has files beside a database
        ]
        for path in waste:
            path.unlink(missing_ok=True)
        return len(waste)

    @property
    def in_use(self) -> bool:
        """Whether the process of an arena has locked the folder: it runs, starts or closes."""
        try:
            with (self.path / "arena.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def announce(self, tcp: str, unix: str | None) -> None:
        """Write the addresses of the running arena for programs on this machine."""
        write_addresses(self.path / SERVER_FILE, tcp, unix)

    @property
    def announced(self) -> bool:
        """Whether an arena was announced and not withdrawn: if none runs here, it was killed or has crashed."""
        return (self.path / SERVER_FILE).exists()

    def withdraw(self) -> None:
        """Remove the announcement."""
        (self.path / SERVER_FILE).unlink(missing_ok=True)
        socket = self.socket()
        if socket is not None:
            socket.unlink(missing_ok=True)
