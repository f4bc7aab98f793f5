"""A child process with pipes, started from a process that serves gRPC.

uvloop starts children with `fork`, and gRPC has handlers for that: some 8 of 100 children of a busy server crash in
them before they have become their program (`ended with -11`). `subprocess` uses `vfork` where there is one, which calls
no handlers.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Mapping
from typing import IO


class ChildProcess:
    """A child with pipes to its standard input, output and error. Made by `start`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        stdin: asyncio.WriteTransport,
        stdout: tuple[asyncio.StreamReader, asyncio.ReadTransport],
        stderr: tuple[asyncio.StreamReader, asyncio.ReadTransport],
    ) -> None:
        """Wrap a process and its three pipes."""
        self._process = process
        self.stdin = stdin
        self.stdout = stdout[0]
        self.stderr = stderr[0]
        self._pipes = (stdin, stdout[1], stderr[1])

    @classmethod
    async def start(cls, *command: str, environment: Mapping[str, str] | None = None) -> ChildProcess:
        """Start a program in a session of its own. `environment`: by default that of this process.

        Raises OSError: it could not be started.
        """
        process = subprocess.Popen(  # noqa: ASYNC220 - vfork does not block
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C at the arena's terminal is for the arena
        )
        loop = asyncio.get_running_loop()
        stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
        return cls(process, stdin, await _reader(process.stdout), await _reader(process.stderr))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while it runs, and until `wait` was called."""
        return self._process.returncode

    def kill(self) -> None:
        """Send SIGKILL. Do nothing if it has ended."""
        self._process.kill()

    async def wait(self) -> int:
        """Return the exit code, once it has ended. Call this when it has closed its output, or was killed."""
        code = await asyncio.to_thread(self._process.wait)
        for pipe in self._pipes:
            pipe.close()
        await asyncio.sleep(0)  # the loop closes them in its next turn
        return code

    async def communicate(self, data: bytes) -> tuple[bytes, bytes]:
        """Write the data, close its input, and return its output and error output once it has ended."""
        self.stdin.write(data)
        self.stdin.close()
        output, errors = await asyncio.gather(self.stdout.read(), self.stderr.read())
        await self.wait()
        return output, errors


async def _reader(pipe: IO[bytes] | None) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    reader, loop = asyncio.StreamReader(), asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return reader, transport
