"""How the program of a version is started: what it is shown, what it may have, where it finds the arena."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from errno import ENOENT
from typing import Final

from arena.hosting.environment import SOCKET_NAME, WorkFolder
from arena.hosting.host.process import HostedProcess, LaunchSpec, OpenDoor, ProcessStarter
from arena.runner.timers import Timers
from arena.sandbox.process_spec import MIB, SOCKETS_FOLDER, ProcessLimits, ProcessSpec
from arena.sessions.handshake import Identity
from arena.store.json_columns import VersionProgram
from arena.submissions.version_folders import VersionFolders

CPU_S: Final = 86_400.0
WALL_S: Final = 7 * 86_400.0
"""What ends a program that is never idle. How long it may think is for the clocks of its matches to say, and it has
one core at most; these only bound what the longest of all matches could cost, and no other comes near them."""


class Launcher:
    """Makes the programs of a host."""

    def __init__(  # noqa: PLR0913 - what a program stands between
        self,
        sandbox: ProcessStarter,
        versions: VersionFolders,
        work: WorkFolder,
        open_door: OpenDoor,
        timers: Timers,
        *,
        starts: int = 1,
        stalled: Callable[[int, int], int] | None = None,
    ) -> None:
        """`versions`: what is run; `work`: where the sockets lie.

        `starts`: programs that are started at once; `stalled`: how much of a span of time the arena stood still.
        """
        self._sandbox = sandbox
        self._versions = versions
        self._work = work
        self._open_door = open_door
        self._timers = timers
        self._starting = asyncio.Semaphore(starts)
        self._stalled = stalled

    def __call__(self, identity: Identity, program: VersionProgram) -> HostedProcess:
        """A program that is ready to live.

        Raises:
            FileNotFoundError: the files of its version are not there.
            OSError: there is no room for what it needs.
        """
        number = identity.program
        folder = self._versions.folder(identity.version)
        if not folder.is_dir():
            raise FileNotFoundError(ENOENT, "the files of its version are not there", str(folder))
        sockets = self._work.add(number)
        spec = LaunchSpec(
            identity,
            ProcessSpec(
                command=program.command,
                runtime=program.runtime,
                folder=folder,
                settings={"ARENA_ADDRESS": f"unix://{SOCKETS_FOLDER}/{SOCKET_NAME}"},
                sockets=sockets,
                strict=program.strict,
            ),
            ProcessLimits(
                memory_bytes=program.memory_mib * MIB,
                pids=program.pids,
                cpu_seconds=CPU_S,
                wall_seconds=WALL_S,
            ),
            sockets / SOCKET_NAME,
        )
        hosted = HostedProcess(
            spec,
            self._sandbox,
            self._open_door,
            self._timers,
            starting=self._starting,
            stalled=self._stalled,
        )
        hosted.when_gone(lambda: self._work.remove(number))
        return hosted
