"""The state file of a comparison: what is compared, then a line for each match that was played.

A line is written in one piece as soon as its match has ended, so a comparison that is killed loses no more than the
matches that were being played.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from arena.cli.framework.errors import CliError
from arena.core.finished_match import FinishedMatch

_FORMAT: Final = "arena-compare-1"


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The result of a match. Tuples are by seat."""

    group: int
    place: int
    placings: tuple[int, ...]
    """1 is best; 0 where all seats forfeited."""
    endings: tuple[str, ...]
    """How each seat ended: NORMAL, or why it forfeited, for example EXITED."""
    strikes: tuple[int, ...]
    """Late and illegal answers."""
    exceptions: tuple[int, ...]
    """Exceptions that its bot has named."""
    log: str | None = None
    """The log file, if it was kept."""

    def finished(self) -> FinishedMatch:
        """Return it as ratings see it; the names of the bots are their seats."""
        return FinishedMatch(
            bots=tuple(map(str, range(len(self.placings)))),
            placings=self.placings,
            forfeited=tuple(ending != "NORMAL" for ending in self.endings),
        )


class StateFile:
    """Results on disk."""

    def __init__(self, path: Path, file: int, *, resume: bool) -> None:
        """`file`: its descriptor, opened to append. Raises CliError: it is resumed, and is no state file."""
        self.path = path
        self._file = file
        self._comparison: dict[str, Any] | None = None
        self.played: list[PlayedMatch] = []
        """The matches that were in it when it was opened."""
        self.has_grown = False
        """Whether a match was added."""
        if resume:
            self._read()

    @property
    def seed(self) -> bytes | None:
        """The seed of the comparison that is resumed."""
        return None if self._comparison is None else bytes.fromhex(self._comparison["seed"])

    def begin(self, comparison: dict[str, Any]) -> None:
        """Write what is compared, or check that it is what was compared before.

        `comparison`: all that the results depend on, as a JSON object. Raises CliError: it is another one.
        """
        known = self._comparison
        if known is None:
            self._write({"format": _FORMAT, "comparison": comparison})
            return
        for name in known | comparison:
            if known.get(name) != comparison.get(name):
                change = _change(name, known.get(name), comparison.get(name))
                raise CliError(
                    f"{self.path} belongs to another comparison: {change}. Start a new comparison with another "
                    "--state, or without one."
                )

    def add(self, match: PlayedMatch) -> None:
        """Write the result of a match. Raises CliError: the disk is full."""
        self._write(asdict(match))
        self.has_grown = True

    def _write(self, line: Mapping[str, Any]) -> None:
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        if os.write(self._file, data) != len(data):
            raise CliError(f"{self.path} could not be written: no space is left there.")

    def _read(self) -> None:
        """Read the matches, and remove a line that was not written to its end."""
        whole = self.path.read_bytes().rpartition(b"\n")[0]
        try:
            first, *lines = map(json.loads, whole.split(b"\n"))
            if first["format"] == _FORMAT:
                self._comparison = dict(first["comparison"])
                self.played = [_played(line) for line in lines]
        except (ValueError, KeyError, TypeError):
            self._comparison = None
        if self._comparison is None or self.seed is None:
            raise CliError(f"{self.path} is no state file of `arena compare`. Name another one with --state.")
        os.ftruncate(self._file, len(whole) + 1)


@contextmanager
def opened_state(path: Path, *, resume: bool) -> Iterator[StateFile]:
    """Open a new state file, or an existing one to resume it; nobody else can open it inside.

    A new one that gets no match because of a CliError is removed, so that the mended command finds the name free.

    Raises CliError: the file exists, does not exist, is no state file, or is in use.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | (0 if resume else os.O_CREAT | os.O_EXCL), 0o666)
    except FileExistsError:
        raise CliError(
            f"{path} exists. To continue its comparison add --resume, or name another file with --state."
        ) from None
    except FileNotFoundError:
        why = "does not exist, so there is nothing to resume" if resume else "is in no folder that exists"
        raise CliError(f"{path} {why}.") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        raise CliError(f"{path} is in use by another comparison that is running.") from None
    try:
        state = StateFile(path, file, resume=resume)
        try:
            yield state
        except CliError:
            if not resume and not state.has_grown:
                path.unlink(missing_ok=True)
            raise
    finally:
        os.close(file)


def _change(name: str, was: object, now: object) -> str:
    """Return what has changed, in words."""
    if name == "files" and isinstance(was, Mapping) and isinstance(now, Mapping) and was.keys() == now.keys():
        changed = [file for file in was if was[file] != now[file]]
        return f"{', '.join(changed)} {'has' if len(changed) == 1 else 'have'} changed since"
    return f"{name} was {json.dumps(was)}, and is {json.dumps(now)} now"


def _played(line: Mapping[str, Any]) -> PlayedMatch:
    """Return the match of a line. Raises KeyError or TypeError: it is none."""
    return PlayedMatch(
        group=int(line["group"]),
        place=int(line["place"]),
        placings=tuple(line["placings"]),
        endings=tuple(line["endings"]),
        strikes=tuple(line["strikes"]),
        exceptions=tuple(line["exceptions"]),
        log=line["log"],
    )
