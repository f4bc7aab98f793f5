"""Unpacks an archive from an untrusted sender: plain files below one folder, or nothing at all."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.submissions.archive import ArchiveEntry, archive_entries
from arena.submissions.content import Content, FileFacts, content_hash, open_file
from arena.submissions.errors import malformed, manifest_missing, too_large
from arena.submissions.limits import DEFAULT_BOUNDS, SubmissionLimits
from arena.submissions.manifest import LARGEST_BYTES, NAME, check_command, read_manifest
from arena.submissions.paths import Paths, checked

FOLDER_MODE: Final = 0o755
"""Readable by all whatever the umask, as files are, since a bot runs as another user than the arena."""


def unpack(archive: Path, into: Path, bounds: SubmissionLimits = DEFAULT_BOUNDS) -> Content:
    """Unpack a tar, tar.gz or zip archive to the new folder `into`, and return what it holds. Blocks.

    Owners, times and all permissions but that to execute are dropped. If bot.toml is not at the top but in the only
    folder there, that folder is the submission. While this works there is a folder beside `into` whose name begins
    with a dot.

    Raises:
        InvalidArgumentError: the archive holds what no submission may hold (ARCHIVE_*), or its bot.toml is missing or
            breaks a rule (MANIFEST_*). Then nothing of it is left on the disk.
        ResourceExhaustedError: it holds too much (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES); likewise.
        FileExistsError: `into` exists.
        OSError: it cannot be read or written; likewise.
    """
    if into.exists() or into.is_symlink():
        raise FileExistsError(0, "it is there already", str(into))
    with open_file(archive) as file:
        if os.fstat(file.fileno()).st_size > bounds.archive_bytes:
            raise too_large("The archive has", bounds.archive_bytes)
        with tempfile.TemporaryDirectory(prefix=f".{into.name[:32]}.", dir=into.parent) as workspace:
            folder = Path(workspace, "unpacked")
            _make_folder(folder)
            written = _Written(folder, bounds)
            for entry in archive_entries(file, bounds):
                written.add(entry)
            top = written.top()
            with open_file(folder / top / NAME) as file_of_manifest:
                manifest = read_manifest(file_of_manifest.read(LARGEST_BYTES + 1))
            files = written.files_below(top)
            check_command(manifest, {facts.path: facts.executable for facts in files})
            (folder / top).rename(into)
    return Content(content_hash(files), len(files), sum(facts.size for facts in files), manifest)


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
        """Write an entry."""
        path = checked(entry.path, self._bounds)
        if not path:
            if not entry.is_folder:
                raise malformed("The archive holds a file in place of its top folder.")
            return
        for folder in self._paths.add_folder(path) if entry.is_folder else self._paths.add_file(path):
            _make_folder(self._folder / folder)
        if not entry.is_folder:
            self._write(path, entry)
        self._tops.add(path.partition("/")[0])

    def top(self) -> str:
        """Return the folder with bot.toml, "" for the top. Raises InvalidArgumentError (MANIFEST_MISSING)."""
        for top in ["", *self._tops] if len(self._tops) == 1 else [""]:
            if (self._folder / top / NAME).is_file():
                return top
        raise manifest_missing()

    def files_below(self, top: str) -> list[FileFacts]:
        """Return all files, their paths relative to `top`."""
        return [replace(facts, path=facts.path.removeprefix(f"{top}/")) for facts in self._files]

    def _write(self, path: str, entry: ArchiveEntry) -> None:
        self._left -= entry.size
        if self._left < 0:
            raise too_large("The archive unpacks to", self._bounds.unpacked_bytes)
        sha256 = write_new(self._folder / path, entry.data, executable=entry.executable)
        self._files.append(FileFacts(path, entry.executable, entry.size, sha256))


def write_new(path: Path, chunks: Iterable[bytes], *, executable: bool) -> bytes:
    """Write a new file that everybody may read; return its SHA-256. Raises OSError."""
    digest = hashlib.sha256()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb", buffering=0) as file:
        for chunk in chunks:
            digest.update(chunk)
            left = memoryview(chunk)
            while left:
                left = left[os.write(file.fileno(), left) :]
        os.fchmod(file.fileno(), 0o755 if executable else 0o644)
    return digest.digest()


def _make_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    folder.chmod(FOLDER_MODE)
