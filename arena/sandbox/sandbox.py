"""Starts sandboxed programs, and removes what a killed arena has left."""

import asyncio
import contextlib
import os
import resource
import time
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.sandbox import proc_fs
from arena.sandbox.bubblewrap import LaunchOrder, launch, set_resource_limits
from arena.sandbox.bubblewrap_options import NAMESPACE_UID, BubblewrapOptions, SandboxUser
from arena.sandbox.build_folder import chown_tree
from arena.sandbox.capabilities import Capabilities
from arena.sandbox.cgroups.cgroup import Cgroup, Cgroups
from arena.sandbox.process import OWN_PROCESSES, ProcessStart, SandboxedProcess
from arena.sandbox.process_spec import ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.protections import ALL, Protection
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.seccomp.call_filter import build_filter

UIDS: Final = range(58_000, 59_000)
"""Uids for running bots: below those of systemd, above those of people."""
_WITHOUT: Final = 16
"""Factor of a limit that the control of an attack leaves out: the machine has to survive it."""
_NPROC_ROOM: Final = 16
_FILE_ROOM: Final = 2
"""A file may be larger than /tmp, so that a full /tmp is an error and no signal."""
_NO_CORE: Final = 1
"""Bytes of a core: too few for a file, and the kernel pipes none to the machine's core handler (core(5))."""
_MAKE_RETRIES: Final = 3
_REMOVE_ATTEMPTS: Final = 400
_REMOVE_RETRY_S: Final = 0.005


class UidPool:
    """Uids, each for one program at a time."""

    def __init__(self, uids: range, first: int) -> None:
        """`first`: index of the first one to use; it should differ between the arenas of a machine."""
        self._uids = uids
        self._next = first
        self._taken: set[int] = set()

    def acquire(self) -> int:
        """Return a uid that no process of this machine uses. Raises SandboxError if all are in use."""
        elsewhere = proc_fs.uids_in_use()
        for _ in self._uids:
            uid = self._uids[self._next % len(self._uids)]
            self._next += 1
            if uid not in self._taken and uid not in elsewhere:
                self._taken.add(uid)
                return uid
        raise SandboxError(
            f"All uids from {self._uids[0]} to {self._uids[-1]} are in use: fewer bots can run at once than that."
        )

    def release(self, uid: int) -> None:
        """Make a uid available again, once nothing runs as it."""
        self._taken.discard(uid)


def arena_mark(folder: Path) -> str:
    """Return how the marks of all programs begin that arenas with this sandbox folder have started."""
    return sha256(str(folder.resolve()).encode()).hexdigest()[:8]


class Sandbox:
    """Runs programs on one machine. Everything but `sweep` must be called in the thread of one event loop."""

    def __init__(
        self,
        machine: Capabilities,
        *,
        protections: frozenset[Protection] = ALL,
        folder: Path,
        uids: range = UIDS,
        runtimes: RuntimeRegistry | None = None,
    ) -> None:
        """`protections`: some left out only in tests. `folder`: the arena's, names its groups. `uids`: for programs.

        `runtimes`: None: the built-in ones.
        """
        self.runtimes: Final = RuntimeRegistry() if runtimes is None else runtimes
        self._machine = machine
        self._protections = protections
        self._arena = arena_mark(folder)
        self._uids = UidPool(uids, int(self._arena, 16) % len(uids))
        self._owner = f"{os.getpid()}-{proc_fs.started_at(os.getpid())}"
        self._count = 0
        proc_fs.become_subreaper()

    async def start(self, program: ProcessSpec, limits: ProcessLimits) -> SandboxedProcess:
        """Start a program. Raises SandboxError if it cannot be started; then nothing of it is left."""
        machine = self._machine
        if machine.bwrap is None or not machine.can_run:
            raise SandboxError(machine.why_not)
        if not program.folder.is_dir():
            raise SandboxError(f"The program's folder {program.folder} is not there.")
        if program.runtime not in self.runtimes.all:
            why = self.runtimes.why_unavailable(program.runtime)
            raise SandboxError(f"The program cannot be started: {why}.")
        with contextlib.ExitStack() as undo:
            self._count += 1
            mark = f"{self._arena}-{self._owner}-{self._count}"
            identity = self._identity(undo)
            if program.writable and machine.root:
                await asyncio.to_thread(
                    chown_tree, program.folder, 0 if identity.keeps_root else identity.uid
                )
            enforced = self._enforced(limits)
            group = self._group(mark, enforced, undo)
            try:
                launched = await launch(
                    self._order(mark, program, limits, identity),
                    lambda pid: self._admit(pid, group, enforced, program),
                    lambda first: self._restrict(first, enforced),
                )
            except OSError as error:
                raise SandboxError(f"The program could not be started: {error.strerror}.") from error
            undo_later = undo.pop_all()
        counts_memory = group is not None and Protection.MEMORY in self._covered()
        start = ProcessStart(program, enforced, self._protections, group, counts_memory, undo_later.close)
        return SandboxedProcess(launched, start)

    def sweep(self) -> int:
        """Remove the programs that a killed arena of this folder has left, and return how many. Blocks."""
        left = proc_fs.kill_marked(self._is_left)
        cgroups = self._machine.cgroups
        if cgroups is not None:
            left |= {name for name in cgroups.names() if self._is_left(name)}
            for name in left:
                _remove(cgroups.find(name))
            cgroups.remove_if_empty()
        return len(left)

    def _is_left(self, name: str) -> bool:
        """Return whether a mark (arena-pid-start-count) is of a process of this arena that has ended."""
        arena, *owner = name.split("-")
        if arena != self._arena or len(owner) != 3 or not owner[0].isdecimal():
            return False
        return proc_fs.started_at(int(owner[0])) != owner[1]

    def _identity(self, undo: contextlib.ExitStack) -> SandboxUser:
        env = self._machine.env
        assert env is not None
        if not self._machine.root:
            return SandboxUser(NAMESPACE_UID, None, env)
        if Protection.UID not in self._protections:
            return SandboxUser(0, self._machine.setpriv, env, keeps_root=True)
        uid = self._uids.acquire()
        undo.callback(self._uids.release, uid)
        return SandboxUser(uid, self._machine.setpriv, env)

    def _enforced(self, limits: ProcessLimits) -> ProcessLimits:
        """Return the limits, far higher where a protection is left out."""
        factor = {each: 1 if each in self._protections else _WITHOUT for each in Protection}
        if Protection.CPU not in self._protections:
            limits = replace(limits, cpu_cores=float(os.cpu_count() or 1), cpu_seconds=None)
        return replace(
            limits,
            memory_bytes=limits.memory_bytes * factor[Protection.MEMORY],
            pids=limits.pids * factor[Protection.PIDS],
            folder_bytes=limits.folder_bytes * factor[Protection.OUTPUT],
        )

    def _group(self, mark: str, limits: ProcessLimits, undo: contextlib.ExitStack) -> Cgroup | None:
        cgroups = self._machine.cgroups
        if cgroups is None:
            return None
        try:
            group = _make(cgroups, mark, replace(limits, pids=limits.pids + OWN_PROCESSES))
        except OSError as error:
            raise SandboxError(f"No cgroup can be made for the program: {error.strerror}.") from error
        undo.callback(cgroups.remove_if_empty)
        undo.callback(_remove, group)
        return group

    def _order(
        self, mark: str, program: ProcessSpec, limits: ProcessLimits, user: SandboxUser
    ) -> LaunchOrder:
        assert self._machine.bwrap is not None
        calls, runtime = None, self.runtimes.all[program.runtime]
        if self._machine.architecture is not None and Protection.SECCOMP in self._protections:
            calls = build_filter(
                self._machine.architecture,
                runtime.build if program.tools else runtime.match,
                strict=program.strict,
                sockets=Protection.NETWORK in self._protections,
            )
        lay_out = partial(BubblewrapOptions, program, runtime, limits, user, self._protections)
        clean = Protection.ENVIRONMENT in self._protections
        return LaunchOrder(self._machine.bwrap, lay_out, mark, calls, clean)

    def _admit(self, pid: int, group: Cgroup | None, limits: ProcessLimits, program: ProcessSpec) -> None:
        """Set cgroup and limits of bubblewrap, which its children inherit."""
        if group is not None:
            group.add(pid)
        most = limits.folder_bytes if program.writable else limits.tmp_bytes * _FILE_ROOM
        set_resource_limits(
            pid,
            {
                resource.RLIMIT_CORE: _NO_CORE,
                resource.RLIMIT_MSGQUEUE: 0,
                # The arena itself may have the right to raise its priority; a bot never has.
                resource.RLIMIT_RTPRIO: 0,
                resource.RLIMIT_NICE: 0,
                resource.RLIMIT_NOFILE: limits.open_files,
                resource.RLIMIT_FSIZE: most,
                # It limits the program's uid, but not bubblewrap, which is root.
                resource.RLIMIT_NPROC: self._most_of_uid(limits) if self._machine.root else None,
            },
        )

    def _restrict(self, first: int, limits: ProcessLimits) -> None:
        """Set RLIMIT_NPROC in the new user namespace; outside, all processes of the arena's user would count."""
        if not self._machine.root:
            # The first one first: what it forks meanwhile inherits the limit.
            for pid in (first, *proc_fs.descendants(first)):
                with contextlib.suppress(ProcessLookupError):
                    set_resource_limits(pid, {resource.RLIMIT_NPROC: self._most_of_uid(limits)})

    def _most_of_uid(self, limits: ProcessLimits) -> int:
        """Return RLIMIT_NPROC, higher than the limit of the cgroup, which counts refusals."""
        return limits.pids + (_NPROC_ROOM if Protection.PIDS in self._covered() else OWN_PROCESSES)

    def _covered(self) -> frozenset[Protection]:
        return frozenset() if self._machine.cgroups is None else self._machine.cgroups.covers()


def _make(cgroups: Cgroups, name: str, limits: ProcessLimits) -> Cgroup:
    """Make a group, again if another arena has removed the empty folder of groups meanwhile."""
    for _ in range(_MAKE_RETRIES):
        with contextlib.suppress(FileNotFoundError):
            return cgroups.make(name, limits)
    return cgroups.make(name, limits)


def _remove(group: Cgroup) -> None:
    """Kill what is in a group, and remove it. Blocks."""
    for _ in range(_REMOVE_ATTEMPTS):
        if group.remove():
            return
        group.kill()
        time.sleep(_REMOVE_RETRY_S)
