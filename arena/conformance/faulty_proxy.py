"""A proxy before the scripted server that can refuse, reset and cut connections."""

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.conformance.limits import CONNECTIONS

_PIECE: Final = 65_536
_FOR_ALL: Final = 0o666
_HERE: Final = "127.0.0.1"
_RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER of 0 seconds: closing sends RST and throws away what was not delivered."""


class FaultyProxy:
    """The address that the bot connects to; at first it refuses connections."""

    def __init__(self, inside: Path, *, outside: Path | None, too_many: Callable[[], None]) -> None:
        """`inside`: the arena's own Unix socket; `outside`: the path of another one, or None for a TCP port.

        `too_many`: called when a connection more than `CONNECTIONS` comes; it is reset.
        """
        self._inside = inside
        self._outside = outside
        self._too_many_connections = too_many
        self._port = 0
        self._socket = self._bound()
        if outside is None:
            self._port = self._socket.getsockname()[1]
        self._server: asyncio.Server | None = None
        self._rejects = False
        self.rejected = 0
        """How many connections were reset at once."""
        self._writers: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """For ARENA_ADDRESS."""
        return f"{_HERE}:{self._port}" if self._outside is None else f"unix://{self._outside}"

    async def accept(self, *, rejects: bool = False) -> None:
        """Connect new connections to the arena, or reset them at once."""
        self._rejects = rejects
        if self._server is not None:
            return
        if self._outside is None:
            self._server = await asyncio.start_server(self._pass_on, sock=self._socket)
        else:
            self._server = await asyncio.start_unix_server(self._pass_on, sock=self._socket)

    def refuse(self) -> None:
        """Refuse new connections, but keep the address and the existing connections."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        self._socket = self._bound()

    def cut(self) -> None:
        """Reset all connections; what was under way is lost."""
        for writer in list(self._writers):
            _reset(writer)

    async def close(self) -> None:
        """Close everything."""
        self.refuse()
        self._socket.close()
        self.cut()
        if self._passing:
            await asyncio.wait(self._passing)

    def _bound(self) -> socket.socket:
        """Return a bound socket that does not listen: connecting to it is refused."""
        if self._outside is not None:
            self._outside.unlink(missing_ok=True)
            made = socket.socket(socket.AF_UNIX)
            made.bind(str(self._outside))
            self._outside.chmod(_FOR_ALL)  # a bot may be a user of its own
            return made
        # Named as TCP, or asyncio does not know that small frames are not to wait for an acknowledgement: 40 ms each.
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((_HERE, self._port))
        return made

    async def _pass_on(self, from_bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter) -> None:
        if self._rejects:
            _reset(to_bot)
            self.rejected += 1
            return
        if len(self._passing) >= CONNECTIONS:
            _reset(to_bot)
            self._too_many_connections()
            return
        task = asyncio.current_task()
        assert task is not None
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)
        self._writers.add(to_bot)
        try:
            from_arena, to_arena = await asyncio.open_unix_connection(self._inside)
            self._writers.add(to_arena)
            await asyncio.gather(_copy(from_bot, to_arena), _copy(from_arena, to_bot))
            self._writers.discard(to_arena)
        except OSError:  # The arena is gone: the scenario is over.
            _reset(to_bot)
        finally:
            self._writers.discard(to_bot)


def _reset(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy all bytes until either side is gone; then close the target."""
    with suppress(OSError):
        while data := await source.read(_PIECE):
            target.write(data)
            await target.drain()
    target.close()
