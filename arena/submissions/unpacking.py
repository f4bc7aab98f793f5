"""Unpacks an archive that somebody sent: plain files below one folder, or nothing at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from arena.submissions.content import Content, FileFacts, content_from, open_file
from arena.submissions.entries import ArchiveEntry, EntryKindInArchive
from arena.submissions.errors import malformed, manifest_missing, too_large
from arena.submissions.gunzip import Gunzip
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits
from arena.submissions.manifest import LARGEST_BYTES, NAME
from arena.submissions.paths import Paths, checked
from arena.submissions.tar_entries import tar_entries
from arena.submissions.zip_entries import zip_entries

FOLDER_MODE: Final = 0o755
FILE_MODE: Final = 0o644
EXECUTABLE_MODE: Final = 0o755
"""Who runs a bot is somebody else than who unpacks it, so all may read; whatever the umask."""

_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZIP_MAGIC: Final = b"PK"
_TAR_MAGIC: Final = b"ustar"
_TAR_MAGIC_AT: Final = 257
"""Where it is in the first block of a tar archive."""
_OTHER_MAGIC: Final = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zX": "xz",
    b"BZh": "bzip2",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
}


def unpack(archive: Path, into: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> Content:
    """The files of a tar, tar.gz or zip archive are in `into`, a new folder; returns what they are. Blocks.

    Owners, times and all permissions but that to execute are dropped. If bot.toml is not at the top, but in
    the only folder that is, that folder is taken for the submission. While it works, and only then,
    there is a folder beside `into` whose name begins with a dot.

    Raises:
        InvalidArgumentError: the archive holds what no submission may hold (ARCHIVE_*), or its bot.toml is missing or
            breaks a rule (MANIFEST_*). Then nothing is left of it.
        ResourceExhaustedError: there is too much of it (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES); likewise.
        FileExistsError: `into` is there already.
        OSError: it could not be read or written; likewise.
    """
    if into.exists() or into.is_symlink():
        raise FileExistsError(0, "it is there already", str(into))
    with open_file(archive) as file:
        if os.fstat(file.fileno()).st_size > bounds.archive_bytes:
            raise too_large("The archive has", bounds.archive_bytes)
        with _workspace(into) as folder:
            files = _Written(folder, bounds)
            for entry in _entries(file, bounds):
                files.add(entry)
            top = files.top()
            content = content_from(files.below(top), _manifest(folder / top))
            (folder / top).rename(into)
    return content


def is_archive(start: bytes) -> bool:
    """Whether a file that begins with these 512 bytes may be an archive that `unpack` reads: tar, tar.gz or zip."""
    return start.startswith((_GZIP_MAGIC, _ZIP_MAGIC)) or start[_TAR_MAGIC_AT:].startswith(_TAR_MAGIC)


@contextmanager
def _workspace(into: Path) -> Iterator[Path]:
    """An empty folder beside `into`, gone afterwards with all that is still in it."""
    workspace = Path(tempfile.mkdtemp(prefix=f".{into.name[:32]}.", dir=into.parent))
    try:
        folder = workspace / "unpacked"
        _make_folder(folder)
        yield folder
    finally:
        shutil.rmtree(workspace)


def _entries(file: BinaryIO, bounds: SubmissionLimits) -> Iterator[ArchiveEntry]:
    start = file.read(4)
    file.seek(0)
    if start.startswith(_GZIP_MAGIC):
        return tar_entries(Gunzip(file), bounds)
    if start.startswith(_ZIP_MAGIC):
        return zip_entries(file, bounds)
    for magic, name in _OTHER_MAGIC.items():
        if start.startswith(magic):
            raise malformed(f"The archive is packed with {name}: the arena reads tar, tar.gz and zip.")
    return tar_entries(file, bounds)


class _Written:
    """What has been written of an archive so far."""

    def __init__(self, folder: Path, bounds: SubmissionLimits) -> None:
        self._folder = folder
        self._bounds = bounds
        self._paths = Paths(bounds)
        self._files: list[FileFacts] = []
        self._left = bounds.unpacked_bytes
        self._tops: set[str] = set()

    def add(self, entry: ArchiveEntry) -> None:
        """The entry is written."""
        path = checked(entry.path, self._bounds)
        if not path:
            if entry.kind is EntryKindInArchive.FILE:
                raise malformed("The archive holds a file that has the place of its top folder.")
            return
        if entry.kind is EntryKindInArchive.FOLDER:
            self._make_folders(self._paths.add_folder(path))
        else:
            self._make_folders(self._paths.add_file(path))
            self._write(path, entry)
        self._tops.add(path.partition("/")[0])

    def top(self) -> str:
        """The folder with bot.toml; empty if it is at the top. Raises InvalidArgumentError (MANIFEST_MISSING)."""
        if (self._folder / NAME).is_file():
            return ""
        only = next(iter(self._tops)) if len(self._tops) == 1 else ""
        if only and (self._folder / only / NAME).is_file():
            return only
        raise manifest_missing()

    def below(self, top: str) -> list[FileFacts]:
        """All files, their paths as seen from that folder."""
        start = len(top) + 1 if top else 0
        return [
            FileFacts(facts.path[start:], facts.executable, facts.size, facts.sha256) for facts in self._files
        ]

    def _make_folders(self, folders: list[str]) -> None:
        for folder in folders:
            _make_folder(self._folder / folder)

    def _write(self, path: str, entry: ArchiveEntry) -> None:
        if entry.size > self._left:
            raise too_large("The archive unpacks to", self._bounds.unpacked_bytes)
        self._left -= entry.size
        digest = hashlib.sha256()
        handle = os.open(
            self._folder / path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
        )
        with os.fdopen(handle, "wb", buffering=0) as file:
            for chunk in entry.data:
                digest.update(chunk)
                write_whole(file.fileno(), chunk)
            os.fchmod(file.fileno(), EXECUTABLE_MODE if entry.executable else FILE_MODE)
        self._files.append(FileFacts(path, entry.executable, entry.size, digest.digest()))


def write_whole(handle: int, data: bytes) -> None:
    """All of the data is written. Raises OSError."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _make_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    folder.chmod(FOLDER_MODE)


def _manifest(folder: Path) -> bytes:
    with open_file(folder / NAME) as file:
        return file.read(LARGEST_BYTES + 1)
