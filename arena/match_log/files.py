"""The folder of log files; no file is ever seen half-written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from arena.core.errors import DataLossError, ErrorReason, UnavailableError
from arena.match_log.durable import make_folder, sync_folder, write_durably
from arena.match_log.pruned import pruning_of

SUFFIX: Final = ".arenalog"

_PER_FOLDER: Final = 1_000


def match_file(folder: Path, match: int, ending: str) -> Path:
    """Return the path of a file of a match, a thousand matches to a subfolder: 000/000017 and the ending."""
    return folder / f"{match // _PER_FOLDER:03d}" / f"{match:06d}{ending}"


class LogStorage(Protocol):
    """A place for finished logs, by match id. All methods block."""

    def write(self, match: int, data: bytes) -> None:
        """Write the log of a match, surviving a power cut; writing the same log again is no error.

        Raises:
            UnavailableError: it could not be written (STORAGE); then it is not there at all.
            DataLossError: another log of this match is there already (STORAGE); it is left as it is.
        """

    def read(self, match: int) -> bytes:
        """Return the log of a match.

        Raises:
            DataLossError: there is none (LOG_MISSING).
            UnavailableError: it could not be read (STORAGE).
        """

    def has(self, match: int) -> bool:
        """Return whether there is a log of a match."""

    def matches(self) -> Iterator[int]:
        """Yield the ids of all matches with a log, ascending."""


class LogFiles:
    """Logs as files in a folder, a thousand matches to a subfolder: 000/000017.arenalog."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made by the first write if it is not there."""
        self._folder = folder

    def path(self, match: int) -> Path:
        """Return where the log of a match is, or would be."""
        return match_file(self._folder, match, SUFFIX)

    def write(self, match: int, data: bytes) -> None:
        """See LogStorage."""
        path = self.path(match)
        try:
            if path.exists():
                if path.read_bytes() != data:
                    sentence = f"Another log of match {match} is at {path} already; it stays."
                    raise DataLossError(ErrorReason.STORAGE, sentence)
                sync_folder(path.parent)  # who put it there may have died, or failed, before this
                return
            make_folder(path.parent)
            write_durably(path, data)
        except OSError as error:
            raise UnavailableError(
                ErrorReason.STORAGE,
                f"The log of match {match} could not be written to {path}: {error.strerror}; "
                "free some space or mend the folder.",
            ) from error

    def read(self, match: int) -> bytes:
        """See LogStorage."""
        try:
            return self.path(match).read_bytes()
        except FileNotFoundError as error:
            raise self._missing(match) from error
        except OSError as error:
            raise UnavailableError(
                ErrorReason.STORAGE,
                f"The log of match {match}, {self._shown(match)}, could not be read: {error.strerror}.",
            ) from error

    def has(self, match: int) -> bool:
        """See LogStorage."""
        return self.path(match).is_file()

    def matches(self) -> Iterator[int]:
        """See LogStorage. Files under other names are passed over."""
        paths = self._folder.glob(f"*/*{SUFFIX}")
        found = ((int(path.stem), path) for path in paths if path.stem.isascii() and path.stem.isdigit())
        return iter(sorted(match for match, path in found if self.path(match) == path))

    def _shown(self, match: int) -> str:
        """Return the path within the folder of logs: callers are not told where the arena is."""
        return self.path(match).relative_to(self._folder).as_posix()

    def _missing(self, match: int) -> DataLossError:
        """Return the error for a missing log; one that was removed on purpose has the day in `pruned`."""
        try:
            pruning = pruning_of(self._folder, match)
        except (OSError, DataLossError):
            pruning = None  # not known
        if pruning is not None:
            return DataLossError(ErrorReason.LOG_MISSING, pruning.sentence(match), pruned=pruning.day)
        sentence = (
            f"The log of match {match}, {self._shown(match)}, is not where it should be: "
            "the organiser can restore it from a backup."
        )
        return DataLossError(ErrorReason.LOG_MISSING, sentence)
