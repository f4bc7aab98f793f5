"""Submitted versions in a backup: a tar archive each, which keeps links and permissions."""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from arena.server.data_folder import DataFolder
from arena.store.store import Store
from arena.submissions.version_folders import VersionFolders

PACKED: Final = ".tar"
"""The suffix of a packed version, after its hash."""

_FOLDER_MODE: Final = 0o755
_FILE_MODE: Final = 0o644
_EXECUTABLE: Final = 0o100


def versions_named(store: Store) -> Sequence[str]:
    """Return the hashes of all submitted versions in the database. Raises UnavailableError (STORAGE)."""
    return store.read(lambda tx: tx.bots.submitted_hashes())


def pack_version(folder: DataFolder, version: str, aside: Path) -> Path:
    """Pack a version into a file in `aside`. Raises OSError; FileNotFoundError if the version is missing."""
    place = folder.versions / version
    if not place.is_dir():
        raise FileNotFoundError(2, "the version is not there", str(place))
    packed = aside / f"{version}{PACKED}"
    with tarfile.open(packed, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(place.rglob("*")):
            archive.add(path, path.relative_to(place).as_posix(), recursive=False)
    return packed


def unpack_versions(folder: DataFolder, versions: Sequence[str]) -> list[str]:
    """Unpack the versions of a folder that is being restored; return those that are damaged.

    Raises OSError: one cannot be read or written.
    """
    flawed: list[str] = []
    if not versions:
        return flawed
    for version in versions:
        packed = folder.versions / f"{version}{PACKED}"
        if not packed.is_file():
            continue  # it was missing when the backup was made
        try:
            _unpack(packed, folder.versions / version)
        except (tarfile.TarError, ValueError):
            flawed.append(version)
        packed.unlink()
    kept = VersionFolders(folder.versions)
    flawed += [version for version in kept.hashes() if version not in flawed and not kept.is_whole(version)]
    folder.versions.chmod(_FOLDER_MODE)
    return flawed


def _unpack(packed: Path, place: Path) -> None:
    """Unpack a version. Raises ValueError for anything that no version holds."""
    _make_folder(place)
    with closing(tarfile.open(packed)) as archive:
        for member in archive:
            parts = member.name.split("/")
            if not all(parts) or {".", ".."} & set(parts):
                raise ValueError(f"{member.name!r} is no path within a version")
            _unpack_file(archive, member, place.joinpath(*parts))


def _unpack_file(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    if member.isdir():
        _make_folder(path)
    elif member.issym():
        path.symlink_to(member.linkname)
    elif (stream := archive.extractfile(member)) is not None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags, _FILE_MODE), "wb") as file:
            shutil.copyfileobj(stream, file)
        path.chmod(_FOLDER_MODE if member.mode & _EXECUTABLE else _FILE_MODE)
    else:
        raise ValueError(f"{member.name!r} is neither a file nor a folder nor a link")


def _make_folder(path: Path) -> None:
    """Make a folder that a bot may read, whatever the umask."""
    path.mkdir()
    path.chmod(_FOLDER_MODE)
