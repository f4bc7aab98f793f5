"""Packs an author's folder as tar.gz, which Python writes without a package."""

import gzip
import hashlib
import io
import tarfile
from collections.abc import Callable
from typing import BinaryIO, Final

from arena.submissions.content import FolderScan, ScannedFile, open_file
from arena.submissions.errors import malformed, shown

SUFFIX: Final = ".tar.gz"
_LEVEL: Final = 6


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
