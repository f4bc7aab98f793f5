"""The content of a submission and its hash: the same files are the same version, however they were packed."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

from arena.submissions.errors import is_link, is_special, manifest_missing, too_large
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits
from arena.submissions.manifest import LARGEST_BYTES, NAME, Manifest, check_command, read_manifest
from arena.submissions.paths import Paths, checked

CHUNK: Final = 64 * 1024
"""Bytes that are read and written at a time."""

_FORMAT: Final = b"caravan-arena submission 1\n"
"""What the hash begins with, so that another format gives other hashes."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the hash covers of one file."""

    path: str
    executable: bool
    size: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """All files of a submission, and what its manifest says."""

    hash: str
    """64 hex digits (`content_hash`)."""
    files: int
    bytes: int
    manifest: Manifest


def content_hash(files: Iterable[FileFacts]) -> str:
    """Return the SHA-256 of a line per file, ordered by the UTF-8 of paths: path, NUL, x or -, NUL, size, NUL, SHA-256.

    Empty folders, owners, times and all other permissions are not in it.
    """
    whole = hashlib.sha256(_FORMAT)
    for facts in sorted(files, key=lambda facts: facts.path.encode()):
        kind = "x" if facts.executable else "-"
        whole.update(f"{facts.path}\0{kind}\0{facts.size}\0{facts.sha256.hex()}\n".encode())
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file of a folder."""

    path: str
    """From the top of the folder, separated by /."""
    size: int
    executable: bool


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The files of a folder, as far as they are submitted."""

    folder: Path
    files: tuple[ScannedFile, ...]
    """In the order of their paths."""
    bytes: int
    """Of all of them together."""
    ignored: int
    """Number of files and folders left out."""
    manifest: Manifest


def content_of(folder: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> Content:
    """Read every file of a folder and return its content. Blocks.

    Raises:
        InvalidArgumentError: it holds what no submission may hold (ARCHIVE_*, MANIFEST_*).
        ResourceExhaustedError: it holds too much.
        OSError: it cannot be read.
    """
    found = FolderWalk(folder, bounds).scan()
    return Content(hash_of_scan(found), len(found.files), found.bytes, found.manifest)


def hash_of_scan(found: FolderScan) -> str:
    """Return the hash of the version (`content_hash`). Blocks. Raises OSError."""
    facts = []
    for one in found.files:
        with open_file((found.folder / one.path).resolve()) as file:
            digest = hashlib.file_digest(file, "sha256").digest()
            facts.append(FileFacts(one.path, one.executable, file.tell(), digest))
    return content_hash(facts)


class FolderWalk:
    """Finds the files of a folder; it may be asked once."""

    def __init__(
        self, folder: Path, bounds: SubmissionLimits, is_ignored: Callable[[str], bool] | None = None
    ) -> None:
        """`is_ignored`: whether a path is left out, that of a folder with a slash at its end.

        With it a link to a file of the same folder counts as that file; without it no link is allowed.
        """
        self._folder = folder
        self._real = folder.resolve()
        self._bounds = bounds
        self._paths = Paths(bounds)
        self._is_ignored = is_ignored
        self._ignored = 0

    def scan(self) -> FolderScan:
        """Return the files. Raises as `content_of`."""
        files = tuple(sorted(self._files(""), key=lambda file: file.path.encode()))
        total = sum(file.size for file in files)
        if total > self._bounds.unpacked_bytes:
            raise too_large("The submission has", self._bounds.unpacked_bytes)
        executable = {file.path: file.executable for file in files}
        if NAME not in executable:
            raise manifest_missing()
        with open_file((self._folder / NAME).resolve()) as file:
            manifest = read_manifest(file.read(LARGEST_BYTES + 1))
        check_command(manifest, executable)
        return FolderScan(self._folder, files, total, self._ignored, manifest)

    def _files(self, inner: str) -> Iterator[ScannedFile]:
        """Yield the files in and below a folder, given by its path from the top."""
        with os.scandir(self._folder / inner) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            path = f"{inner}/{entry.name}" if inner else entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if self._is_ignored is not None and self._is_ignored(f"{path}/" if is_folder else path):
                self._ignored += 1
            elif is_folder:
                self._paths.add_folder(checked(path, self._bounds))
                yield from self._files(path)
            else:
                yield self._file(path, entry)

    def _file(self, path: str, entry: os.DirEntry[str]) -> ScannedFile:
        if entry.is_symlink():
            target = Path(os.path.realpath(self._folder / path))  # allows a cycle of links
            if self._is_ignored is None or not (target.is_relative_to(self._real) and target.is_file()):
                raise is_link(path)
        if not entry.is_file():
            raise is_special(path)
        self._paths.add_file(checked(path, self._bounds))
        status = entry.stat()
        return ScannedFile(path, status.st_size, is_executable(status))


def open_file(path: Path) -> BufferedReader:
    """Open a regular file for reading, without following a link or waiting for a pipe. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    file = os.fdopen(handle, "rb")
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        file.close()
        raise OSError(0, "it is no file", str(path))
    return file


def is_executable(status: os.stat_result) -> bool:
    """Return whether the owner of a file may execute it."""
    return bool(status.st_mode & stat.S_IXUSR)
