"""Starts bubblewrap and holds it before the program begins, so that cgroup and limits are there first."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox import processes
from arena.sandbox.errors import SandboxError
from arena.sandbox.layout import Layout
from arena.sandbox.output import Output

_READY_S: Final = 20.0
"""So long bubblewrap may take until it has made its namespaces."""
_CHUNK: Final = 65536
_SAID: Final = 2000


@dataclass(frozen=True, slots=True)
class Launched:
    """A sandbox whose program is about to run. The file descriptors are the holder's to close."""

    launcher: subprocess.Popen[bytes]
    """bubblewrap itself, outside of its sandbox."""
    launcher_fd: int
    """Can be read when it has ended."""
    first: int
    """The first process inside; when it ends, all end."""
    first_fd: int
    output_fd: int
    """The reading end of stdout and stderr."""
    status_fd: int
    """Where bubblewrap writes of itself: it would end with an error if nobody held the other end."""


@dataclass(frozen=True, slots=True)
class Order:
    """What has to be started."""

    bwrap: Path
    layout: Layout
    command: Sequence[str]
    calls: bytes | None
    """The filter of system calls."""
    environment: Mapping[str, str]
    """Of bubblewrap itself: the program could see it."""


def memory_file(content: bytes) -> int:
    """A descriptor to read the content from."""
    descriptor = os.memfd_create("sandbox", os.MFD_CLOEXEC)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


async def launch(order: Order, before: Callable[[int], None]) -> Launched:
    """Starts it. `before`: is called with the first process inside, before the program begins.

    Raises:
        SandboxError: bubblewrap could not make the sandbox.
        OSError: from `before`.
    """
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        status_fd, status = _pipe(ours, theirs)
        output_fd, output = _pipe(ours, theirs)
        hold, hold_fd = os.pipe()
        theirs.callback(os.close, hold)
        held = ours.enter_context(contextlib.ExitStack())
        held.callback(os.close, hold_fd)
        given = [_given(theirs, content) for content in order.layout.contents]
        options = order.layout.with_descriptors(given)
        passed = [status, hold, *given]
        if order.calls is not None:
            calls = _given(theirs, order.calls)
            options += ["--seccomp", str(calls)]
            passed.append(calls)
        options += ["--json-status-fd", str(status), "--block-fd", str(hold)]
        arguments = _given(theirs, b"".join(word.encode() + b"\0" for word in options))
        # Forked by the thread that runs the event loop: what dies with its parent dies with that thread.
        launcher = subprocess.Popen(  # noqa: ASYNC220
            [order.bwrap, "--args", str(arguments), "--", *order.command],
            env=dict(order.environment), cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            pass_fds=[arguments, *passed], process_group=0,
        )  # fmt: skip
        theirs.close()
        launcher_fd = os.pidfd_open(launcher.pid)
        ours.callback(os.close, launcher_fd)
        ours.callback(launcher.wait)
        ours.callback(launcher.kill)
        first = await _first_process(status_fd, output_fd)
        first_fd = os.pidfd_open(first)
        ours.callback(os.close, first_fd)
        ours.callback(processes.send, first_fd, 9)
        before(first)
        os.write(hold_fd, b"go")
        held.close()
        ours.pop_all()
    return Launched(launcher, launcher_fd, first, first_fd, output_fd, status_fd)


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


async def _first_process(status_fd: int, output_fd: int) -> int:
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
        raise SandboxError(
            f"bubblewrap made no sandbox within {_READY_S:g} s: the machine is too busy."
        ) from None
    if b"\n" not in told:
        raise SandboxError(f"bubblewrap could not make the sandbox: {_said(output_fd)}.")
    return int(json.loads(told.split(b"\n")[0])["child-pid"])


def _said(output_fd: int) -> str:
    kept = Output(_SAID)
    with contextlib.suppress(BlockingIOError):
        while data := os.read(output_fd, _CHUNK):
            kept.add(data)
    return kept.tail().strip().removeprefix("bwrap: ").rstrip(".") or "it said nothing"


async def readable(descriptor: int) -> None:
    """Waits until a descriptor can be read."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def set_resource_limits(
    pid: int, *, open_files: int, processes_of_uid: int | None, file_bytes: int | None
) -> None:
    """Limits of the kernel's that a process hands down to what it starts: a second line behind the cgroup."""
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: open_files,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NPROC: processes_of_uid,
        resource.RLIMIT_FSIZE: file_bytes,
    }
    for kind, most in limits.items():
        if most is not None:
            resource.prlimit(pid, kind, (most, most))
