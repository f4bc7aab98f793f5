"""Removing the logs of old matches; results, ratings and the logs' names stay."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError
from arena.match_log.durable import make_folder, write_durably
from arena.match_log.files import LogFiles
from arena.match_log.pruned import Pruning, note_pruning, pruning_alone, ranges_of
from arena.scheduling.debug_lines import DebugLines
from arena.server.data_folder import DataFolder
from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class Retention:
    """Which logs are kept."""

    older_than_us: int
    """Logs of matches whose whole group had ended before this moment may go, microseconds since 1970 UTC."""
    keep_last: int = 0
    """So many of the newest logs stay, however old they are."""
    archive: Path | None = None
    """A folder that logs are moved to instead of being deleted; debug lines are deleted all the same."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What went, or would go."""

    matches: tuple[int, ...]
    bytes: int


def prune(
    folder: DataFolder,
    store: Store,
    retention: Retention,
    *,
    now_us: int,
    dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Pruned:
    """Remove the logs and debug lines that need not be kept, and record that they were pruned. Blocks.

    An arena may run meanwhile. `dry_run`: nothing changes.

    Raises:
        FailedPreconditionError: another process prunes the folder.
        UnavailableError: STORAGE, something cannot be read or written; what was removed until then is on record.
    """
    try:
        with pruning_alone(folder.logs):
            going = _may_go(folder, store, retention)
            size = sum(_size(folder, match) for match in going)
            if going and not dry_run:
                _remove(folder, going, retention.archive, now_us, progress)
    except FileNotFoundError:
        return Pruned((), 0)
    except BlockingIOError as error:
        raise FailedPreconditionError(
            ErrorReason.STORAGE,
            f"The logs of {folder.path} are being pruned already: wait until that has ended.",
        ) from error
    except OSError as error:
        raise UnavailableError(
            ErrorReason.STORAGE,
            f"Logs of {folder.path} could not be pruned: {error.strerror}"
            f"{f' ({error.filename})' if error.filename else ''}; what was removed is on record.",
        ) from error
    return Pruned(tuple(going), size)


def _may_go(folder: DataFolder, store: Store, retention: Retention) -> list[int]:
    """Return the matches with old logs, without those of an open group: they may yet be shown for the first time."""
    named = store.read(lambda tx: list(tx.logs.all()))
    logs = LogFiles(folder.logs)
    return [
        each.match
        for each in named[: max(0, len(named) - retention.keep_last)]
        if each.group_ended_us is not None
        and each.group_ended_us < retention.older_than_us
        and logs.has(each.match)
    ]


def _size(folder: DataFolder, match: int) -> int:
    debug = DebugLines(folder.debug_lines).files_of(match)
    return sum(path.stat().st_size for path in (LogFiles(folder.logs).path(match), *debug))


def _remove(
    folder: DataFolder,
    going: Sequence[int],
    archive: Path | None,
    now_us: int,
    progress: Callable[[int, int], None],
) -> None:
    """Copy, record, and then remove: after a crash nothing is missing without a record."""
    logs, debug = LogFiles(folder.logs), DebugLines(folder.debug_lines)
    if archive is not None:
        _keep_copies(logs, LogFiles(archive), going)
    note_pruning(folder.logs, Pruning(now_us, ranges_of(going), "" if archive is None else str(archive)))
    for count, match in enumerate(going, start=1):
        for path in debug.files_of(match):
            path.unlink(missing_ok=True)
        logs.path(match).unlink(missing_ok=True)
        progress(count, len(going))


def _keep_copies(logs: LogFiles, archive: LogFiles, going: Sequence[int]) -> None:
    for match in going:
        target = archive.path(match)
        if not target.exists():
            make_folder(target.parent)
            write_durably(target, logs.path(match).read_bytes())
