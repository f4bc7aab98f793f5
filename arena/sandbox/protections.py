"""The protections of a sandbox, and which of them a machine offers."""

from __future__ import annotations

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
"""Offered by bubblewrap wherever it works, or by the arena itself."""

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
"""For a protection that a machine may lack: why, and what still holds."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """The facts that the states of protections follow from."""

    runs: bool
    """Whether programs can run at all."""
    root: bool
    covered: frozenset[Protection]
    """Offered by cgroups."""
    cgroup_version: int | None
    filters: bool
    """Whether there is a filter of system calls for the processor."""


def protection_states(facts: MachineFacts) -> tuple[ProtectionState, ...]:
    """Return the state of each protection, in their order."""
    return tuple(_state(each, facts) for each in Protection)


def _state(protection: Protection, facts: MachineFacts) -> ProtectionState:
    if not facts.runs:
        return ProtectionState(
            protection, False, "no sandbox can be made here", "No submitted bot is run here."
        )
    how = _how(protection, facts)
    if how is not None:
        return ProtectionState(protection, True, how)
    return ProtectionState(protection, False, *_MISSING[protection])


def _how(protection: Protection, facts: MachineFacts) -> str | None:
    """Return the means by which it is live; None if it is not."""
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
