"""Starts bubblewrap, and sets cgroup and limits before the program begins."""

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
"""Time for bubblewrap to make its namespaces."""
_RETRY_S: Final = 0.001
_CHUNK: Final = 65536
_LONGEST_MESSAGE: Final = 2000


@dataclass(frozen=True, slots=True)
class LaunchedSandbox:
    """A sandbox whose program is about to run. The owner closes the file descriptors."""

    launcher: subprocess.Popen[bytes]
    """bubblewrap, outside of the sandbox."""
    launcher_fd: int
    """Readable when the launcher has ended."""
    first: int
    """Pid of the first process inside; when it ends, all end."""
    first_fd: int
    output_fd: int
    """The reading end of stdout."""
    errors_fd: int
    """The reading end of stderr."""
    status_fd: int
    """The reading end of bubblewrap's status, kept open because bubblewrap would fail without a reader."""


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """The parameters of `launch`."""

    bwrap: Path
    lay_out: Callable[[Callable[[bytes], int]], BubblewrapOptions]
    """Given what makes a descriptor of a content."""
    mark: str
    """One of bubblewrap's arguments, by which `Sandbox.sweep` finds it."""
    calls: bytes | None
    """The filter of system calls."""
    clean: bool = True
    """Whether bubblewrap, whose environment and open files the program can reach, gets none of this process."""


async def launch(
    order: LaunchOrder, admit: Callable[[int], None], restrict: Callable[[int], None]
) -> LaunchedSandbox:
    """Start bubblewrap and the program, with a stop before each of the two.

    At each stop the process waits for a line, and ends if this process has ended. `admit` is called at the first stop
    with the process that becomes bubblewrap, `restrict` at the second with the first process inside.

    Raises:
        SandboxError: bubblewrap cannot make the sandbox.
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
        passed = [status]

        def memory_file(content: bytes) -> int:
            passed.append(_memory_file(theirs, content))
            return passed[-1]

        layout = order.lay_out(memory_file)
        options = [*layout.options, "--json-status-fd", str(status)]
        if order.calls is not None:
            options += ["--seccomp", str(memory_file(order.calls))]
        memory_file(b"".join(word.encode() + b"\0" for word in options))
        launcher = _spawn(order, layout.command, passed, hold, (output, errors))
        inside: list[int] = []
        ours.callback(_abort, launcher, inside)
        theirs.close()
        launcher_fd = os.pidfd_open(launcher.pid)
        ours.callback(os.close, launcher_fd)
        admit(launcher.pid)
        with contextlib.suppress(BrokenPipeError):  # reported below
            os.write(hold_fd, b"\n")
        status_line, _, _ = (await _read_until(status_fd, b"\n", errors_fd)).partition(b"\n")
        first = int(json.loads(status_line)["child-pid"])
        try:
            first_fd = os.pidfd_open(first)
        except ProcessLookupError:  # it has ended, for want of a sandbox
            await readable(launcher_fd)
            raise _launch_error(_read_available(errors_fd)) from None
        inside.append(first_fd)
        await _read_until(output_fd, f"{READY}\n".encode(), errors_fd)
        _read_available(errors_fd)  # of the launch, not of the program
        await _wait_until_bound(first)
        restrict(first)
        with contextlib.suppress(BrokenPipeError):  # it has ended: its exit status is read later
            os.write(hold_fd, b"\n")
        held.close()
        ours.pop_all()
    return LaunchedSandbox(launcher, launcher_fd, first, first_fd, output_fd, errors_fd, status_fd)


def _spawn(
    order: LaunchOrder, command: Sequence[str], passed: Sequence[int], hold: int, output: tuple[int, int]
) -> subprocess.Popen[bytes]:
    """Start a shell that becomes bubblewrap.

    Call in the thread of the event loop: a parent-death signal is sent when the forking thread ends.

    `passed`: the descriptors for bubblewrap, its arguments last. `output`: its stdout and stderr.
    """
    if not order.clean:
        for descriptor in passed:
            os.set_inheritable(descriptor, True)
    sandbox = [str(order.bwrap), "--unsetenv", order.mark, "--args", str(passed[-1]), "--"]
    return subprocess.Popen(
        ["/bin/sh", "-c", 'read -r line && exec "$@"', "sh", *sandbox, *command],
        env={} if order.clean else None, cwd="/", stdin=hold, stdout=output[0], stderr=output[1],
        pass_fds=passed if order.clean else (), close_fds=order.clean, process_group=0,
    )  # fmt: skip


def _abort(launcher: subprocess.Popen[bytes], inside: Sequence[int]) -> None:
    """Kill and reap bubblewrap and all that it has started. Blocks until they have ended.

    `inside`: pidfds of those of its processes that are known; they are closed.
    """
    launcher.send_signal(signal.SIGSTOP)  # so that it starts nothing while its children are listed
    started = proc_fs.descendants(launcher.pid)
    proc_fs.signal_descendants(launcher.pid, signal.SIGKILL)
    for pidfd in inside:
        proc_fs.send_signal(pidfd, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(launcher.pid, signal.SIGKILL)
    launcher.wait()
    # Its processes are orphans by now, and so children of this process, a subreaper.
    orphans = [(os.P_PGID, launcher.pid), *((os.P_PIDFD, pidfd) for pidfd in inside)]
    for kind, number in (*orphans, *((os.P_PID, pid) for pid in started)):
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitid(kind, number, os.WEXITED)
    for pidfd in inside:
        os.close(pidfd)


def _pipe(ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[int, int]:
    """Return both ends of a pipe: the non-blocking reading end for this process, the other one for bubblewrap."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    ours.callback(os.close, reading)
    theirs.callback(os.close, writing)
    return reading, writing


def _memory_file(theirs: contextlib.ExitStack, content: bytes) -> int:
    """Return a descriptor from which bubblewrap reads the content."""
    descriptor = os.memfd_create("sandbox", os.MFD_CLOEXEC)
    theirs.callback(os.close, descriptor)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


async def _read_until(descriptor: int, end: bytes, errors_fd: int) -> bytes:
    """Return what bubblewrap or the shell in it writes until this. Raises SandboxError if it ends or is too late."""
    written = b""
    try:
        async with asyncio.timeout(_READY_S):
            while end not in written:
                await readable(descriptor)
                more = os.read(descriptor, _CHUNK)
                if not more:
                    raise _launch_error(written + _read_available(errors_fd))
                written += more
    except TimeoutError:
        raise _too_late() from None
    return written


async def _wait_until_bound(first: int) -> None:
    """Wait until the first process inside would die with the arena.

    bubblewrap sets its parent-death signal after it has forked the program, and sleeps then. If the arena were killed
    between the two, the program would run until the next sweep.
    """
    for _ in range(round(_READY_S / _RETRY_S)):
        if not proc_fs.is_at_work(first):
            return
        await asyncio.sleep(_RETRY_S)
    raise _too_late()


def _too_late() -> SandboxError:
    return SandboxError(f"bubblewrap made no sandbox within {_READY_S:g} s: the machine is too busy.")


def _launch_error(written: bytes) -> SandboxError:
    text = written[-_LONGEST_MESSAGE:].decode("utf-8", errors="replace")
    message = text.strip().removeprefix("bwrap: ").rstrip(".")
    return SandboxError(f"bubblewrap could not make the sandbox: {message or 'it said nothing'}.")


def _read_available(errors_fd: int) -> bytes:
    """Return what is in the pipe."""
    written = b""
    with contextlib.suppress(BlockingIOError):
        while data := os.read(errors_fd, _CHUNK):
            written += data
    return written


async def readable(descriptor: int) -> None:
    """Wait until a descriptor is readable."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def set_resource_limits(pid: int, limits: Mapping[int, int | None]) -> None:
    """Set the resource limits of a process, which its children inherit: a second line behind the cgroup.

    `limits`: by kind; None changes nothing. Raises OSError: the process has ended, or belongs to another user.
    """
    for kind, most in limits.items():
        if most is not None:
            resource.prlimit(pid, kind, (most, most))
