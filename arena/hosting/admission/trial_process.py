"""The process of a submitted bot in a trial."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from arena.hosting.process_specs import Purpose, process_spec_for
from arena.sandbox.exit_status import ExitStatus
from arena.sandbox.process import SandboxedProcess
from arena.sandbox.sandbox import Sandbox
from arena.store.json_columns import VersionProgram

_LEAVE_S: Final = 30.0
"""How long a process that is asked to end may run on, in the one scenario that does so."""
_UNIX: Final = "unix://"


class TrialProcess:
    """One process in the sandbox, to be tried. Nothing runs before `start`."""

    def __init__(self, sandbox: Sandbox, folder: Path, program: VersionProgram) -> None:
        """`folder`: what is run."""
        self._sandbox = sandbox
        self._folder = folder
        self._program = program
        self._running: SandboxedProcess | None = None
        self._waiting: asyncio.Future[ExitStatus] = asyncio.get_running_loop().create_future()
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
        spec = process_spec_for(self._program, self._folder, Purpose.TRIAL, socket=socket, settings=settings)
        self._running = await self._sandbox.start(*spec)
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
