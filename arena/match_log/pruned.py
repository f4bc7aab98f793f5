"""The record of logs that were removed on purpose, so that they are not taken for losses."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from arena.core.errors import DataLossError, ErrorReason
from arena.core.units import US_PER_S
from arena.match_log.durable import write_durably

PRUNED_FILE: Final = "pruned.jsonl"
"""In the folder of the logs: a line for each time that logs were removed."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """Logs that were removed at one time."""

    at_us: int
    """Microseconds since 1970 UTC."""
    ranges: tuple[tuple[int, int], ...]
    """The ids of their matches, as first and last of each row without a gap."""
    archive: str
    """The folder they were moved to; empty if they were deleted."""

    def __contains__(self, match: int) -> bool:
        return any(first <= match <= last for first, last in self.ranges)

    @property
    def day(self) -> str:
        """The day, "2026-11-21", UTC."""
        return datetime.fromtimestamp(self.at_us // US_PER_S, UTC).date().isoformat()

    def sentence(self, match: int) -> str:
        """Return the message for a request for the log of one of these matches."""
        where = (
            f"it was moved to {Path(self.archive).name}, ask the organiser"
            if self.archive
            else "it was deleted"
        )
        return (
            f"The log of match {match} was pruned on {self.day} to save space: {where}. "
            "Its result and the log's name are kept."
        )


def prunings(logs: Path) -> tuple[Pruning, ...]:
    """Return all prunings of a folder of logs, oldest first.

    Raises OSError, or DataLossError (STORAGE) for a damaged file.
    """
    path = logs / PRUNED_FILE
    try:
        return tuple(_pruning(line) for line in path.read_bytes().splitlines())
    except FileNotFoundError:
        return ()
    except (ValueError, KeyError, TypeError) as error:
        sentence = f"The record of pruned logs, {path}, is damaged: copy it from a backup, or remove it."
        raise DataLossError(ErrorReason.STORAGE, sentence) from error


def pruning_of(logs: Path, match: int) -> Pruning | None:
    """Return the pruning that removed the log of a match; None if none did. Raises as `prunings`."""
    return next((each for each in reversed(prunings(logs)) if match in each), None)


def note_pruning(logs: Path, pruning: Pruning) -> None:
    """Record the pruning, surviving a power cut. Raises OSError."""
    path = logs / PRUNED_FILE
    before = path.read_bytes() if path.exists() else b""
    fields = {"at_us": pruning.at_us, "matches": pruning.ranges, "archive": pruning.archive}
    write_durably(path, before + json.dumps(fields).encode() + b"\n")


@contextmanager
def pruning_alone(logs: Path) -> Iterator[None]:
    """Lock the folder against other prunings. Raises OSError, BlockingIOError if one is running."""
    handle = os.open(logs, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def ranges_of(matches: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return ids in any order as ranges: 3, 1, 2, 7 is 1-3 and 7-7."""
    rows: list[tuple[int, int]] = []
    for match in sorted(set(matches)):
        if rows and rows[-1][1] == match - 1:
            rows[-1] = (rows[-1][0], match)
        else:
            rows.append((match, match))
    return tuple(rows)


def _pruning(line: bytes) -> Pruning:
    fields = json.loads(line)
    ranges = tuple((int(first), int(last)) for first, last in fields["matches"])
    return Pruning(int(fields["at_us"]), ranges, str(fields["archive"]))
