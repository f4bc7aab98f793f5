"""One program in its sandbox: watched while it runs, judged and cleared away when it has ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal as signals
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_S
from arena.sandbox import proc_fs
from arena.sandbox.bubblewrap import LaunchedSandbox, readable
from arena.sandbox.cgroups.cgroup import Cgroup
from arena.sandbox.exit_status import (
    ExitReason,
    ExitStatus,
    ResourceUsage,
    evidence_of,
    sentence_of,
    too_deep_in_folder,
    too_much_in_folder,
)
from arena.sandbox.output import CapturedOutput, Stream
from arena.sandbox.ownership import give, nameless_bytes, taken_bytes
from arena.sandbox.process_spec import OUTPUT_FACTOR, ProcessLimits, SandboxError
from arena.sandbox.processor_time import ProcessorReading, ProcessorTime
from arena.sandbox.tree_depth import TooDeepError, make_shallow

_CHUNK: Final = 8192
"""So much of its output is read at a time: what is made of one piece must not hold up the event loop."""
_POLL_S: Final = 0.05
"""Where no cgroup counts, memory is added up so often."""
_LOOK_AT_FOLDER_S: Final = 0.25
_AGAIN_S: Final = 0.005
_PATIENCE: Final = 1000
"""So often a cgroup whose last process is dying is tried to be removed."""
_SHELL_SIGNAL: Final = 128
"""bubblewrap ends with this and the signal's number, as a shell does."""
_LAST_SIGNAL: Final = 64
_TIGHTEST_LOOK_S: Final = 0.02
_WALL_FACTOR: Final = 20
"""Whatever it waits for, so many times its time on the wall ends it."""


@dataclass(frozen=True, slots=True)
class ProcessStart:
    """What is known of a program when it starts."""

    limits: ProcessLimits
    """As enforced."""
    group: Cgroup | None
    counts_memory: bool
    """Whether the group limits memory; otherwise it is added up."""
    own_processes: int
    """How many of those in the group are bubblewrap's."""
    own_pid_namespace: bool
    strict: bool
    caps_output: bool
    folder: Path | None
    """What it may write of the disk: a build's."""
    when_gone: Callable[[], None]
    """Called when nothing of it is left."""


class SandboxedProcess:
    """A program that has been started."""

    def __init__(self, launched: LaunchedSandbox, watched: ProcessStart) -> None:
        self._launched = launched
        self._watched = watched
        self._group = watched.group
        self._output = CapturedOutput(watched.limits.output_bytes)
        self._streams = {Stream.STDOUT: launched.output_fd, Stream.STDERR: launched.errors_fd}
        self._forgiven_bytes = 0
        self._heard: Callable[[Stream, bytes], None] = _nobody_hears
        self._loop = asyncio.get_running_loop()
        self._begun_at = time.monotonic_ns()
        self._processor = None if self._group is None else ProcessorTime(self._group, self._begun_at)
        self._ended: asyncio.Future[ExitStatus] = self._loop.create_future()
        self._reason: ExitReason | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._usage = ResourceUsage()
        self._finishing: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._folder_bytes = 0
        self._too_deep = False
        self._lost: SandboxError | None = None
        self._bell = self._group.oom_bell() if self._group is not None else None
        self._listen()

    @property
    def pid(self) -> int:
        """The process id of the launcher."""
        return self._launched.launcher.pid

    def said(self) -> bytes:
        """What it has written to stdout and stderr so far, head and tail, with a mark where it was cut."""
        return self._output.said()

    def tell(self, heard: Callable[[Stream, bytes], None]) -> None:
        """`heard` is called with what it writes from now on, as it comes, in small pieces."""
        self._heard = heard

    def catch_up(self) -> None:
        """What it has written by now is told, as far as it goes into one piece of each stream."""
        if self._finishing is None:
            for stream in self._streams:
                self._read(stream)

    def forgive_output(self) -> None:
        """What it has written so far does not count any more for the limit that ends it."""
        self._forgiven_bytes = self._output.total_bytes

    @property
    def is_ending(self) -> bool:
        """Whether it has ended, or is being ended, though `wait` may take a while until nothing of it is left."""
        watched, launched = self._watched, self._launched
        if self._reason is not None or self._finishing is not None or launched.launcher.poll() is not None:
            return True
        return watched.own_pid_namespace and not proc_fs.descendants(launched.first)

    def usage(self) -> ResourceUsage:
        """What it has had so far."""
        if self._finishing is None:
            self._usage = self._measure()
        return self._usage

    def processor(self, now_ns: int) -> ProcessorReading | None:
        """What it has had of the processors by now, by the monotonic clock; None where the machine does not tell."""
        return (
            None if self._processor is None or self._finishing is not None else self._processor.read(now_ns)
        )

    def waited_s(self) -> float:
        """How long it has been ready to run since its start and got no processor; 0 where the machine does not tell.

        Never more than the time in which it used no processor and others may have taken all of them: a program cannot
        spare itself its own work, nor make up a wait.
        """
        now = time.monotonic_ns()
        reading = self.processor(now)
        if reading is None:
            return 0.0
        return reading.spared_ns(now - self._begun_at) / NS_PER_S

    async def wait(self) -> ExitStatus:
        """How it ended, when nothing of it is left; may be awaited by several, and called off.

        Raises:
            SandboxError: the folder that it might write could not be taken back; it has ended all the same.
        """
        return await asyncio.shield(self._ended)

    async def stop(self, grace_s: float = 1.0) -> ExitStatus:
        """It has ended: all its processes are asked to (SIGTERM), and after the grace made to (SIGKILL)."""
        if self._finishing is None and self._launched.launcher.poll() is None:
            self._reason = self._reason or ExitReason.STOPPED
            try:
                if grace_s > 0:
                    self._ask()
                    await asyncio.wait({self._ended}, timeout=grace_s)
            finally:  # called off, it is made to end at once
                self._kill()
        return await self.wait()

    # Watching

    def _listen(self) -> None:
        limits = self._watched.limits
        for stream, descriptor in self._streams.items():
            self._loop.add_reader(descriptor, self._read, stream)
        self._loop.add_reader(self._launched.launcher_fd, self._finish_soon)
        if self._bell is not None:
            self._loop.add_reader(self._bell, self._out_of_memory)
        if limits.wall_seconds is not None:
            self._later("wall", limits.wall_seconds, self._look_at_wall)
        if limits.cpu_seconds is not None:
            self._look_at_cpu()
        if not self._watched.counts_memory:
            self._look_at_memory()
        if self._watched.folder is not None:
            self._looking = self._loop.create_task(self._look_at_folder(self._watched.folder))

    def _later(self, name: str, delay_s: float, call: Callable[[], None]) -> None:
        self._timers[name] = self._loop.call_later(delay_s, call)

    def _read(self, stream: Stream) -> None:
        try:
            data = os.read(self._streams[stream], _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._loop.remove_reader(self._streams[stream])
            return
        self._take(stream, data)

    def _take(self, stream: Stream, data: bytes) -> None:
        self._output.add(data)
        self._heard(stream, data)
        most = self._watched.limits.output_bytes * OUTPUT_FACTOR
        if self._watched.caps_output and self._output.total_bytes - self._forgiven_bytes > most:
            self._end(ExitReason.OUTPUT)

    def _look_at_wall(self) -> None:
        """Its time is up, unless it has spent some of it waiting for a processor."""
        limit = self._watched.limits.wall_seconds
        if limit is None:
            return
        elapsed = (time.monotonic_ns() - self._begun_at) / NS_PER_S
        left = min(limit + self.waited_s(), limit * _WALL_FACTOR) - elapsed
        if left <= 0:
            self._end(ExitReason.WALL)
        else:
            self._later("wall", max(left, _TIGHTEST_LOOK_S), self._look_at_wall)

    def _look_at_cpu(self) -> None:
        """Looks again when its time could be up at the earliest."""
        limit, used = self._watched.limits.cpu_seconds, self._measure().cpu_s
        if limit is None or used is None:
            return
        if used >= limit:
            self._end(ExitReason.CPU)
            return
        earliest = (limit - used) / min(max(self._watched.limits.cpu_cores, 0.01), os.cpu_count() or 1)
        self._later("cpu", max(earliest, _TIGHTEST_LOOK_S), self._look_at_cpu)

    def _look_at_memory(self) -> None:
        self._usage = self._measure()
        peak = self._usage.memory_peak_bytes
        if peak is not None and peak > self._watched.limits.memory_bytes:
            self._end(ExitReason.MEMORY)
            return
        self._later("memory", _POLL_S, self._look_at_memory)

    async def _look_at_folder(self, folder: Path) -> None:
        while self._finishing is None:
            try:
                self._folder_bytes = await asyncio.to_thread(self._taken_of, folder)
            except TooDeepError:
                self._too_deep = True
            except OSError:  # it changed under the eyes of who looked
                pass
            if self._too_deep or self._folder_bytes > self._watched.limits.folder_bytes:
                self._end(ExitReason.OUTPUT)
                return
            await asyncio.sleep(_LOOK_AT_FOLDER_S)

    def _taken_of(self, folder: Path) -> int:
        return taken_bytes(folder) + nameless_bytes(self._processes(), folder)

    def _out_of_memory(self) -> None:
        """Version 1 ends one process; here a program is one thing, and all of it ends."""
        if self._bell is not None:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._bell)
        if self._group is not None and self._group.oom_kills():
            self._end(ExitReason.MEMORY)
        else:
            self._later("oom", _AGAIN_S, self._out_of_memory)

    def _ask(self) -> None:
        """All of its processes are sent SIGTERM."""
        proc_fs.send_below(self._launched.first, signals.SIGTERM)
        if not self._watched.own_pid_namespace:
            proc_fs.send(self._launched.first_fd, signals.SIGTERM)

    def _processes(self) -> list[int]:
        first = self._launched.first
        below = proc_fs.descendants(first)
        return below if self._watched.own_pid_namespace else [first, *below]

    def _measure(self) -> ResourceUsage:
        group, before = self._group, self._usage
        if self._watched.counts_memory and group is not None:
            cpu_s, memory = group.cpu_s(), group.memory_peak_bytes()
            pids = group.pids_peak()
            mine = None
        else:
            mine = self._processes()
            memory = max(before.memory_peak_bytes or 0, proc_fs.memory_bytes(mine))
            cpu_s = group.cpu_s() if group is not None else None
            pids = group.pids_peak() if group is not None else None
        if cpu_s is None:
            mine = self._processes() if mine is None else mine
            cpu_s = max(before.cpu_s or 0.0, proc_fs.cpu_s(mine))
        if pids is not None:
            pids = max(pids - self._watched.own_processes, 0)
        return ResourceUsage(
            cpu_s=cpu_s,
            memory_peak_bytes=memory,
            pids_peak=pids,
            oom_kills=group.oom_kills() if group is not None else 0,
            pids_refused=group.pids_refused() if group is not None else 0,
        )

    # Ending

    def _end(self, verdict: ExitReason) -> None:
        """The arena ends it."""
        if self._reason is None and self._finishing is None and self._launched.launcher.poll() is None:
            self._reason = verdict
            self._kill()

    def _kill(self) -> None:
        if self._finishing is None:
            if not self._watched.counts_memory:
                self._usage = self._measure()
            proc_fs.send(self._launched.first_fd, signals.SIGKILL)
            if self._group is not None:
                self._group.kill()

    def _finish_soon(self) -> None:
        self._stop_listening()
        if self._finishing is None:
            self._finishing = self._loop.create_task(self._finish())

    def _stop_listening(self) -> None:
        for descriptor in (*self._streams.values(), self._launched.launcher_fd, self._bell):
            if descriptor is not None:
                self._loop.remove_reader(descriptor)
        for timer in self._timers.values():
            timer.cancel()

    async def _finish(self) -> None:
        """Nothing of it is left afterwards, and its ending is known."""
        launched = self._launched
        returned = launched.launcher.wait()
        await self._clear_away()
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
        self._watched.when_gone()
        if self._lost is not None:
            self._ended.set_exception(self._lost)
        elif not self._ended.done():
            self._ended.set_result(self._judge(returned))

    async def _clear_away(self) -> None:
        proc_fs.send(self._launched.first_fd, signals.SIGKILL)
        await readable(self._launched.first_fd)
        if self._group is not None:
            self._group.kill()

    async def _drain(self) -> None:
        """What was written last is still in the pipes, which are small."""
        for stream, descriptor in self._streams.items():
            with contextlib.suppress(BlockingIOError):
                while data := os.read(descriptor, _CHUNK):
                    self._output.add(data)
                    self._heard(stream, data)
                    await asyncio.sleep(0)

    async def _take_back_folder(self) -> None:
        """Its uid is another's before long: nothing on the disk may be left in its name. It is looked at once more."""
        folder = self._watched.folder
        if self._looking is not None:
            await asyncio.wait({self._looking})
        if folder is None:
            return
        if await asyncio.to_thread(make_shallow, folder):
            self._too_deep = True
        if os.geteuid() == 0:
            await asyncio.to_thread(give, folder, 0)
        self._folder_bytes = max(self._folder_bytes, await asyncio.to_thread(taken_bytes, folder))
        if self._too_deep or self._folder_bytes > self._watched.limits.folder_bytes:
            self._reason = self._reason or ExitReason.OUTPUT

    async def _remove_group(self) -> None:
        if self._group is None:
            return
        for _ in range(_PATIENCE):
            if self._group.remove():
                return
            self._group.kill()
            await asyncio.sleep(_AGAIN_S)

    def _judge(self, returned: int) -> ExitStatus:
        code, signal = _code_and_signal(returned)
        verdict, limits, usage = self._verdict(returned), self._watched.limits, self._usage
        evidence = evidence_of(verdict, limits, usage, code, signal)
        sentence = sentence_of(verdict, limits, code, signal)
        if verdict is ExitReason.OUTPUT and self._too_deep:
            evidence, sentence = too_deep_in_folder()
        elif verdict is ExitReason.OUTPUT and self._folder_bytes > limits.folder_bytes:
            evidence, sentence = too_much_in_folder(limits, self._folder_bytes)
        return ExitStatus(verdict, code, signal, evidence, sentence, usage, self._output.tail())

    def _verdict(self, returned: int) -> ExitReason:
        code, signal = _code_and_signal(returned)
        if self._reason is not None and self._reason is not ExitReason.STOPPED:
            return self._reason
        if self._usage.oom_kills:
            return ExitReason.MEMORY
        if self._reason is not None:
            return self._reason
        if returned < 0 and self._watched.own_pid_namespace:
            return ExitReason.LOST  # the launcher itself was ended: what it has launched knows nothing of it
        if self._watched.strict and signal == signals.SIGSYS:
            return ExitReason.FORBIDDEN_CALL
        if self._usage.pids_refused and code != 0:
            return ExitReason.PIDS
        return ExitReason.EXITED if signal is None else ExitReason.SIGNALLED


def _nobody_hears(_stream: Stream, _data: bytes) -> None:
    """What it writes is only kept."""


def _code_and_signal(returned: int) -> tuple[int | None, int | None]:
    """What bubblewrap's exit code says of the program. An exit code of 129 to 192 passes for a signal."""
    if returned < 0:
        return None, -returned
    if _SHELL_SIGNAL < returned <= _SHELL_SIGNAL + _LAST_SIGNAL:
        return None, returned - _SHELL_SIGNAL
    return returned, None
