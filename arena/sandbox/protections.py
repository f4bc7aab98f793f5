"""What a sandbox protects, one word each, and whether a machine can give it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Protection(Enum):
    """One protection; docs/sandbox.md says of each what it is against and how it is done."""

    MEMORY = "memory"
    """All its processes together have so much memory, tmpfs and memfds counted."""
    PIDS = "pids"
    """So many processes and threads at once."""
    CPU = "cpu"
    """A share of the processors, and a sum of processor time over all its processes."""
    SECCOMP = "seccomp"
    """System calls that no bot needs are refused."""
    NETWORK = "network"
    """No network, not even that of the machine itself: only Unix sockets that are shown to it."""
    FILES = "files"
    """Only the files that its runtime needs can be seen."""
    READ_ONLY = "read-only"
    """What can be seen cannot be changed, but for /tmp and /dev/shm."""
    DEVICES = "devices"
    """Of the machine's devices only those that everybody may have: null, zero, random and their like."""
    TMP = "tmp"
    """/tmp and /dev/shm hold so much."""
    PROCESSES = "processes"
    """No process but its own can be seen; all of them end together."""
    IPC = "ipc"
    """Shared memory, semaphores and message queues of its own, and a host name of its own."""
    UID = "uid"
    """A user id that no other running bot has, without any capability."""
    ENVIRONMENT = "environment"
    """Nothing of the arena's environment, arguments or open files."""
    OUTPUT = "output"
    """So much of what it writes is kept, and it ends if it goes on."""


ALL: Final = frozenset(Protection)
"""What every bot gets; an attack's control takes one away."""

NEEDED_IN_PUBLIC: Final = (Protection.MEMORY, Protection.PIDS, Protection.SECCOMP, Protection.NETWORK)
"""Without one of these nobody should run strangers' programs."""


@dataclass(frozen=True, slots=True)
class ProtectionState:
    """How it stands with one protection on a machine."""

    protection: Protection
    live: bool
    how: str
    """By what means, a few words; for one that is not live, why."""
    advice: str = ""
    """What still holds and what to do, one sentence; empty if it is live."""
