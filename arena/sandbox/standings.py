"""What holds and what does not, in words, from the facts of a machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.sandbox.protections import Protection, ProtectionState

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


def standings_of(facts: MachineFacts) -> tuple[ProtectionState, ...]:
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
