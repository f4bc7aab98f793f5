"""The file of a backup: a tar archive, compressed with zstd, that ends with a list of its contents."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

import zstandard

from arena.core.errors import DataLossError, ErrorReason
from arena.match_log.durable import OWNER_ONLY

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"

_LEVEL: Final = 3
_CHUNK: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A file of an archive."""

    path: str
    """Relative to the data folder, with slashes."""
    bytes: int
    sha256: str
    """64 hex digits."""


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """The list of contents at the end of an archive."""

    software: str
    """The software that wrote it, for example "caravan-arena 0.1.0"."""
    schema: str
    """The version of the tables."""
    created_us: int
    """The moment of the backup, microseconds since 1970 UTC."""
    missing: tuple[int, ...]
    """Matches whose logs were missing although the database names them."""
    files: tuple[ArchivedFile, ...]


class ArchiveWriter:
    """An archive that is being written."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        """`archive`: open for writing, empty."""
        self._archive = archive
        self.files: list[ArchivedFile] = []

    def add(self, path: str, file: Path) -> None:
        """Add the file under this path. Raises OSError."""
        with file.open("rb") as source:
            size = os.fstat(source.fileno()).st_size
            hashing = _Hashing(source)
            self._archive.addfile(_entry(path, size), cast(IO[bytes], hashing))
        self.files.append(ArchivedFile(path, size, hashing.hexdigest()))

    def finish(self, manifest: BackupManifest) -> None:
        """Write the list of contents at the end."""
        text = json.dumps(asdict(manifest) | {"format": FORMAT}, indent=1).encode()
        self._archive.addfile(_entry(MANIFEST, len(text)), io.BytesIO(text))


@contextmanager
def writing(target: Path) -> Iterator[ArchiveWriter]:
    """Write an archive to `target`, a new file that only its owner may read; it is on disk when the block ends.

    Raises OSError: the file cannot be written.
    """
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(handle, "wb") as file:
        with (
            zstandard.ZstdCompressor(level=_LEVEL).stream_writer(file, closefd=False) as packed,
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
        ):
            yield ArchiveWriter(archive)
        file.flush()
        os.fsync(file.fileno())


def check_archive(source: Path, into: Path | None = None) -> BackupManifest:
    """Check that every file of an archive is there once and unchanged; return the list of contents. Blocks.

    `into`: the folder to unpack to, readable by their owner only; None: do not unpack. The files need not be on disk
    yet,
    and stay after an error.

    Raises:
        DataLossError: STORAGE, it is no whole backup; the sentence says what is wrong.
        OSError: a file cannot be read or written.
    """
    manifest: BackupManifest | None = None
    found: list[ArchivedFile] = []
    try:
        with _reading(source) as archive:
            for member in archive:
                stream = archive.extractfile(member)
                if manifest is not None or stream is None:
                    raise _damaged(source, f"{member.name} does not belong there")
                if member.name == MANIFEST:
                    manifest = _manifest(stream.read())
                else:
                    found.append(_take(member.name, stream, into))
    except (tarfile.TarError, zstandard.ZstdError, EOFError, ValueError, KeyError, TypeError) as error:
        raise _damaged(source, str(error) or "it ends too early") from error
    if manifest is None:
        raise _damaged(source, "it ends too early")
    _compare(source, manifest.files, found)
    return manifest


def _compare(source: Path, listed: tuple[ArchivedFile, ...], found: list[ArchivedFile]) -> None:
    expected = {file.path: file for file in listed}
    for file in found:
        if expected.pop(file.path, None) != file:
            raise _damaged(source, f"{file.path} is not what was written")
    for path in expected:
        raise _damaged(source, f"{path} is missing")


@contextmanager
def _reading(source: Path) -> Iterator[tarfile.TarFile]:
    with (
        source.open("rb") as file,
        zstandard.ZstdDecompressor().stream_reader(file) as plain,
        tarfile.open(fileobj=cast(IO[bytes], plain), mode="r|") as archive,
    ):
        yield archive


def _take(path: str, stream: IO[bytes], into: Path | None) -> ArchivedFile:
    """Hash the file, and unpack it if wanted. Raises ValueError for a path outside the folder."""
    parts = path.split("/")
    if not all(parts) or {".", ".."} & set(parts):
        raise ValueError(f"{path!r} is no path within a data folder")
    source, size = _Hashing(stream), 0
    with _laid_down(into, parts) as target:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            target.write(chunk)
    return ArchivedFile(path, size, source.hexdigest())


@contextmanager
def _laid_down(into: Path | None, parts: list[str]) -> Iterator[BinaryIO]:
    target = Path(os.devnull) if into is None else into.joinpath(*parts)
    if into is not None:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    flags = os.O_WRONLY if into is None else os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(target, flags, OWNER_ONLY), "wb") as file:
        yield file


def _manifest(text: bytes) -> BackupManifest:
    fields = json.loads(text)
    if fields["format"] != FORMAT:
        raise ValueError(f"its format is {fields['format']}, and this arena reads {FORMAT}")
    return BackupManifest(
        software=str(fields["software"]),
        schema=str(fields["schema"]),
        created_us=int(fields["created_us"]),
        missing=tuple(int(match) for match in fields["missing"]),
        files=tuple(ArchivedFile(**file) for file in fields["files"]),
    )


def _entry(path: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(path)
    entry.size, entry.mode = size, OWNER_ONLY
    return entry


def _damaged(source: Path, why: str) -> DataLossError:
    return DataLossError(
        ErrorReason.STORAGE, f"{source} is no whole backup of an arena: {why}; use another one."
    )


class _Hashing:
    """A stream that hashes what is read from it."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._digest = sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._digest.update(data)
        return data

    def hexdigest(self) -> str:
        return self._digest.hexdigest()
