"""Control groups of either version.

A `Cgroups` is the group below which this arena makes groups; a `Cgroup` has all processes of one program. The name of a
group contains the process that made it, which tells leftovers of a killed arena from groups in use.
"""

from __future__ import annotations

import contextlib
import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from arena.sandbox.process_spec import ProcessLimits
from arena.sandbox.protections import Protection

PERIOD_US = 100_000
"""The period of the processor quota."""


class Cgroup(ABC):
    """The group of one program. Numbers are None if the machine does not measure them."""

    @abstractmethod
    def add(self, pid: int) -> None:
        """Add a process and all that it will start. Raises OSError if it or the group is gone."""

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
    def pids_peak(self) -> int | None:
        """Return the most processes and threads it has had."""

    @abstractmethod
    def oom_kills(self) -> int:
        """Return how many of its processes were killed for lack of memory."""

    @abstractmethod
    def pids_refused(self) -> int:
        """Return how often it was refused another process or thread."""

    @abstractmethod
    def oom_event_fd(self) -> int | None:
        """Return a descriptor that is readable when memory has run out; None if the kernel kills the whole group."""

    @abstractmethod
    def members(self) -> list[int]:
        """Return its processes."""

    @abstractmethod
    def threads(self) -> list[int]:
        """Return the threads of all its processes."""

    @abstractmethod
    def kill(self) -> None:
        """Send SIGKILL to all its processes."""

    @abstractmethod
    def remove(self) -> bool:
        """Remove it, and return whether it is gone; it stays while one of its processes is dying."""


class Cgroups(ABC):
    """The group below which this arena makes groups."""

    version: int
    """1 or 2."""

    @abstractmethod
    def covers(self) -> frozenset[Protection]:
        """Return which of MEMORY, PIDS and CPU the groups offer."""

    @abstractmethod
    def make(self, name: str, limits: ProcessLimits) -> Cgroup:
        """Make a group for one program. Raises OSError if that fails."""

    @abstractmethod
    def names(self) -> list[str]:
        """Return all groups, including those of other processes."""

    @abstractmethod
    def find(self, name: str) -> Cgroup:
        """Return an existing group, to be removed."""

    @abstractmethod
    def remove_if_empty(self) -> None:
        """Remove the folder of groups if it is empty; `make` makes it again."""


def put(path: Path, value: object) -> None:
    """Write a file of the kernel. Raises OSError if the kernel refuses the value."""
    path.write_text(str(value), encoding="ascii")


def number_in(path: Path) -> int | None:
    """Return the number in a file of the kernel; None if there is no such file."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def count_in(path: Path, key: str) -> int | None:
    """Return the number of a key in a file of lines `key number`; None without one."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(words[1]) for line in lines if (words := line.split())[:1] == [key]), None)


def pids_in(path: Path) -> list[int]:
    """Return the processes or threads in a file of a group, without those of other pid namespaces, shown as 0."""
    try:
        found = [int(line) for line in path.read_text(encoding="ascii").split()]
    except OSError:
        return []
    return [pid for pid in found if pid > 0]


def kill_each(pids: Iterable[int]) -> None:
    """Send SIGKILL to those of the processes that exist."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def remove_folder(path: Path) -> bool:
    """Remove the folder of a group, and return whether it is gone."""
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
