"""Cgroups of version 2: one tree, in which a group has all controllers."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_US, US_PER_S
from arena.sandbox.cgroups.cgroup import (
    PERIOD_US,
    Cgroup,
    Cgroups,
    count_in,
    kill_each,
    number_in,
    pids_in,
    put,
    remove_folder,
)
from arena.sandbox.cgroups.mounts import Mount
from arena.sandbox.proc_fs import descendants
from arena.sandbox.process_spec import ProcessLimits
from arena.sandbox.protections import Protection

_CONTROLLERS: Final = {"memory": Protection.MEMORY, "pids": Protection.PIDS, "cpu": Protection.CPU}


class CgroupV2(Cgroup):
    """One group; the kernel ends all of it when its memory has run out."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def limit(self, limits: ProcessLimits) -> None:
        """Sets the limits of those controllers that are there.

        Raises:
            OSError: the kernel does not take one.
        """
        values = {
            "memory.max": limits.memory_bytes,
            "memory.swap.max": 0,  # not there on a kernel that does not count swap
            "memory.oom.group": 1,
            "pids.max": limits.pids,
            "cpu.max": f"{round(limits.cpu_cores * PERIOD_US)} {PERIOD_US}",
        }
        for name, value in values.items():
            if (self._path / name).exists():
                put(self._path / name, value)

    def add(self, pid: int) -> None:  # noqa: D102
        put(self._path / "cgroup.procs", pid)

    def cpu_s(self) -> float | None:  # noqa: D102
        used = count_in(self._path / "cpu.stat", "usage_usec")
        return None if used is None else used / US_PER_S

    def throttled_ns(self) -> int:  # noqa: D102
        return (count_in(self._path / "cpu.stat", "throttled_usec") or 0) * NS_PER_US

    def memory_peak_bytes(self) -> int | None:  # noqa: D102
        peak = number_in(self._path / "memory.peak")
        return number_in(self._path / "memory.current") if peak is None else peak

    def pids_peak(self) -> int | None:  # noqa: D102
        peak = number_in(self._path / "pids.peak")
        return number_in(self._path / "pids.current") if peak is None else peak

    def oom_kills(self) -> int:  # noqa: D102
        return count_in(self._path / "memory.events", "oom_kill") or 0

    def pids_refused(self) -> int:  # noqa: D102
        return count_in(self._path / "pids.events", "max") or 0

    def oom_bell(self) -> int | None:  # noqa: D102
        return None

    def members(self) -> list[int]:  # noqa: D102
        return pids_in(self._path / "cgroup.procs")

    def threads(self) -> list[int]:  # noqa: D102
        return pids_in(self._path / "cgroup.threads")

    def kill(self) -> None:  # noqa: D102
        try:
            put(self._path / "cgroup.kill", 1)
        except OSError:  # a kernel before 5.14 does not have it
            kill_each(self.members())

    def remove(self) -> bool:  # noqa: D102
        return remove_folder(self._path)


class CgroupsV2(Cgroups):
    """Groups below one that the arena may divide."""

    version = 2

    def __init__(self, base: Path, name: str) -> None:
        """`base`: the group to divide. `name`: of the folder in it that holds the arena's groups."""
        self._base = base
        self._folder = base / name

    def covers(self) -> frozenset[Protection]:  # noqa: D102
        return frozenset(
            _CONTROLLERS[name]
            for name in _words(self._base / "cgroup.subtree_control")
            if name in _CONTROLLERS
        )

    def make(self, name: str, limits: ProcessLimits) -> Cgroup:  # noqa: D102
        self._folder.mkdir(exist_ok=True)
        hand_down(self._folder)
        path = self._folder / name
        path.mkdir()
        group = CgroupV2(path)
        try:
            group.limit(limits)
        except OSError:
            group.remove()
            raise
        return group

    def names(self) -> list[str]:  # noqa: D102
        try:
            return sorted(path.name for path in self._folder.iterdir() if path.is_dir())
        except FileNotFoundError:
            return []

    def find(self, name: str) -> Cgroup:  # noqa: D102
        return CgroupV2(self._folder / name)

    def tidy(self) -> None:  # noqa: D102
        remove_folder(self._folder)


def hand_down(group: Path) -> frozenset[str]:
    """The controllers that the groups below this one have, after all were asked for that the sandbox uses."""
    offered = set(_words(group / "cgroup.controllers"))
    for controller in _CONTROLLERS:
        if controller in offered and controller not in _words(group / "cgroup.subtree_control"):
            with contextlib.suppress(OSError):  # a group with processes of its own may not be divided
                put(group / "cgroup.subtree_control", f"+{controller}")
    return frozenset(_words(group / "cgroup.subtree_control")) & _CONTROLLERS.keys()


def find_v2(mount: Mount, own: str, name: str) -> CgroupsV2 | None:
    """Where groups of version 2 can be made; None if there is no such place.

    That is this process's own group or the one above it, if it was handed over (systemd's Delegate=yes), else the top
    of the tree. A group with processes in it may not be divided: if they are all this process's, they move to a leaf.

    `own`: the path of this process's group, from /proc/self/cgroup. `name`: for the folder of the arena's groups.
    """
    top, here = mount.folder, mount.folder_of(own)
    best: tuple[int, Path] | None = None
    for candidate in dict.fromkeys((here, here.parent, top)):
        if not candidate.is_relative_to(top) or not (candidate == top or _is_handed_over(candidate)):
            continue
        given = _divided(candidate, name)
        if given and (best is None or len(given) > best[0]) and _may_make(candidate / f"{name}-probe"):
            best = (len(given), candidate)
    return None if best is None else CgroupsV2(best[1], name)


def _is_handed_over(group: Path) -> bool:
    """Whether systemd, or whoever made it, left it to this process to divide."""
    for attribute in ("trusted.delegate", "user.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(group, attribute) == b"1":
                return True
    # A group that belongs to a user was given to it; everything belongs to root.
    with contextlib.suppress(OSError):
        return os.geteuid() != 0 and group.stat().st_uid == os.geteuid()
    return False


def _divided(group: Path, name: str) -> frozenset[str]:
    """The controllers that groups below this one have; this process moves out of its way for them."""
    given = hand_down(group)
    wanted = set(_words(group / "cgroup.controllers")) & _CONTROLLERS.keys()
    members = set(pids_in(group / "cgroup.procs"))
    ours = {os.getpid(), *descendants(os.getpid())}
    if given >= wanted or not members or not members <= ours:
        return given
    leaf = group / f"{name}-itself"
    try:
        leaf.mkdir(exist_ok=True)
        for pid in members:
            put(leaf / "cgroup.procs", pid)
    except OSError:
        return given
    return hand_down(group)


def _may_make(path: Path) -> bool:
    try:
        path.mkdir()
    except FileExistsError:
        pass
    except OSError:
        return False
    return remove_folder(path)


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").split()
    except OSError:
        return []
