"""Backup of a data folder while its arena runs.

The database is copied first, as it was at one moment, and then exactly the logs and submitted versions that this copy
names: a log is on disk before its match is stored, and a version before its row, so none can be missing. Logs of
matches that ended later stay out, since their matches are played again by an arena that is restored; so do archives
that are still on their way.
"""

import tarfile
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.core import errors
from arena.core.errors import ErrorReason
from arena.match_log.durable import UNFINISHED_SUFFIX, sync_folder
from arena.match_log.files import LogFiles
from arena.match_log.pruned import PRUNED_FILE, pruning_of
from arena.sandbox.runtime_files import SUFFIX as RUNTIME_SUFFIX
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.wall_clock import now_us
from arena.server.data_folder import DataFolder, storage_errors
from arena.server.maintenance.archive import ArchiveWriter, BackupManifest, check_archive, writing
from arena.server.maintenance.upgrade import stamp
from arena.store.matches.log_names import RecordedLog
from arena.store.sqlite_copy import copy_database, flaws_of
from arena.store.store import Store

Progress = Callable[[int, int], None]
"""Called with how many of how many logs are done."""

PACKED: Final = ".tar"
"""The suffix of a packed version, behind its hash: a tar archive in the archive, so that links and modes are kept."""

_DATABASE: Final = "arena.db"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was written and read again."""

    path: Path
    bytes: int
    manifest: BackupManifest
    logs: int
    """How many match logs are in it."""


def back_up(folder: DataFolder, destination: Path, *, software: str, progress: Progress) -> Backup:
    """Write all that the folder holds at one moment into one file, and read it again. Blocks.

    `destination`: the new file, or a folder in which it gets a name with the time.

    Raises:
        FailedPreconditionError: the folder holds no arena's database.
        AlreadyExistsError: the file is there already.
        DataLossError: STORAGE, the database is damaged.
        UnavailableError: STORAGE, something cannot be read or written. After any error no file is left.
    """
    if folder.server_url is not None:
        raise errors.FailedPreconditionError(
            ErrorReason.STORAGE,
            f"The database of {folder.path} is on a PostgreSQL server, {folder.server_url}: back it up with pg_dump, "
            "and then copy the folder (docs/operations.md, PostgreSQL).",
        )
    open_for_reading(folder).close()
    moment = now_us()
    target = destination / f"arena-{stamp(moment)}.tar.zst" if destination.is_dir() else destination
    if target.exists():
        raise errors.AlreadyExistsError(
            ErrorReason.STORAGE, f"{target} is there already: name a file that is not, or a folder."
        )
    unfinished = target.with_name(target.name + UNFINISHED_SUFFIX)
    what = f"The backup could not be written to {target}"
    try:
        with storage_errors(what, "free some space or choose another place"):
            unfinished.unlink(missing_ok=True)
            with tempfile.TemporaryDirectory(prefix=".arena-backup-", dir=target.parent) as aside:
                logs = _write(folder, unfinished, Path(aside), software, moment, progress)
            manifest = check_archive(unfinished)
            unfinished.replace(target)
            sync_folder(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    return Backup(target, target.stat().st_size, manifest, logs)


def open_for_reading(folder: DataFolder) -> Store:
    """Open the database of a folder, whether its arena runs or not.

    Raises FailedPreconditionError: the folder holds no arena's database.
    """
    if not folder.has_database:
        raise _no_arena(folder)
    return Store(folder.database_url)


def _no_arena(folder: DataFolder) -> errors.FailedPreconditionError:
    return errors.FailedPreconditionError(
        ErrorReason.STORAGE,
        f"There is no arena's database in {folder.path}: name the data folder with --data.",
    )


def _write(
    folder: DataFolder, target: Path, aside: Path, software: str, moment: int, progress: Progress
) -> int:
    """Write the archive; return how many logs are in it. `aside`: an empty folder for what is packed first."""
    copy = aside / _DATABASE
    copy_database(folder.database, copy)
    if flaws := flaws_of(copy):
        raise errors.DataLossError(
            ErrorReason.STORAGE,
            f"The database of {folder.path} is damaged ({flaws[0]}), and a copy of it would be too: nothing was "
            "written; keep the backups that there are, and see docs/operations.md.",
        )
    with closing(Store(f"sqlite:///{copy.resolve()}")) as store:
        schema = store.version()
        if schema is None:
            raise _no_arena(folder)
        named = store.read(lambda tx: list(tx.logs.all()))
        versions = store.read(lambda tx: tx.bots.submitted_hashes())
    with writing(target) as archive:
        archive.add(_DATABASE, copy)
        added, missing = _add_logs(folder, archive, named, progress)
        _add_versions(folder, archive, versions, aside)
        keys = sorted(path for path in folder.keys.glob("*") if path.suffix in {".key", ".pub"})
        others = [path for path in (folder.organiser_token, folder.logs / PRUNED_FILE) if path.is_file()]
        runtimes = sorted(path for path in folder.runtimes.glob(f"*{RUNTIME_SUFFIX}") if path.is_file())
        for path in (*keys, *others, *runtimes):
            archive.add(path.relative_to(folder.path).as_posix(), path)
        archive.finish(BackupManifest(software, schema, moment, tuple(missing), tuple(archive.files)))
    return added


def _add_logs(
    folder: DataFolder, archive: ArchiveWriter, named: list[RecordedLog], progress: Progress
) -> tuple[int, list[int]]:
    """Return how many logs were added, and the matches whose logs are missing and were not pruned."""
    logs, debug = LogFiles(folder.logs), DebugLines(folder.debug_lines)
    added, missing = 0, []
    for count, each in enumerate(named, start=1):
        try:
            for path in (logs.path(each.match), *debug.files_of(each.match)):
                archive.add(path.relative_to(folder.path).as_posix(), path)
            added += 1
        except FileNotFoundError:
            if pruning_of(folder.logs, each.match) is None:
                missing.append(each.match)
        progress(count, len(named))
    return added, missing


def _add_versions(folder: DataFolder, archive: ArchiveWriter, versions: Sequence[str], aside: Path) -> None:
    """Add the submitted versions that are there; `arena doctor` reports others."""
    for version in versions:
        place, packed = folder.versions / version, aside / f"{version}{PACKED}"
        if place.is_dir():
            with tarfile.open(packed, "w", format=tarfile.PAX_FORMAT) as inner:
                for path in sorted(place.rglob("*")):
                    inner.add(path, path.relative_to(place).as_posix(), recursive=False)
            archive.add(f"{folder.versions.name}/{packed.name}", packed)
            packed.unlink()
