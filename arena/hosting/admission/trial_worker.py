"""The process that tries a submission, with a limit on its memory; the programs stay the arena's to run."""

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from arena.conformance.worker_messages import (
    Kill,
    ProcessEnded,
    ProcessOutput,
    ProcessStarted,
    ProcessWaited,
    ReadOutput,
    Ready,
    ScenarioOutcome,
    Signal,
    Start,
    ToWorker,
    Try,
    from_worker,
    line_of,
)
from arena.hosting.process_specs import SCENARIO_S, trial_run
from arena.sandbox import proc_fs
from arena.sandbox.bubblewrap import set_resource_limits
from arena.sandbox.child_process import ChildProcess
from arena.sandbox.exit_status import ExitStatus
from arena.sandbox.process import SandboxedProcess
from arena.sandbox.process_spec import MIB, SandboxError
from arena.sandbox.processor_time import OneProcess, ProcessorTime
from arena.sandbox.sandbox import Sandbox
from arena.store.json_columns import VersionProgram

MEMORY_MIB: Final = 256
"""What the worker may take: itself 30, and for each scenario the frames that 32 calls have not finished."""

_HARD_MEMORY_MIB: Final = 1_024
"""The kernel's own limit behind it, for what comes between two looks."""

_LOOK_S: Final = 0.05
TRIAL_S: Final = 2 * SCENARIO_S
"""One scenario takes no longer: its program has ended long before."""

_REPORT_WAITS_S: Final = 0.5
"""How often the worker gets the time that a process has waited for a processor."""

_READY_S: Final = 60.0
"""So long it may take until it takes orders."""

_COMPLAINT: Final = 2_000
"""Bytes of what it has written to its standard error that are kept."""


_LEAVE_S: Final = 30.0
"""How long a process that is asked to end may run on, in the one scenario that does so."""
_UNIX: Final = "unix://"


class TrialProcess:
    """The process of one scenario in the sandbox. Nothing runs before `start`."""

    def __init__(self, sandbox: Sandbox, folder: Path, program: VersionProgram) -> None:
        """`folder`: what is run."""
        self._sandbox = sandbox
        self._folder = folder
        self._program = program
        self._running: SandboxedProcess | None = None
        loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[ScenarioOutcome] = loop.create_future()
        """How the scenario came out, or why it was not tried."""
        self.tasks: set[asyncio.Task[None]] = set()
        """Whatever is being done with it."""
        self._waiting: asyncio.Future[ExitStatus] = loop.create_future()
        self._stopping: asyncio.Task[ExitStatus] | None = None

    @property
    def started(self) -> bool:
        """Whether it was started."""
        return self._running is not None

    @property
    def ending(self) -> ExitStatus | None:
        """How it has ended; None if it has not."""
        return self._waiting.result() if self._waiting.done() else None

    async def start(self, settings: Mapping[str, str]) -> None:
        """Start the process with the socket that the settings name. Raises SandboxError."""
        socket = Path(settings["ARENA_ADDRESS"].removeprefix(_UNIX))
        self._running = await self._sandbox.start(*trial_run(self._program, self._folder, socket, settings))
        self._waiting = asyncio.create_task(self._running.wait())

    async def ended(self) -> int:
        """Wait until it has ended. Return the exit code, negative for a signal. May be cancelled."""
        ending = await asyncio.shield(self._waiting)
        return ending.code if ending.code is not None else -(ending.signal or signal.SIGKILL)

    def send(self, number: int) -> None:
        """Ask it to end, whatever the signal, and kill it after a while."""
        if self._running is not None and self._stopping is None:
            self._stopping = asyncio.create_task(self._running.stop(_LEAVE_S))

    async def kill(self) -> None:
        """End it if it was started, and all that it has started."""
        if self._running is None:
            return
        if self._stopping is not None and not self._stopping.done():
            self._stopping.cancel()
            await asyncio.wait({self._stopping})
        await self._running.stop(0)
        await self._waiting

    def waited_s(self) -> float:
        """Return how long since its start it was ready to run and got no processor."""
        return 0.0 if self._running is None else self._running.waited_s()

    def output(self) -> str:
        """Return what is kept of its output."""
        return "" if self._running is None else self._running.captured_output().decode(errors="replace")


class OverrunError(Exception):
    """The worker took more memory than it may; the message says so to the bot's owner."""

    def __init__(self) -> None:
        super().__init__(
            f"The bot sent so much that the process that tries it took more than {MEMORY_MIB} MiB of memory, and was "
            "ended."
        )


class TrialWorker:
    """Tries scenarios, several at once. Made by `a_trial_worker`."""

    def __init__(self, process: ChildProcess) -> None:
        """`process`: just started."""
        self._process = process
        self._trials: dict[int, TrialProcess] = {}
        self._count = 0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._error: OverrunError | SandboxError | None = None
        """Why it tries nothing any more."""
        self._complaint = b""
        self._processor = ProcessorTime(OneProcess(process.pid), time.monotonic_ns())

    async def try_scenario(
        self, folder: Path, scenario: str, process: TrialProcess, *, game: str | None, patience: float
    ) -> ScenarioOutcome:
        """Return how the scenario of this name came out. Nothing of its program runs afterwards.

        `folder`: of `arena.conformance.run.a_folder`; `patience`: seconds that the scenario waits for a message.

        Raises:
            OverrunError: the worker was ended, since the bot filled its memory.
            SandboxError: the program could not be started, or the worker has ended, which is not the bot's fault.
        """
        if self._error is not None:
            raise self._error
        self._count += 1
        number = self._count
        self._trials[number] = process
        try:
            self._send(Try(number, scenario, game, patience, str(folder)))
            async with asyncio.timeout(TRIAL_S):
                return await process.outcome
        except TimeoutError:
            raise SandboxError(
                f"The process that tries bots did not end a trial within {TRIAL_S:g} s."
            ) from None
        finally:
            del self._trials[number]
            for task in process.tasks:
                task.cancel()
            await asyncio.gather(*process.tasks, return_exceptions=True)
            await process.kill()

    def waited_s(self) -> float:
        """Return how long the worker was ready to run and got no processor; 0 where the machine does not tell."""
        return self._processor.waited_s()

    @property
    def has_overrun(self) -> bool:
        """Whether it was ended, since a bot filled its memory."""
        return isinstance(self._error, OverrunError)

    async def ready(self) -> None:
        """Wait until it takes orders. Raises SandboxError if it does not."""
        try:
            async with asyncio.timeout(_READY_S):
                await self._ready
        except TimeoutError:
            raise SandboxError(f"The process that tries bots was not ready within {_READY_S:g} s.") from None

    # The process

    async def listen(self) -> None:
        """Do what the worker asks for, until it has ended."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._keep_complaint(self._process.stderr))
                watching = group.create_task(self._watch_memory())
                async for line in self._process.stdout:
                    self._take(line)
                watching.cancel()
                await self._process.wait()
        finally:
            last = self._complaint.decode(errors="replace").strip().rpartition("\n")[2]
            how = f"The process that tries bots ended with {self._process.returncode}"
            self._end(SandboxError(f"{how}: {last}" if last else f"{how}."))

    async def _keep_complaint(self, errors: asyncio.StreamReader) -> None:
        while data := await errors.read(_COMPLAINT):
            self._complaint = (self._complaint + data)[-_COMPLAINT:]

    async def _watch_memory(self) -> None:
        while True:
            if proc_fs.memory_bytes([self._process.pid]) > MEMORY_MIB * MIB:
                self._end(OverrunError())
                self._process.kill()
                return
            await asyncio.sleep(_LOOK_S)

    def _end(self, error: OverrunError | SandboxError) -> None:
        """Keep the first error only."""
        self._error = self._error or error
        if not self._ready.done():
            self._ready.set_exception(self._error)
        for trial in self._trials.values():
            if not trial.outcome.done():
                trial.outcome.set_exception(self._error)

    # What is said

    def _send(self, message: ToWorker) -> None:
        if self._error is None:
            self._process.stdin.write(line_of(message))

    def _take(self, line: bytes) -> None:
        message = from_worker(line)
        if isinstance(message, Ready):
            self._ready.set_result(None)
            return
        trial = self._trials.get(message.number)
        if trial is None:  # it is over
            return
        match message:
            case ScenarioOutcome():
                if not trial.outcome.done():
                    trial.outcome.set_result(message)
            case Start():
                _begin(trial, self._run(message, trial))
            case Kill():
                _begin(trial, trial.kill())
            case Signal():
                trial.send(message.signal)
            case ReadOutput():
                self._send(ProcessOutput(message.number, trial.output()))

    async def _run(self, order: Start, trial: TrialProcess) -> None:
        """Run the program of a trial from its start to its end."""
        try:
            await trial.start(order.settings)
            self._send(ProcessStarted(order.number))
            _begin(trial, self._report_waits(order.number, trial))
            self._send(ProcessEnded(order.number, await trial.ended()))
        except SandboxError as error:
            if not trial.outcome.done():
                trial.outcome.set_exception(error)

    async def _report_waits(self, number: int, process: TrialProcess) -> None:
        """Tell the worker how long the process waits for a processor, as long as it is tried."""
        reported_s = 0.0
        while True:
            await asyncio.sleep(_REPORT_WAITS_S)
            waited_s = process.waited_s()
            if waited_s - reported_s > _REPORT_WAITS_S / 2:
                reported_s = waited_s
                self._send(ProcessWaited(number, waited_s))


def _begin(trial: TrialProcess, work: Coroutine[None, None, None]) -> None:
    trial.tasks.add(asyncio.create_task(work))


@asynccontextmanager
async def a_trial_worker() -> AsyncGenerator[TrialWorker]:
    """Yield a worker that takes orders, and end it afterwards. Raises SandboxError if there can be none."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    try:
        process = await ChildProcess.start(
            sys.executable, "-m", "arena.conformance.worker", environment=environment
        )
    except OSError as error:
        raise SandboxError(f"The process that tries bots could not be started: {error.strerror}.") from error
    listening = None
    try:
        with suppress(ProcessLookupError):
            most = _HARD_MEMORY_MIB * MIB
            set_resource_limits(process.pid, {resource.RLIMIT_DATA: most, resource.RLIMIT_CORE: 0})
        worker = TrialWorker(process)
        listening = asyncio.create_task(worker.listen())
        await worker.ready()
        yield worker
    finally:
        process.kill()
        if listening is not None:
            await asyncio.wait({listening})
        await process.wait()
