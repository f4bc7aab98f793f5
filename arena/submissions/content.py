"""What a submission holds, and its hash: the same files are the same version, however they were packed."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

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
    """One file of a submission, as far as the hash knows it."""

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
    """SHA-256 over a line per file, in the order of the paths' UTF-8: path, NUL, x or -, NUL, size, NUL, SHA-256.

    Folders without files, owners, times and all other permissions are not in it.
    """
    whole = hashlib.sha256(_FORMAT)
    for facts in sorted(files, key=lambda facts: facts.path.encode()):
        kind = "x" if facts.executable else "-"
        whole.update(f"{facts.path}\0{kind}\0{facts.size}\0{facts.sha256.hex()}\n".encode())
    return whole.hexdigest()


def content_from(files: Iterable[FileFacts], manifest: bytes) -> Content:
    """The content of these files, `manifest` being the bytes of bot.toml.

    Raises:
        InvalidArgumentError: the manifest breaks a rule, or starts what is not there (MANIFEST_INVALID).
    """
    every = list(files)
    said = read_manifest(manifest)
    check_command(said, {facts.path: facts.executable for facts in every})
    return Content(content_hash(every), len(every), sum(facts.size for facts in every), said)


def content_of(folder: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> Content:
    """What a folder holds, every file read. Blocks.

    Raises:
        InvalidArgumentError: there is something in it that no submission may have (ARCHIVE_*, MANIFEST_*).
        ResourceExhaustedError: there is too much of it.
        OSError: it cannot be read.
    """
    facts = []
    total = 0
    manifest: bytes | None = None
    for path in files_below(folder, Paths(bounds), bounds):
        with open_file(folder / path) as file:
            executable = is_executable(os.fstat(file.fileno()))
            if path == NAME:
                manifest = file.read(LARGEST_BYTES + 1)
                file.seek(0)
            digest, size = hash_of(file)
        total += size
        if total > bounds.unpacked_bytes:
            raise too_large("The submission has", bounds.unpacked_bytes)
        facts.append(FileFacts(path, executable, size, digest))
    if manifest is None:
        raise manifest_missing()
    return content_from(facts, manifest)


def files_below(folder: Path, paths: Paths, bounds: SubmissionLimits, inner: str = "") -> Iterator[str]:
    """The paths of all files in a folder, by name; nothing is followed. Raises as `content_of`."""
    with os.scandir(folder / inner) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = checked(f"{inner}/{entry.name}" if inner else entry.name, bounds)
        if entry.is_symlink():
            raise is_link(path)
        if entry.is_dir(follow_symlinks=False):
            paths.add_folder(path)
            yield from files_below(folder, paths, bounds, path)
        elif entry.is_file(follow_symlinks=False):
            paths.add_file(path)
            yield path
        else:
            raise is_special(path)


def open_file(path: Path) -> BinaryIO:
    """A file to be read, if it is one: nothing is followed, nothing waits. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    file = os.fdopen(handle, "rb")
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        file.close()
        raise OSError(0, "it is no file", str(path))
    return file


def is_executable(status: os.stat_result) -> bool:
    """Whether whoever owns a file may start it."""
    return bool(status.st_mode & stat.S_IXUSR)


def hash_of(file: BinaryIO) -> tuple[bytes, int]:
    """SHA-256 and length of what is still to be read of a file. Raises OSError."""
    digest = hashlib.sha256()
    size = 0
    while chunk := file.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
    return digest.digest(), size
