"""How a data folder is made out of a backup."""

import os
import shutil
import tarfile
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from arena.core import errors
from arena.core.errors import ArenaError, ErrorReason
from arena.match_log.durable import sync_folder
from arena.match_log.files import LogFiles
from arena.match_log.pruned import pruning_of
from arena.match_log.reader import read_stored
from arena.server.data_folder import DataFolder, storage_errors
from arena.server.maintenance.archive import BackupManifest, check_archive, damaged, parts_within
from arena.server.maintenance.backup import PACKED, Progress
from arena.store.matches.log_names import RecordedLog
from arena.store.sqlite_copy import flaws_of, skip_ids
from arena.store.store import Store, is_older, newest_version
from arena.submissions.version_folders import VersionFolders

IDS_SKIPPED: Final = 100_000
"""How many ids of matches and groups are left out after a restore: matches played since the backup have used some, and
the seed of a match follows from the id of its group."""

_FOLDER_MODE: Final = 0o755
_FILE_MODE: Final = 0o644
_EXECUTABLE: Final = 0o100


def restore(archive: Path, target: Path, *, progress: Progress) -> BackupManifest:
    """Check everything in the archive, and make the folder of it. Blocks.

    `target`: must be empty, or not be there.

    Raises:
        FailedPreconditionError: the folder is not empty, the archive is missing or a folder, or a newer arena wrote
            the backup.
        DataLossError: STORAGE, the archive is damaged.
        UnavailableError: STORAGE, something cannot be read or written. After any error the folder is as it was.
    """
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise errors.FailedPreconditionError(
            ErrorReason.STORAGE, f"{target} is not empty: restore to a folder that is, or that is not there."
        )
    if archive.is_dir():
        raise errors.FailedPreconditionError(
            ErrorReason.STORAGE,
            f"{archive} is a folder: name the backup in it, for example arena-TIME.tar.zst.",
        )
    if not archive.exists():
        raise errors.FailedPreconditionError(
            ErrorReason.STORAGE,
            f"There is no file {archive}: name a backup that `arena data backup` has written.",
        )
    what = f"{archive} could not be restored to {target}"
    with storage_errors(what, "free some space or choose another place"):
        target.absolute().parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-restoring-", dir=target.absolute().parent))
        try:
            manifest = _unpack(archive, aside, progress)
            os.sync()  # all files at once: one after the other takes minutes
            aside.replace(target)
        except (ArenaError, OSError):
            shutil.rmtree(aside, ignore_errors=True)
            raise
        sync_folder(target.absolute().parent)
    return manifest


def _unpack(archive: Path, aside: Path, progress: Progress) -> BackupManifest:
    manifest = check_archive(archive, aside)
    folder = DataFolder(aside)
    if flaws := flaws_of(folder.database):
        raise damaged(archive, f"its database is damaged ({flaws[0]})")
    if manifest.schema != newest_version() and not is_older(manifest.schema):
        raise errors.FailedPreconditionError(
            ErrorReason.STORAGE,
            f"{archive} was written by a newer version of the arena ({manifest.software}, tables of version "
            f"{manifest.schema}): install that version to restore it.",
        )
    with closing(Store(folder.database_url)) as store:
        named = store.read(lambda tx: list(tx.logs.all()))
        versions = store.read(lambda tx: tx.bots.submitted_hashes())
    if flawed := _unpack_versions(folder, versions):
        raise damaged(archive, f"the submitted version {flawed[0]} is not what its hash says")
    missing = set(manifest.missing)
    for count, each in enumerate(named, start=1):
        if each.match not in missing and not _is_there(folder, each):
            raise damaged(archive, f"the log of match {each.match} is not the one that its database names")
        progress(count, len(named))
    skip_ids(folder.database, IDS_SKIPPED)
    return manifest


def _is_there(folder: DataFolder, named: RecordedLog) -> bool:
    """Whether the log is the one that the database names, or was pruned."""
    logs = LogFiles(folder.logs)
    if not logs.has(named.match):
        return pruning_of(folder.logs, named.match) is not None
    try:
        return read_stored(logs.read(named.match)).end.hex() == named.log
    except errors.DataLossError:
        return False


def _unpack_versions(folder: DataFolder, versions: Sequence[str]) -> list[str]:
    """Make the folders of the packed versions; return those that are not whole. Raises OSError."""
    flawed: list[str] = []
    for version in versions:
        packed = folder.versions / f"{version}{PACKED}"
        if not packed.is_file():
            continue  # it was missing when the backup was made
        try:
            _unpack_version(packed, folder.versions / version)
        except (tarfile.TarError, ValueError):
            flawed.append(version)
        packed.unlink()
    if versions:
        kept = VersionFolders(folder.versions)
        flawed += [each for each in kept.hashes() if each not in flawed and not kept.is_whole(each)]
        folder.versions.chmod(_FOLDER_MODE)
    return flawed


def _unpack_version(packed: Path, place: Path) -> None:
    """Make the folder of a packed version. Raises ValueError for what no version holds."""
    _make_folder(place)
    with tarfile.open(packed) as archive:
        for member in archive:
            path = place.joinpath(*parts_within(member.name, "version"))
            if not path.parent.resolve().is_relative_to(place.resolve()):
                raise ValueError(f"{member.name!r} leads out of its version by a link")
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
    """Make a folder that a bot can read, whatever the umask."""
    path.mkdir()
    path.chmod(_FOLDER_MODE)
