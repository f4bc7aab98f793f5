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


_ALWAYS: Final = {
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
"""What bubblewrap gives wherever it works at all, and what is the arena's own doing."""

_HAND_OVER: Final = "run the arena as root, or hand it a cgroup (Delegate=yes in its systemd unit)"

_MISSING: Final = {
    Protection.MEMORY: (
        "no cgroup",
        (
            "Best effort: the arena adds up the memory of a bot's processes twenty times a second and ends a bot that "
            f"has too much; to limit it, {_HAND_OVER}."
        ),
    ),
    Protection.PIDS: (
        "no cgroup",
        (
            "Best effort: RLIMIT_NPROC, which counts what other bots and the arena's user run as well; to limit it, "
            f"{_HAND_OVER}."
        ),
    ),
    Protection.CPU: (
        "no cgroup",
        (
            "A match's clock still ends a bot that thinks too long, but it may slow down its neighbours; to limit it, "
            f"{_HAND_OVER}."
        ),
    ),
    Protection.SECCOMP: (
        "no filter for this processor",
        (
            "Namespaces and limits hold, but the kernel's less used parts are open; run the arena on x86_64 or aarch64."
        ),
    ),
    Protection.UID: (
        "a user namespace instead",
        (
            "Bots run as the arena's own user, without capabilities, and see neither its files nor its processes; run "
            "the arena as root to give each bot a uid of its own."
        ),
    ),
}
"""What a machine may lack: how it is called, and what still holds."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What standings follow from."""

    runs: bool
    """Whether programs can be run at all."""
    root: bool
    covered: frozenset[Protection]
    """What cgroups can be made for."""
    cgroup_version: int | None
    filters: bool
    """Whether there is a filter of system calls for the processor."""


def protection_states(facts: MachineFacts) -> tuple[ProtectionState, ...]:
    """One for each protection, in their order."""
    return tuple(_standing(each, facts) for each in Protection)


def _standing(protection: Protection, facts: MachineFacts) -> ProtectionState:
    if not facts.runs:
        return ProtectionState(
            protection, False, "no sandbox can be made here", "No submitted bot is run here."
        )
    how = _how(protection, facts)
    if how is not None:
        return ProtectionState(protection, True, how)
    return ProtectionState(protection, False, *_MISSING[protection])


def _how(protection: Protection, facts: MachineFacts) -> str | None:
    """By what means it is live; None if it is not."""
    if protection in facts.covered:
        return f"cgroup v{facts.cgroup_version} ({protection.value})"
    match protection:
        case Protection.PIDS if facts.root:
            return "RLIMIT_NPROC of a uid of its own"
        case Protection.SECCOMP if facts.filters:
            return "a filter of system calls"
        case Protection.UID if facts.root:
            return "a uid from a range, no capabilities"
        case _:
            return _ALWAYS.get(protection)
