"""Match workers on the arena's own machine: processes, each reached over a pair of sockets."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from arena.hosting.environment import MOST_WORKERS
from arena.sandbox.runtimes import Runtime
from arena.sandbox.sandbox import UIDS, Sandbox
from arena.server.child_process import ChildProcess
from arena.server.match_workers.machine import THIS_MACHINE
from arena.server.match_workers.messages import Configure, FromArena
from arena.store.json_columns import VersionProgram
from arena.submissions.manifest import Grant

_STOP_WITHIN_S: Final = 5.0
_PRIVATE: Final = ("ARENA_", "RAY_")
"""How the names of environment variables begin that no worker needs: they may hold tokens."""


class LocalWorker:
    """A worker process of this machine: `arena.server.match_workers.machine.WorkerLink`."""

    def __init__(self, process: ChildProcess) -> None:
        self._process = process

    @staticmethod
    async def start(settings: Configure) -> "LocalWorker":
        """Start a worker with these settings. It ends when the thread ends that calls this. Raises OSError."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_PRIVATE)}
        process = await ChildProcess.start("arena.server.match_workers.worker", environment=environment)
        process.channel.send(settings)
        return LocalWorker(process)

    def send(self, message: FromArena) -> None:
        """See WorkerLink."""
        self._process.channel.send(message)

    def forward(self, message: bytes) -> None:
        """Send a message that is packed already."""
        self._process.channel.forward(message)

    async def receive(self) -> object | None:
        """See WorkerLink."""
        return await self._process.channel.receive()

    async def receive_packed(self) -> bytes | None:
        """Return its next message as it has packed it; None: it has ended."""
        return await self._process.channel.receive_packed()

    def kill(self) -> None:
        """See WorkerLink."""
        self._process.kill()

    async def end(self) -> None:
        """See WorkerLink."""
        await self._process.end(_STOP_WITHIN_S)


def worker_uids(number: int) -> tuple[int, int]:
    """Return the first uid for the programs of a worker, and the one behind the last.

    The first half of all uids is the arena's own. Uids in use by any process of the machine are left out, so several
    arenas and nodes may run there.
    """
    each = len(UIDS) // 2 // MOST_WORKERS
    first = UIDS.start + len(UIDS) // 2 + (number - 1) * each
    return first, first + each


class ThisMachine:
    """The arena's own machine: `arena.server.match_workers.machine.Machine`."""

    name: Final = THIS_MACHINE

    def __init__(  # noqa: PLR0913 - what workers need
        self,
        sandbox: Sandbox,
        *,
        data: Path,
        sockets: Path,
        workers: int,
        places: int,
        kind: str,
        gives: Grant,
        json_logs: bool,
    ) -> None:
        """Take what workers need. `data`: the folder with versions; `sockets`: that of the sockets of programs.

        `gives`: the cores and the memory of the machine.
        """
        self._sandbox = sandbox
        self._data = data
        self._sockets = sockets
        self._gives = gives
        self._json_logs = json_logs
        self.workers = workers
        self.places = places
        self.kind = kind

    def can_run(self, program: VersionProgram) -> bool:
        """See Machine."""
        return program.cores <= self._gives.cores and program.memory_mib <= self._gives.memory_mib

    async def start_worker(self, number: int, name: str) -> LocalWorker:
        """See Machine."""
        return await LocalWorker.start(
            worker_settings(
                number,
                name,
                data=self._data,
                sockets=self._sockets,
                runtimes=self._sandbox.runtimes.added,
                json_logs=self._json_logs,
            )
        )

    async def clear(self) -> None:
        """See Machine."""
        await asyncio.to_thread(self._sandbox.sweep)


def worker_settings(
    number: int, name: str, *, data: Path, sockets: Path, runtimes: Mapping[str, Runtime], json_logs: bool
) -> Configure:
    """Return the settings of the worker of this number. `runtimes`: the organiser's."""
    return Configure(
        name=name,
        data=data,
        runtimes=runtimes,
        sockets=sockets / f"worker{number}",
        uids=worker_uids(number),
        json_logs=json_logs,
    )
