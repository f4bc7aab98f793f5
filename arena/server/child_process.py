"""Processes that an arena starts for parts of its work: talked to over a channel, and started again when they end."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from arena.server.match_workers.channel import Channel

_FIRST_PAUSE_S: Final = 1.0


class ChildProcess:
    """A Python module that runs as a process, and the arena's end of a channel to it."""

    def __init__(self, process: subprocess.Popen[bytes], channel: Channel) -> None:
        self._process = process
        self.channel: Final = channel

    @staticmethod
    async def start(module: str, *arguments: str, environment: Mapping[str, str]) -> "ChildProcess":
        """Run `python -m module DESCRIPTOR arguments`; the descriptor is its end of the channel.

        It gets no signal that a terminal sends to the arena. Raises OSError: it cannot be started.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: ASYNC220 - vfork does not block
                [sys.executable, "-m", module, str(theirs.fileno()), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=environment,
                start_new_session=True,
            )
        return ChildProcess(process, await Channel.of(ours))

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    async def end(self, within_s: float) -> None:
        """Wait so long until it has ended, then end it; close the channel."""
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, within_s)
        self._process.kill()
        await asyncio.to_thread(self._process.wait)
        self.channel.close()


class RestartPause:
    """The pauses before a process is started again: a second, and twice as long after each time that it ends soon."""

    def __init__(self, longest_s: float = 60.0) -> None:
        """`longest_s`: also how long a process runs at least to begin with a second again."""
        self._longest_s = longest_s
        self._next_s = _FIRST_PAUSE_S
        self._started = 0.0

    def note_start(self) -> None:
        """Note that the process starts now. The event loop must be running."""
        self._started = asyncio.get_running_loop().time()

    def after_end(self) -> float:
        """Return the seconds to wait, now that it has ended."""
        if asyncio.get_running_loop().time() - self._started > self._longest_s:
            self._next_s = _FIRST_PAUSE_S
        pause_s = self._next_s
        self._next_s = min(2 * pause_s, self._longest_s)
        return pause_s
