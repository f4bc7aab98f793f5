"""Starts bubblewrap and holds it before the program begins, so that cgroup and limits are there first."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox import proc_fs
from arena.sandbox.bubblewrap_options import READY, BubblewrapOptions
from arena.sandbox.process_spec import SandboxError

_READY_S: Final = 20.0
"""So long bubblewrap may take until it has made its namespaces."""
_AGAIN_S: Final = 0.001
_CHUNK: Final = 65536
_SAID: Final = 2000


@dataclass(frozen=True, slots=True)
class LaunchedSandbox:
    """A sandbox whose program is about to run. The file descriptors are the holder's to close."""

    launcher: subprocess.Popen[bytes]
    """bubblewrap itself, outside of its sandbox."""
    launcher_fd: int
    """Can be read when it has ended."""
    first: int
    """The first process inside; when it ends, all end."""
    first_fd: int
    output_fd: int
    """The reading end of stdout."""
    errors_fd: int
    """The reading end of stderr."""
    status_fd: int
    """Where bubblewrap writes of itself: it would end with an error if nobody held the other end."""


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """What has to be started."""

    bwrap: Path
    layout: BubblewrapOptions
    command: Sequence[str]
    mark: str
    """Stands among bubblewrap's arguments, where `sweep` finds it."""
    calls: bytes | None
    """The filter of system calls."""
    environment: Mapping[str, str]
    """Of bubblewrap itself: the program could see it."""
    clean: bool = True
    """No other open file is handed on; in an attack's control, those that may be are."""


def memory_file(content: bytes) -> int:
    """A descriptor to read the content from."""
    descriptor = os.memfd_create("sandbox", os.MFD_CLOEXEC)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


async def launch(
    order: LaunchOrder, admit: Callable[[int], None], restrict: Callable[[int], None]
) -> LaunchedSandbox:
    """Starts it, held twice: before bubblewrap does anything, and, inside, before the program begins.

    Each time it waits for a line, and ends if this process has ended instead. `admit`: is called with the process that
    becomes bubblewrap; what comes of it stays where it was put. `restrict`: is called with the first process inside.

    Raises:
        SandboxError: bubblewrap could not make the sandbox.
        OSError: from `admit` or `restrict`.
    """
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        status_fd, status = _pipe(ours, theirs)
        output_fd, output = _pipe(ours, theirs)
        errors_fd, errors = _pipe(ours, theirs)
        hold, hold_fd = os.pipe()
        theirs.callback(os.close, hold)
        held = ours.enter_context(contextlib.ExitStack())
        held.callback(os.close, hold_fd)
        passed = [status, *(_given(theirs, content) for content in order.layout.contents)]
        options = order.layout.with_descriptors(passed[1:])
        if order.calls is not None:
            passed.append(_given(theirs, order.calls))
            options += ["--seccomp", str(passed[-1])]
        options += ["--json-status-fd", str(status)]
        passed.append(_given(theirs, b"".join(word.encode() + b"\0" for word in options)))
        launcher = _spawn(order, passed, hold, (output, errors))
        inside: list[int] = []
        ours.callback(_undo, launcher, inside)
        theirs.close()
        launcher_fd = os.pidfd_open(launcher.pid)
        ours.callback(os.close, launcher_fd)
        admit(launcher.pid)
        with contextlib.suppress(BrokenPipeError):  # what it said is told below
            os.write(hold_fd, b"\n")
        first = await _first_process(status_fd, errors_fd)
        first_fd = await _hold(first, launcher_fd, errors_fd)
        inside.append(first_fd)
        await _stands(output_fd, errors_fd)
        await _bound(first)
        restrict(first)
        with contextlib.suppress(BrokenPipeError):  # it has ended, and will be judged
            os.write(hold_fd, b"\n")
        held.close()
        ours.pop_all()
    return LaunchedSandbox(launcher, launcher_fd, first, first_fd, output_fd, errors_fd, status_fd)


def _spawn(
    order: LaunchOrder, passed: Sequence[int], hold: int, output: tuple[int, int]
) -> subprocess.Popen[bytes]:
    """A shell that becomes bubblewrap. `passed`: the descriptors for bubblewrap, its arguments last.

    `output`: its stdout and stderr.

    It is forked by the thread that runs the event loop: what dies with its parent dies with that thread.
    """
    if not order.clean:
        for descriptor in passed:
            os.set_inheritable(descriptor, True)
    sandbox = [str(order.bwrap), "--unsetenv", order.mark, "--args", str(passed[-1]), "--", *order.command]
    return subprocess.Popen(
        ["/bin/sh", "-c", 'read -r line && exec "$@"', "sh", *sandbox],
        env=dict(order.environment), cwd="/", stdin=hold, stdout=output[0], stderr=output[1],
        pass_fds=passed if order.clean else (), close_fds=order.clean, process_group=0,
    )  # fmt: skip


def _undo(launcher: subprocess.Popen[bytes], inside: Sequence[int]) -> None:
    """Nothing is left of a launch that failed: neither bubblewrap nor what it has started. Blocks while that dies.

    `inside`: descriptors for those of its processes that are known already; they are closed.
    """
    launcher.send_signal(signal.SIGSTOP)  # so that it starts nothing more while its children are looked for
    started = proc_fs.descendants(launcher.pid)
    proc_fs.signal_descendants(launcher.pid, signal.SIGKILL)
    for pidfd in inside:
        proc_fs.send_signal(pidfd, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(launcher.pid, signal.SIGKILL)
    launcher.wait()
    # Orphans by now, they have become children of this process.
    orphans = [(os.P_PGID, launcher.pid), *((os.P_PIDFD, pidfd) for pidfd in inside)]
    for kind, number in (*orphans, *((os.P_PID, pid) for pid in started)):
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitid(kind, number, os.WEXITED)
    for pidfd in inside:
        os.close(pidfd)


async def _hold(first: int, launcher_fd: int, errors_fd: int) -> int:
    """A descriptor for the first process inside.

    Raises:
        SandboxError: it has ended already, since its sandbox cannot be made.
    """
    try:
        return os.pidfd_open(first)
    except ProcessLookupError:
        await readable(launcher_fd)
        raise _unmade(_said(errors_fd)) from None


def _pipe(ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe that this process reads without waiting, and the other end for bubblewrap."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    ours.callback(os.close, reading)
    theirs.callback(os.close, writing)
    return reading, writing


def _given(theirs: contextlib.ExitStack, content: bytes) -> int:
    descriptor = memory_file(content)
    theirs.callback(os.close, descriptor)
    return descriptor


async def _first_process(status_fd: int, errors_fd: int) -> int:
    """The pid of the first process inside, as bubblewrap tells it."""
    told = b""
    try:
        async with asyncio.timeout(_READY_S):
            while b"\n" not in told:
                await readable(status_fd)
                more = os.read(status_fd, _CHUNK)
                if not more:
                    break
                told += more
    except TimeoutError:
        raise _too_late() from None
    if b"\n" not in told:
        raise _unmade(_said(errors_fd))
    return int(json.loads(told.split(b"\n")[0])["child-pid"])


async def _stands(output_fd: int, errors_fd: int) -> None:
    """Waits until the program is about to begin; it has written nothing before, and what others have is passed over."""
    written = b""
    last = f"{READY}\n".encode()
    try:
        async with asyncio.timeout(_READY_S):
            while not written.endswith(last):
                await readable(output_fd)
                more = os.read(output_fd, _CHUNK)
                if not more:
                    raise _unmade(written + _said(errors_fd))
                written += more
    except TimeoutError:
        raise _too_late() from None
    _said(errors_fd)


async def _bound(first: int) -> None:
    """Waits until the first process inside would die with the arena.

    bubblewrap binds it to its launcher only after it has forked the program, and then it sleeps. Were the arena killed
    between the two, the program would live on until the next sweep.
    """
    for _ in range(round(_READY_S / _AGAIN_S)):
        if not proc_fs.is_at_work(first):
            return
        await asyncio.sleep(_AGAIN_S)
    raise _too_late()


def _too_late() -> SandboxError:
    return SandboxError(f"bubblewrap made no sandbox within {_READY_S:g} s: the machine is too busy.")


def _unmade(written: bytes) -> SandboxError:
    said = written[-_SAID:].decode("utf-8", errors="replace").strip().removeprefix("bwrap: ").rstrip(".")
    return SandboxError(f"bubblewrap could not make the sandbox: {said or 'it said nothing'}.")


def _said(errors_fd: int) -> bytes:
    """What is in the pipe."""
    written = b""
    with contextlib.suppress(BlockingIOError):
        while data := os.read(errors_fd, _CHUNK):
            written += data
    return written


async def readable(descriptor: int) -> None:
    """Waits until a descriptor can be read."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def set_resource_limits(pid: int, limits: Mapping[int, int | None]) -> None:
    """Limits of the kernel's that a process hands down to what it starts: a second line behind the cgroup.

    `limits`: by kind; None leaves one alone.

    Raises:
        OSError: the process is gone, or another user's.
    """
    for kind, most in limits.items():
        if most is not None:
            resource.prlimit(pid, kind, (most, most))
