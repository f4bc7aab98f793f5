"""A local arena: already running, or started as a process."""

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Child, without_arena
from arena.cli.framework.target import RunningArena, Target, running_on
from arena.v1 import game_pb2

START_SECONDS: Final = 30.0
"""How long an arena may take to answer, in seconds."""

_ANSWER_SECONDS = 2.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class LocalArena:
    """An arena that answers."""

    running: RunningArena
    token: str
    """Its organiser token."""

    def connect(self) -> ArenaClient:
        """Connect as organiser."""
        return ArenaClient(self.running.address, self.token)


def already_running(data: Path, pid: int | None = None) -> LocalArena | None:
    """Return the arena that runs on the folder, or None if there is none or its process is not `pid`."""
    try:
        running = running_on(data)
    except CliError:
        return None
    if pid not in (None, running.pid) or not _answers(running.address):
        return None
    token = Target(None, None, data).secret()
    if token is None:
        raise CliError(f"The organiser token of the arena on {data} is missing. Use another --data.")
    return LocalArena(running, token)


def start(data: Path, log: Path) -> Child:
    """Start an arena process on the folder, on any free port."""
    command = [sys.executable, "-m", "arena.cli.app", "serve", "--data", str(data), "--port", "0"]
    return Child("the arena", command, environment=without_arena(os.environ), log=log)


def wait_for(child: Child, data: Path) -> LocalArena:
    """Return the arena that the child process runs, once it answers.

    Raises CliError: it has ended, or does not answer in time.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if child.code() is not None:
            raise CliError(f"The arena did not start:\n{child.tail()}")
        if (arena := already_running(data, child.pid)) is not None:
            return arena
        time.sleep(_POLL_SECONDS)
    raise CliError(f"The arena did not answer within {START_SECONDS:.0f} s:\n{child.tail()}")


def _answers(address: str) -> bool:
    try:
        with ArenaClient(address, None) as arena:
            arena.games.ListGames(game_pb2.ListGamesRequest(), timeout=_ANSWER_SECONDS)
    except grpc.RpcError:
        return False
    return True
