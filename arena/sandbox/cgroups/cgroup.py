"""Control groups of either version.

A `Cgroups` is the group below which this arena makes groups; a `Cgroup` has all processes of one program. The name of a
group contains the process that made it, which tells leftovers of a killed arena from groups in use.
"""

import contextlib
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.process_spec import ProcessLimits
from arena.sandbox.protections import Protection

PERIOD_US = 100_000
"""The period of the processor quota."""


class Cgroup(ABC):
    """The group of one program. Numbers are None if the machine does not measure them."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        """`folders`: by controller; one folder may have several controllers."""
        self._by_controller = folders
        self._folders = tuple(dict.fromkeys(folders.values()))

    @abstractmethod
    def limit(self, limits: ProcessLimits) -> None:
        """Set the limits of the controllers that exist. Raises OSError if the kernel refuses one."""

    @abstractmethod
    def cpu_s(self) -> float | None:
        """Return the processor seconds of all its processes so far."""

    @abstractmethod
    def throttled_ns(self) -> int:
        """Return how long it was throttled because it had used up its share of the processors."""

    @abstractmethod
    def memory_peak_bytes(self) -> int | None:
        """Return the most memory it has used."""

    @abstractmethod
    def oom_kills(self) -> int:
        """Return how many of its processes were killed for lack of memory."""

    @abstractmethod
    def threads(self) -> list[int]:
        """Return the threads of all its processes."""

    def oom_event_fd(self) -> int | None:
        """Return a descriptor that is readable when memory has run out; None if the kernel kills the whole group."""
        return None

    def add(self, pid: int) -> None:
        """Add a process and all that it will start. Raises OSError if it or the group is gone."""
        for folder in self._folders:
            put(folder / "cgroup.procs", pid)

    def pids_peak(self) -> int | None:
        """Return the most processes and threads it has had."""
        return self._number("pids", "pids.peak", "pids.current")

    def pids_refused(self) -> int:
        """Return how often it was refused another process or thread."""
        return self._count("pids", "pids.events", "max") or 0

    def members(self) -> list[int]:
        """Return its processes."""
        return sorted({pid for folder in self._folders for pid in pids_in(folder / "cgroup.procs")})

    def kill(self) -> None:
        """Send SIGKILL to all its processes."""
        for pid in self.members():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def remove(self) -> bool:
        """Remove it, and return whether it is gone; it stays while one of its processes is dying."""
        left = [folder for folder in self._folders if not remove_folder(folder)]
        return not left

    def _number(self, controller: str, *names: str) -> int | None:
        """Return the number in the first of these files that exists; None without one."""
        folder = self._by_controller.get(controller)
        if folder is not None:
            for name in names:
                with contextlib.suppress(OSError, ValueError):
                    return int((folder / name).read_text(encoding="ascii"))
        return None

    def _count(self, controller: str, name: str, key: str) -> int | None:
        """Return the number of a key in a file of lines `key number`; None without one."""
        folder = self._by_controller.get(controller)
        words = [] if folder is None else words_in(folder / name)
        return int(words[words.index(key) + 1]) if key in words else None


@dataclass(frozen=True, slots=True)
class Cgroups:
    """The group below which this arena makes groups."""

    version: int
    """1 or 2."""
    folders: Mapping[str, Path]
    """Of the arena's groups, by controller; one folder may have several controllers."""
    covered: frozenset[str]
    """The controllers that set limits: memory, pids and cpu, or some of them."""
    group: Callable[[Mapping[str, Path]], Cgroup]
    """Returns the group with these folders, which need not exist."""
    prepare: Callable[[Path], object] = lambda _folder: None
    """Called with a folder of groups once that exists."""

    def covers(self) -> frozenset[Protection]:
        """Return which of MEMORY, PIDS and CPU the groups offer."""
        return frozenset(map(Protection, self.covered))

    def find(self, name: str) -> Cgroup:
        """Return a group, which need not exist."""
        return self.group({controller: folder / name for controller, folder in self.folders.items()})

    def make(self, name: str, limits: ProcessLimits) -> Cgroup:
        """Make a group for one program. Raises OSError if that fails."""
        group = self.find(name)
        try:
            for folder in set(self.folders.values()):
                folder.mkdir(exist_ok=True)
                self.prepare(folder)
                (folder / name).mkdir()
            group.limit(limits)
        except OSError:
            group.remove()
            raise
        return group

    def names(self) -> list[str]:
        """Return all groups, including those of other processes."""
        found: set[str] = set()
        for folder in set(self.folders.values()):
            # Another arena may remove the folder at any moment, because it is empty.
            with contextlib.suppress(FileNotFoundError):
                found |= {path.name for path in folder.iterdir() if path.is_dir()}
        return sorted(found)

    def remove_if_empty(self) -> None:
        """Remove the folders of groups if they are empty; `make` makes them again."""
        for folder in set(self.folders.values()):
            remove_folder(folder)


def put(path: Path, value: object) -> None:
    """Write a file of the kernel. Raises OSError if the kernel refuses the value."""
    path.write_text(str(value), encoding="ascii")


def words_in(path: Path) -> list[str]:
    """Return the words in a file of the kernel; none if there is no such file."""
    try:
        return path.read_text(encoding="ascii").split()
    except OSError:
        return []


def pids_in(path: Path) -> list[int]:
    """Return the processes or threads in a file of a group, without those of other pid namespaces, shown as 0."""
    return [pid for word in words_in(path) if (pid := int(word)) > 0]


def remove_folder(path: Path) -> bool:
    """Remove the folder of a group, and return whether it is gone."""
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
