"""Finds the files of an author's folder, and packs them as tar.gz, which Python writes without a package."""

import gzip
import hashlib
import io
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.content import FolderScan, FolderWalk, ScannedFile, open_file
from arena.submissions.errors import malformed, shown
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIX: Final = ".tar.gz"
_LEVEL: Final = 6

IGNORE_FILE: Final = ".arenaignore"
"""The file with the patterns, at the top of the folder."""
ALWAYS_IGNORED: Final = (".git/", ".hg/", ".svn/", "__pycache__/", ".venv/", ".DS_Store", f"/{IGNORE_FILE}")
"""What is never packed."""


def scan_folder(folder: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> FolderScan:
    """Find the files to pack: all but those that .arenaignore names. Blocks.

    A link to a file of the same folder is packed as that file.

    Raises:
        InvalidArgumentError: something in it cannot be submitted (ARCHIVE_PATH, ARCHIVE_LINK, ARCHIVE_SPECIAL_FILE,
            ARCHIVE_COLLISION), bot.toml is missing (MANIFEST_MISSING) or breaks a rule (MANIFEST_INVALID), or
            .arenaignore cannot be read (FIELD_INVALID).
        ResourceExhaustedError: it is too much (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES).
        OSError: something cannot be read.
    """
    ignore_file = folder / IGNORE_FILE
    has_file = ignore_file.is_file()
    text = ignore_file.read_text(encoding="utf-8", errors="replace") if has_file else ""
    return FolderWalk(folder, bounds, ignore_patterns(text.splitlines()).match_file).scan()


def ignore_patterns(lines: Iterable[str]) -> "GitIgnoreSpec":
    """Return the patterns of an .arenaignore, which are those of .gitignore, and ALWAYS_IGNORED.

    Raises InvalidArgumentError: a line is no pattern (FIELD_INVALID).
    """
    from pathspec import GitIgnoreSpec  # 30 modules that no other command needs

    try:
        return GitIgnoreSpec.from_lines([*lines, *ALWAYS_IGNORED])
    except ValueError as error:
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID, f"{IGNORE_FILE} cannot be read: {str(error).rstrip('.')}."
        ) from error


def write_archive(found: FolderScan, file: BinaryIO, progress: Callable[[int], None] | None = None) -> str:
    """Write the archive of a folder, and return its SHA-256 as 64 hex digits. Blocks.

    The same files give the same bytes whatever their owners and times, as long as zlib is the same. `progress` is
    called with the size of each file once it is written.

    Raises:
        InvalidArgumentError: a file has changed since the scan (ARCHIVE_MALFORMED).
        OSError: it cannot be read or written.
    """
    hashed = _Hashed(file)
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=hashed, mtime=0) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
    ):
        for one in found.files:
            with open_file((found.folder / one.path).resolve()) as data:
                _add(archive, one, data)
            if progress is not None:
                progress(one.size)
    return hashed.digest.hexdigest()


def _add(archive: tarfile.TarFile, one: ScannedFile, data: BinaryIO) -> None:
    info = tarfile.TarInfo(one.path)
    info.size = one.size
    info.mode = 0o755 if one.executable else 0o644
    try:
        archive.addfile(info, data)
    except OSError as error:
        if error.errno is not None:
            raise
        raise _changed(one) from error
    if data.read(1):
        raise _changed(one)


def _changed(one: ScannedFile) -> Exception:
    return malformed(f"The file {shown(one.path)} has changed while it was packed: pack again.")


class _Hashed(io.RawIOBase):
    """A file that hashes what is written to it."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.digest.update(data)
        self._file.write(data)
        return len(data)
