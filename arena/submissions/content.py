"""The content of a submission and its hash: the same files are the same version, however they were packed."""

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


def content_from(files: Iterable[FileFacts], manifest: bytes) -> Content:
    """Return the content of these files; `manifest` is the bytes of bot.toml.

    Raises InvalidArgumentError: the manifest breaks a rule, or its command is missing (MANIFEST_INVALID).
    """
    every = list(files)
    parsed = read_manifest(manifest)
    check_command(parsed, {facts.path: facts.executable for facts in every})
    return Content(content_hash(every), len(every), sum(facts.size for facts in every), parsed)


def content_of(folder: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> Content:
    """Read every file of a folder and return its content. Blocks.

    Raises:
        InvalidArgumentError: it holds what no submission may hold (ARCHIVE_*, MANIFEST_*).
        ResourceExhaustedError: it holds too much.
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
    """Yield the paths of all files in a folder, by name; no link is followed. Raises as `content_of`."""
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


def hash_of(file: BinaryIO) -> tuple[bytes, int]:
    """Return SHA-256 and length of the rest of a file. Raises OSError."""
    digest = hashlib.sha256()
    size = 0
    while chunk := file.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
    return digest.digest(), size
