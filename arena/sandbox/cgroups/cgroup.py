"""Cgroups as the sandbox uses them, whichever version of them the machine has.

A `Cgroups` is the place below which this arena may make groups; a `Cgroup` holds one program with all its processes.
Groups are named by the process that made them, so that what a killed arena has left can be told from what is in use.
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
"""The share of the processors is dealt out anew so often."""


class Cgroup(ABC):
    """The group of one program. Numbers are None where the machine does not tell."""

    @abstractmethod
    def add(self, pid: int) -> None:
        """The process, and what it will start, belongs to the group.

        Raises:
            OSError: it is gone, or the group is.
        """

    @abstractmethod
    def cpu_s(self) -> float | None:
        """Processor seconds of all its processes so far."""

    @abstractmethod
    def throttled_ns(self) -> int:
        """How long it was held back because it had used up its share of the processors."""

    @abstractmethod
    def memory_peak_bytes(self) -> int | None:
        """The most memory it has had."""

    @abstractmethod
    def pids_peak(self) -> int | None:
        """The most processes and threads it has had."""

    @abstractmethod
    def oom_kills(self) -> int:
        """How many of its processes were ended for want of memory."""

    @abstractmethod
    def pids_refused(self) -> int:
        """How often it was refused one more process or thread."""

    @abstractmethod
    def oom_event_fd(self) -> int | None:
        """A file descriptor that can be read when memory has run out; None if the kernel ends all by itself."""

    @abstractmethod
    def members(self) -> list[int]:
        """Its processes."""

    @abstractmethod
    def threads(self) -> list[int]:
        """The threads of all its processes."""

    @abstractmethod
    def kill(self) -> None:
        """Every process in it has been sent SIGKILL."""

    @abstractmethod
    def remove(self) -> bool:
        """Whether it is gone; not while a process of it is still dying."""


class Cgroups(ABC):
    """The place where this arena's groups are made."""

    version: int
    """1 or 2."""

    @abstractmethod
    def covers(self) -> frozenset[Protection]:
        """Which of MEMORY, PIDS and CPU groups made here can give."""

    @abstractmethod
    def make(self, name: str, limits: ProcessLimits) -> Cgroup:
        """A new group for one program.

        Raises:
            OSError: it cannot be made.
        """

    @abstractmethod
    def names(self) -> list[str]:
        """The groups that are here, this process's and others'."""

    @abstractmethod
    def find(self, name: str) -> Cgroup:
        """A group that is here, to be removed."""

    @abstractmethod
    def remove_if_empty(self) -> None:
        """The place is gone if no group is left in it; the next one makes it anew."""


def put(path: Path, value: object) -> None:
    """Writes one of the kernel's files.

    Raises:
        OSError: the kernel does not take it.
    """
    with path.open("w", encoding="ascii") as file:
        file.write(str(value))


def number_in(path: Path) -> int | None:
    """The number that a file of the kernel's holds; None if there is no such file."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def count_in(path: Path, key: str) -> int | None:
    """The number behind a key, of a file of lines `key number`; None if it is not there."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(words[1]) for line in lines if (words := line.split())[:1] == [key]), None)


def pids_in(path: Path) -> list[int]:
    """The processes, or threads, that a file of a group names; those of other pid namespaces, shown as 0, left out."""
    try:
        found = [int(line) for line in path.read_text(encoding="ascii").split()]
    except OSError:
        return []
    return [pid for pid in found if pid > 0]


def kill_each(pids: Iterable[int]) -> None:
    """Each of the processes that is still there has been sent SIGKILL."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def remove_folder(path: Path) -> bool:
    """Whether a group's folder is gone."""
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
