"""The one file of a backup: a tar archive, compressed with zstd, that ends with a list of what must be in it."""

import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO, Final, cast

import zstandard

from arena.core.errors import DataLossError, ErrorReason
from arena.match_log.durable import OWNER_ONLY

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"

_LEVEL: Final = 3


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
    """What is in an archive; its last file."""

    software: str
    """What wrote it, for example "caravan-arena 0.1.0"."""
    schema: str
    """The version of the tables."""
    created_us: int
    """The moment it shows, microseconds since 1970 UTC."""
    missing: tuple[int, ...]
    """Matches whose logs were not there although the database names them."""
    files: tuple[ArchivedFile, ...]


class ArchiveWriter:
    """An archive that is being written."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        """`archive`: open for writing, empty."""
        self._archive = archive
        self.files: list[ArchivedFile] = []

    def add(self, path: str, file: Path) -> None:
        """Add the file, as it is now, under this path. Raises OSError."""
        with file.open("rb") as source:
            size = os.fstat(source.fileno()).st_size
            digest = file_digest(source, "sha256").hexdigest()
            source.seek(0)
            self._archive.addfile(_entry(path, size), source)
        self.files.append(ArchivedFile(path, size, digest))

    def finish(self, manifest: BackupManifest) -> None:
        """Add the list of contents."""
        text = json.dumps(asdict(manifest) | {"format": FORMAT}, indent=1).encode()
        self._archive.addfile(_entry(MANIFEST, len(text)), io.BytesIO(text))


@contextmanager
def writing(target: Path) -> Iterator[ArchiveWriter]:
    """Write an archive to a new file, readable by its owner alone; on disk when the block ends. Raises OSError."""
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
    """Return the list of contents of an archive in which each file is there, once, and as it was written. Blocks.

    `into`: a folder that the files are written to, readable by their owner alone; None: nowhere. They may not be on
    disk yet, and what was written before an error stays there.

    Raises:
        DataLossError: STORAGE, it is no whole backup; the sentence says what is wrong.
        OSError: a file cannot be read or written.
    """
    manifest: BackupManifest | None = None
    found: list[ArchivedFile] = []
    try:
        with (
            source.open("rb") as file,
            zstandard.ZstdDecompressor().stream_reader(file) as plain,
            tarfile.open(fileobj=cast(IO[bytes], plain), mode="r|") as archive,
        ):
            for member in archive:
                stream = archive.extractfile(member)
                if manifest is not None or stream is None:
                    raise damaged(source, f"{member.name} does not belong there")
                if member.name == MANIFEST:
                    manifest = _manifest(stream.read())
                else:
                    found.append(_extract(member, stream, into))
    except (tarfile.TarError, zstandard.ZstdError, EOFError, ValueError, KeyError, TypeError) as error:
        raise damaged(source, str(error) or "it ends too early") from error
    if manifest is None:
        raise damaged(source, "it ends too early")
    expected = {file.path: file for file in manifest.files}
    for each in found:
        if expected.pop(each.path, None) != each:
            raise damaged(source, f"{each.path} is not what was written")
    for path in expected:
        raise damaged(source, f"{path} is missing")
    return manifest


def parts_within(path: str, what: str) -> list[str]:
    """Return the parts of a path that stays within `what`. Raises ValueError for any other."""
    parts = path.split("/")
    if not all(parts) or {".", ".."} & set(parts):
        raise ValueError(f"{path!r} is no path within a {what}")
    return parts


def _extract(member: tarfile.TarInfo, stream: IO[bytes], into: Path | None) -> ArchivedFile:
    """Hash a file, and write it to the folder if there is one. Raises ValueError for a path that leads elsewhere."""
    parts = parts_within(member.name, "data folder")
    if into is None:
        return ArchivedFile(
            member.name, member.size, file_digest(cast(io.BufferedReader, stream), "sha256").hexdigest()
        )
    target = into.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w+b") as file:
        shutil.copyfileobj(stream, file)
        file.seek(0)
        return ArchivedFile(member.name, member.size, file_digest(file, "sha256").hexdigest())


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


def damaged(source: Path, why: str) -> DataLossError:
    """Return the error of an archive that cannot be restored (STORAGE)."""
    return DataLossError(
        ErrorReason.STORAGE, f"{source} is no whole backup of an arena: {why}; use another one."
    )
