"""How the process of a version is started: what it is shown, what it may have, where it finds the arena."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from errno import ENOENT
from functools import partial

from arena.hosting.environment import SOCKET_NAME, WorkFolder
from arena.hosting.host.process import HostedProcess, OpenSocket
from arena.hosting.process_specs import Purpose, process_spec_for
from arena.runner.timers import Timers
from arena.sandbox.sandbox import Sandbox
from arena.sessions.handshake import Identity
from arena.store.json_columns import VersionProgram
from arena.submissions.version_folders import VersionFolders


class Launcher:
    """Makes the processes of a host."""

    def __init__(  # noqa: PLR0913 - what a process needs
        self,
        sandbox: Sandbox,
        versions: VersionFolders,
        work: WorkFolder,
        open_socket: OpenSocket,
        timers: Timers,
        *,
        starts: int,
        stalled: Callable[[int, int], int],
    ) -> None:
        """`versions`: what is run; `work`: where the sockets are.

        `starts`: processes that are started at once; `stalled`: how much of a span of time the arena stood still.
        """
        self._sandbox = sandbox
        self._versions = versions
        self._work = work
        self._open_socket = open_socket
        self._timers = timers
        self._starting = asyncio.Semaphore(starts)
        self._stalled = stalled

    def __call__(self, identity: Identity, program: VersionProgram) -> HostedProcess:
        """Return a process that is ready to run.

        Raises:
            FileNotFoundError: the files of its version are not there.
            OSError: there is no room for what it needs.
        """
        number = identity.program
        folder = self._versions.folder(identity.version)
        if not folder.is_dir():
            raise FileNotFoundError(ENOENT, "the files of its version are not there", str(folder))
        sockets = self._work.add(number)
        socket = sockets / SOCKET_NAME
        spec, limits = process_spec_for(program, folder, Purpose.MATCHES, socket=socket)
        hosted = HostedProcess(
            identity,
            partial(self._sandbox.start, spec, limits),
            partial(self._open_socket, socket, identity),
            self._timers,
            starting=self._starting,
            stalled=self._stalled,
        )
        hosted.when_ended(lambda: self._work.remove(number))
        return hosted
