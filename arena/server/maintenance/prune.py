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
    logs, debug, archive = LogFiles(folder.logs), DebugLines(folder.debug_lines), retention.archive
    try:
        with pruning_alone(folder.logs):
            going = _may_go(logs, store, retention)
            files = [(*debug.files_of(match), logs.path(match)) for match in going]
            size = sum(path.stat().st_size for each in files for path in each)
            if going and not dry_run:
                # Copy, record, and then remove: after a crash nothing is missing without a record.
                if archive is not None:
                    _keep_copies(logs, LogFiles(archive), going)
                place = "" if archive is None else str(archive)
                note_pruning(folder.logs, Pruning(now_us, ranges_of(going), place))
                for count, each in enumerate(files, start=1):
                    for path in each:
                        path.unlink(missing_ok=True)
                    progress(count, len(going))
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


def _may_go(logs: LogFiles, store: Store, retention: Retention) -> list[int]:
    """Return the matches with old logs, without those of an open group: they may yet be shown for the first time."""
    named = store.read(lambda tx: list(tx.logs.all()))
    return [
        each.match
        for each in named[: max(0, len(named) - retention.keep_last)]
        if each.group_ended_us is not None
        and each.group_ended_us < retention.older_than_us
        and logs.has(each.match)
    ]


def _keep_copies(logs: LogFiles, archive: LogFiles, going: Sequence[int]) -> None:
    for match in going:
        target = archive.path(match)
        if not target.exists():
            make_folder(target.parent)
            write_durably(target, logs.path(match).read_bytes())
