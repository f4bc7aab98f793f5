"""A submitted bot in the sandbox while it is tried."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from arena.sandbox.exit_status import ExitStatus
from arena.sandbox.process import SandboxedProcess
from arena.sandbox.process_spec import MIB, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.sandbox.sandbox import Sandbox
from arena.store.json_columns import VersionProgram

SCENARIO_S: Final = 120.0
"""No program runs longer for one scenario."""

_LEAVE_S: Final = 30.0
"""How long a program that is asked to end may go on, in the one scenario that does so."""
_UNIX: Final = "unix://"


class TrialProcess:
    """One running program."""

    def __init__(self, running: SandboxedProcess) -> None:
        """`running`: just started."""
        self._running = running
        self._waiting = asyncio.create_task(running.wait())
        self._stopping: asyncio.Task[ExitStatus] | None = None

    @property
    def ending(self) -> ExitStatus | None:
        """How it has ended; None while it runs."""
        return self._waiting.result() if self._waiting.done() else None

    async def ended(self) -> int:
        """Waits until it has ended; the exit code, negative for a signal. May be called off."""
        ending = await asyncio.shield(self._waiting)
        return ending.code if ending.code is not None else -(ending.signal or signal.SIGKILL)

    def send(self, number: int) -> None:
        """It is asked to end, whatever the signal, and made to after a while."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._running.stop(_LEAVE_S))

    async def kill(self) -> None:
        """It has ended afterwards, and all that it has started with it."""
        if self._stopping is not None and not self._stopping.done():
            self._stopping.cancel()
            await asyncio.wait({self._stopping})
        await self._running.stop(0)
        await self._waiting

    def waited_s(self) -> float:
        """How long it was ready to run since its start and got no processor."""
        return self._running.waited_s()

    def output(self) -> str:
        """What is kept of what it has written."""
        return self._running.captured_output().decode(errors="replace")


class SandboxedLaunch:
    """Starts one program in the sandbox, to be tried."""

    def __init__(self, sandbox: Sandbox, folder: Path, program: VersionProgram) -> None:
        """`folder`: what is run."""
        self._sandbox = sandbox
        self._folder = folder
        self._program = program
        self.started: TrialProcess | None = None
        """The program, once it is started."""

    def output(self) -> str:
        """What is kept of what the program has written."""
        return "" if self.started is None else self.started.output()

    async def start(self, settings: Mapping[str, str]) -> TrialProcess:
        """It runs, before the socket that the settings name. Raises SandboxError."""
        socket = Path(settings["ARENA_ADDRESS"].removeprefix(_UNIX))
        shown = {**settings, "ARENA_ADDRESS": f"{_UNIX}{SOCKETS_FOLDER}/{socket.name}"}
        program = ProcessSpec(
            command=self._program.command,
            runtime=self._program.runtime,
            folder=self._folder,
            settings=shown,
            sockets=socket.parent,
            strict=self._program.strict,
        )
        limits = ProcessLimits(
            memory_bytes=self._program.memory_mib * MIB, pids=self._program.pids, wall_seconds=SCENARIO_S
        )
        self.started = TrialProcess(await self._sandbox.start(program, limits))
        return self.started
