"""The protections of a sandbox, and which of them a machine offers."""

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Protection(Enum):
    """One protection; docs/sandbox.md says what each is against and how it works."""

    MEMORY = "memory"
    """Limits the memory of all its processes together, including tmpfs and memfds."""
    PIDS = "pids"
    """Limits processes and threads."""
    CPU = "cpu"
    """Limits the share of the processors, and the processor time of all its processes."""
    SECCOMP = "seccomp"
    """Refuses system calls that no bot needs."""
    NETWORK = "network"
    """No network, not even that of the machine: only the Unix sockets of its folder."""
    FILES = "files"
    """Shows only the files that its runtime needs."""
    READ_ONLY = "read-only"
    """All but /tmp and /dev/shm is read-only."""
    DEVICES = "devices"
    """Shows only harmless devices such as null, zero and random."""
    TMP = "tmp"
    """Limits the size of /tmp and /dev/shm."""
    PROCESSES = "processes"
    """Shows no processes but its own, and ends all of them together."""
    IPC = "ipc"
    """Own shared memory, semaphores, message queues and host name."""
    UID = "uid"
    """A uid that no other running bot has, without capabilities."""
    ENVIRONMENT = "environment"
    """Passes nothing of the arena's environment, arguments or open files."""
    OUTPUT = "output"
    """Keeps a part of its output, and ends it if it writes far more."""


ALL: Final = frozenset(Protection)
"""The protections of every bot; the control of an attack leaves one out."""

NEEDED_IN_PUBLIC: Final = (Protection.MEMORY, Protection.PIDS, Protection.SECCOMP, Protection.NETWORK)
"""The protections without which untrusted programs should not run."""


@dataclass(frozen=True, slots=True)
class ProtectionState:
    """The state of one protection on a machine."""

    protection: Protection
    live: bool
    how: str
    """The means, in a few words; why not, if it is not live."""
    advice: str = ""
    """What still holds and what to do, in a sentence; empty if it is live."""


ALWAYS: Final = {
    Protection.NETWORK: "network namespace, Unix sockets alone",
    Protection.FILES: "a root of its own",
    Protection.READ_ONLY: "read-only mounts",
    Protection.DEVICES: "a /dev of its own",
    Protection.TMP: "tmpfs of a size",
    Protection.PROCESSES: "pid namespace",
    Protection.IPC: "ipc and uts namespaces",
    Protection.ENVIRONMENT: "started with an empty one",
    Protection.OUTPUT: "a pipe that the arena reads",
}
"""Offered by bubblewrap wherever it works, or by the arena itself."""

_DELEGATE: Final = "run the arena as root, or delegate a cgroup to it (Delegate=yes in its systemd unit)"

MISSING: Final = {
    Protection.MEMORY: (
        "no cgroup",
        f"Best effort: the arena measures a bot's memory twenty times a second; to limit it, {_DELEGATE}.",
    ),
    Protection.PIDS: (
        "no cgroup",
        f"Best effort: RLIMIT_NPROC, which also counts other processes of the user; to limit a bot, {_DELEGATE}.",
    ),
    Protection.CPU: (
        "no cgroup",
        f"The match clock ends a bot that thinks too long, but it may slow others down; to limit it, {_DELEGATE}.",
    ),
    Protection.SECCOMP: (
        "no filter for this processor",
        "Namespaces and limits hold, but all system calls are allowed; run the arena on x86_64 or aarch64.",
    ),
    Protection.UID: (
        "a user namespace instead",
        "Bots run as the arena's user, but see neither its files nor its processes; run the arena as root for uids.",
    ),
}
"""For a protection that a machine may lack: why, and what still holds."""
