"""A running program in its sandbox: enforces its limits, cleans up after it, and reports its exit status."""

import asyncio
import contextlib
import os
import signal as signals
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_S
from arena.sandbox import proc_fs
from arena.sandbox.bubblewrap import LaunchedSandbox, readable
from arena.sandbox.build_folder import TooDeepError, chown_tree, disk_bytes, make_shallow, unlinked_bytes
from arena.sandbox.cgroups.cgroup import Cgroup
from arena.sandbox.exit_status import ExitReason, ExitStatus, ResourceUsage, describe
from arena.sandbox.output import CapturedOutput, Stream
from arena.sandbox.process_spec import OUTPUT_FACTOR, ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.processor_time import ProcessorReading, ProcessorTime
from arena.sandbox.protections import Protection

OWN_PROCESSES: Final = 2
"""bubblewrap itself and its first process inside, which count in the cgroup."""
_CHUNK: Final = 8192
"""Bytes of output read at a time, few enough not to block the event loop."""
_POLL_S: Final = 0.05
"""Interval of memory measurements without a cgroup."""
_FOLDER_CHECK_S: Final = 0.25
_RETRY_S: Final = 0.005
_RETRIES: Final = 1000
"""Attempts to remove a cgroup whose last process is dying."""
_SHELL_SIGNAL: Final = 128
"""bubblewrap's exit code is this plus the number of the signal, like that of a shell."""
_LAST_SIGNAL: Final = 64
_SHORTEST_CHECK_S: Final = 0.02
_WALL_FACTOR: Final = 20
"""A program that waits for processors may run at most this many times its wall time."""


@dataclass(frozen=True, slots=True)
class ProcessStart:
    """What a `SandboxedProcess` knows of its program."""

    program: ProcessSpec
    limits: ProcessLimits
    """As enforced."""
    protections: frozenset[Protection]
    group: Cgroup | None
    counts_memory: bool
    """Whether the group limits memory; otherwise the arena measures it."""
    when_removed: Callable[[], None]
    """Called when nothing of it is left."""

    @property
    def own_pid_namespace(self) -> bool:
        """Whether all its processes are below its first one, and end with it."""
        return Protection.PROCESSES in self.protections

    @property
    def folder(self) -> Path | None:
        """The folder that it may write to: a build's."""
        return self.program.folder if self.program.writable else None


class SandboxedProcess:
    """A started program."""

    def __init__(self, launched: LaunchedSandbox, start: ProcessStart) -> None:
        self._launched = launched
        self._start = start
        self._group = start.group
        self._output = CapturedOutput(start.limits.output_bytes)
        self._streams = {Stream.STDOUT: launched.output_fd, Stream.STDERR: launched.errors_fd}
        self._excused_bytes = 0
        self._output_callback: Callable[[Stream, bytes], None] = lambda _stream, _data: None
        self._loop = asyncio.get_running_loop()
        self._started_ns = time.monotonic_ns()
        self._processor = None if self._group is None else ProcessorTime(self._group, self._started_ns)
        self._ended: asyncio.Future[ExitStatus] = self._loop.create_future()
        self._reason: ExitReason | None = None
        self._usage = ResourceUsage()
        self._finish_task: asyncio.Task[None] | None = None
        self._folder_task: asyncio.Task[None] | None = None
        self._folder_bytes = 0
        self._too_deep = False
        self._lost: SandboxError | None = None
        self._start_watching()

    def captured_output(self) -> bytes:
        """Return its output so far, head and tail, with a mark where it is cut."""
        return self._output.content()

    def on_output(self, callback: Callable[[Stream, bytes], None]) -> None:
        """Call `callback` with each piece of output from now on."""
        self._output_callback = callback

    def read_pending(self) -> None:
        """Read one piece of pending output from each stream."""
        if self._finish_task is None:
            for stream in self._streams:
                self._read(stream)

    def reset_output_limit(self) -> None:
        """Do not count its output so far for the limit that ends it."""
        self._excused_bytes = self._output.total_bytes

    @property
    def is_ending(self) -> bool:
        """Whether it has ended or is ending; `wait` may take longer, until nothing of it is left."""
        launched = self._launched
        if self._reason is not None or self._finish_task is not None or launched.launcher.poll() is not None:
            return True
        return self._start.own_pid_namespace and not proc_fs.descendants(launched.first)

    def processor(self, now_ns: int) -> ProcessorReading | None:
        """Return its processor time at a time of the monotonic clock; None if it is not measured."""
        if self._processor is None or self._finish_task is not None:
            return None
        return self._processor.read(now_ns)

    def waited_s(self) -> float:
        """Return how long it has waited for a processor since its start; 0 if it is not measured."""
        return 0.0 if self._processor is None or self._finish_task is not None else self._processor.waited_s()

    async def wait(self) -> ExitStatus:
        """Wait until nothing of it is left, and return how it ended. May be awaited by several, and cancelled.

        Raises SandboxError: it has ended, but the ownership of its folder could not be restored.
        """
        return await asyncio.shield(self._ended)

    async def stop(self, grace_s: float = 1.0) -> ExitStatus:
        """End all its processes with SIGTERM, and after the grace with SIGKILL; then wait."""
        if self._finish_task is None and self._launched.launcher.poll() is None:
            self._reason = self._reason or ExitReason.STOPPED
            try:
                if grace_s > 0:
                    proc_fs.signal_descendants(self._launched.first, signals.SIGTERM)
                    if not self._start.own_pid_namespace:
                        proc_fs.send_signal(self._launched.first_fd, signals.SIGTERM)
                    await asyncio.wait({self._ended}, timeout=grace_s)
            finally:  # at once if this is cancelled
                self._kill()
        return await self.wait()

    # Watching

    def _start_watching(self) -> None:
        limits, start = self._start.limits, self._start
        for stream, descriptor in self._streams.items():
            self._loop.add_reader(descriptor, self._read, stream)
        self._loop.add_reader(self._launched.launcher_fd, self._schedule_finish)
        watches: list[Coroutine[None, None, None]] = []
        if limits.wall_seconds is not None:
            watches.append(self._watch_wall_time(limits.wall_seconds))
        if limits.cpu_seconds is not None:
            watches.append(self._watch_cpu_time(limits.cpu_seconds))
        if not start.counts_memory:
            watches.append(self._watch_memory())
        if start.group is not None and (event := start.group.oom_event_fd()) is not None:
            watches.append(self._watch_oom_event(start.group, event))
        self._watches = [self._loop.create_task(each) for each in watches]
        if start.folder is not None:
            self._folder_task = self._loop.create_task(self._watch_folder(start.folder))

    def _read(self, stream: Stream) -> None:
        try:
            data = os.read(self._streams[stream], _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._loop.remove_reader(self._streams[stream])
            return
        self._output.add(data)
        self._output_callback(stream, data)
        if Protection.OUTPUT not in self._start.protections:
            return
        if self._output.total_bytes - self._excused_bytes > self._start.limits.output_bytes * OUTPUT_FACTOR:
            self._end(ExitReason.OUTPUT)

    async def _watch_wall_time(self, limit: float) -> None:
        """End it when its time is up, not counting its waits for a processor."""
        left = limit
        while left > 0:
            await asyncio.sleep(max(left, _SHORTEST_CHECK_S))
            elapsed = (time.monotonic_ns() - self._started_ns) / NS_PER_S
            left = min(limit + self.waited_s(), limit * _WALL_FACTOR) - elapsed
        self._end(ExitReason.WALL)

    async def _watch_cpu_time(self, limit: float) -> None:
        """End it when its processor time is up; look again when that could be at the earliest."""
        fastest = min(max(self._start.limits.cpu_cores, 0.01), os.cpu_count() or 1)
        while (used := self._measure().cpu_s) is not None:
            if used >= limit:
                self._end(ExitReason.CPU)
                return
            await asyncio.sleep(max((limit - used) / fastest, _SHORTEST_CHECK_S))

    async def _watch_memory(self) -> None:
        while True:
            self._usage = self._measure()
            if (self._usage.memory_peak_bytes or 0) > self._start.limits.memory_bytes:
                self._end(ExitReason.MEMORY)
                return
            await asyncio.sleep(_POLL_S)

    async def _watch_oom_event(self, group: Cgroup, event: int) -> None:
        """End all processes of the program when memory runs out: cgroups of version 1 end only one."""
        await readable(event)
        while True:
            if group.oom_kills():
                self._end(ExitReason.MEMORY)
                return
            await asyncio.sleep(_RETRY_S)

    async def _watch_folder(self, folder: Path) -> None:
        while self._finish_task is None:
            try:
                self._folder_bytes = await asyncio.to_thread(
                    lambda: disk_bytes(folder) + unlinked_bytes(self._processes(), folder)
                )
            except TooDeepError:
                self._too_deep = True
            except OSError:  # it changed meanwhile
                pass
            if self._too_deep or self._folder_bytes > self._start.limits.folder_bytes:
                self._end(ExitReason.OUTPUT)
                return
            await asyncio.sleep(_FOLDER_CHECK_S)

    def _processes(self) -> list[int]:
        first = self._launched.first
        below = proc_fs.descendants(first)
        return below if self._start.own_pid_namespace else [first, *below]

    def _measure(self) -> ResourceUsage:
        group, before = self._group, self._usage
        usage = ResourceUsage()
        if group is not None:
            pids = group.pids_peak()
            usage = ResourceUsage(
                cpu_s=group.cpu_s(),
                memory_peak_bytes=group.memory_peak_bytes(),
                pids_peak=None if pids is None else max(pids - OWN_PROCESSES, 0),
                oom_kills=group.oom_kills(),
                pids_refused=group.pids_refused(),
            )
        if usage.cpu_s is not None and self._start.counts_memory:
            return usage
        mine = self._processes()
        if not self._start.counts_memory:
            memory = max(before.memory_peak_bytes or 0, proc_fs.memory_bytes(mine))
            usage = replace(usage, memory_peak_bytes=memory)
        if usage.cpu_s is None:
            usage = replace(usage, cpu_s=max(before.cpu_s or 0.0, proc_fs.cpu_s(mine)))
        return usage

    # Ending

    def _end(self, reason: ExitReason) -> None:
        """End it, unless it is ending."""
        if self._reason is None and self._finish_task is None and self._launched.launcher.poll() is None:
            self._reason = reason
            self._kill()

    def _kill(self) -> None:
        if self._finish_task is None:
            if not self._start.counts_memory:
                self._usage = self._measure()
            proc_fs.send_signal(self._launched.first_fd, signals.SIGKILL)
            if self._group is not None:
                self._group.kill()

    def _schedule_finish(self) -> None:
        for descriptor in (*self._streams.values(), self._launched.launcher_fd):
            self._loop.remove_reader(descriptor)
        for watch in self._watches:
            watch.cancel()
        if self._finish_task is None:
            self._finish_task = self._loop.create_task(self._finish())

    async def _finish(self) -> None:
        """Remove all that is left of it, and set its exit status."""
        launched = self._launched
        returned = launched.launcher.wait()
        proc_fs.send_signal(launched.first_fd, signals.SIGKILL)
        await readable(launched.first_fd)
        if self._group is not None:
            self._group.kill()
        await self._drain()
        self._usage = self._measure()
        await self._remove_group()
        proc_fs.reap(launched.first_fd)
        try:
            await self._take_back_folder()
        except (OSError, TooDeepError) as error:
            self._lost = SandboxError(f"The program's folder could not be taken back: {error}.")
        held = (launched.launcher_fd, launched.first_fd, launched.status_fd)
        for descriptor in (*self._streams.values(), *held):
            os.close(descriptor)
        self._start.when_removed()
        if self._lost is not None:
            self._ended.set_exception(self._lost)
        elif not self._ended.done():
            self._ended.set_result(self._exit_status(returned))

    async def _drain(self) -> None:
        """Read what is left in the pipes."""
        for stream, descriptor in self._streams.items():
            with contextlib.suppress(BlockingIOError):
                while data := os.read(descriptor, _CHUNK):
                    self._output.add(data)
                    self._output_callback(stream, data)
                    await asyncio.sleep(0)

    async def _take_back_folder(self) -> None:
        """Restore the ownership of its folder, since its uid will be reused, and measure the folder once more."""
        folder = self._start.folder
        if self._folder_task is not None:
            await asyncio.wait({self._folder_task})
        if folder is None:
            return
        if await asyncio.to_thread(make_shallow, folder):
            self._too_deep = True
        if os.geteuid() == 0:
            await asyncio.to_thread(chown_tree, folder, 0)
        self._folder_bytes = max(self._folder_bytes, await asyncio.to_thread(disk_bytes, folder))
        if self._too_deep or self._folder_bytes > self._start.limits.folder_bytes:
            self._reason = self._reason or ExitReason.OUTPUT
        self._usage = replace(self._usage, folder_bytes=self._folder_bytes, folder_too_deep=self._too_deep)

    async def _remove_group(self) -> None:
        if self._group is None:
            return
        for _ in range(_RETRIES):
            if self._group.remove():
                return
            self._group.kill()
            await asyncio.sleep(_RETRY_S)

    def _exit_status(self, returned: int) -> ExitStatus:
        code, signal = _split_exit_code(returned)
        reason = self._exit_reason(returned, code, signal)
        evidence, sentence = describe(reason, self._start.limits, self._usage, code, signal)
        return ExitStatus(reason, code, signal, evidence, sentence, self._usage, self._output.tail())

    def _exit_reason(self, returned: int, code: int | None, signal: int | None) -> ExitReason:
        if self._usage.oom_kills and self._reason in {None, ExitReason.STOPPED}:
            return ExitReason.MEMORY
        if self._reason is not None:
            return self._reason
        if returned < 0 and self._start.own_pid_namespace:
            return ExitReason.LOST  # the launcher was ended, which the program cannot reach
        if self._start.program.strict and signal == signals.SIGSYS:
            return ExitReason.FORBIDDEN_CALL
        if self._usage.pids_refused and code != 0:
            return ExitReason.PIDS
        return ExitReason.EXITED if signal is None else ExitReason.SIGNALLED


def _split_exit_code(returned: int) -> tuple[int | None, int | None]:
    """Return exit code and signal of the program from those of bubblewrap. Exit codes 129 to 192 count as signals."""
    if returned < 0:
        return None, -returned
    if _SHELL_SIGNAL < returned <= _SHELL_SIGNAL + _LAST_SIGNAL:
        return None, returned - _SHELL_SIGNAL
    return returned, None
