"""A socket of its own for each program that the arena runs: who comes in there is known without a token."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import grpc

from arena.players.hello import Identity
from arena.players.session import Session
from arena.server.context import Context
from arena.server.grpc_options import server_options
from arena.server.play.service import Gate, PlayService

CONNECTIONS: Final = 8
"""Of one program at the same time: it needs one, and another one to come back with."""


class ProgramDoor:
    """The socket of one program. It serves Play and nothing else."""

    def __init__(self, server: grpc.aio.Server) -> None:
        """`server`: listening."""
        self._server = server

    async def close(self) -> None:
        """Nobody is heard there any more."""
        await self._server.stop(None)


async def open_program_door(
    play: PlayService, socket: Path, identity: Identity, opened: Callable[[Session], None]
) -> ProgramDoor:
    """Whoever connects to the socket is this program, whatever it says of itself.

    Raises:
        OSError: the socket cannot be made.
    """

    async def recognise(_context: Context) -> Identity:
        return identity

    gate = Gate(
        admit=lambda _: None,
        recognise=recognise,
        register=_known_already,
        most_connections=CONNECTIONS,
        opened=opened,
    )
    server = grpc.aio.server(options=server_options(2 * CONNECTIONS))
    server.add_generic_rpc_handlers((play.handler_at(gate),))
    try:
        server.add_insecure_port(f"unix://{socket}")
    except RuntimeError as error:
        raise OSError(f"the socket {socket} cannot be made") from error
    await server.start()
    _let_all_connect(socket)
    return ProgramDoor(server)


def _let_all_connect(socket: Path) -> None:
    """The program runs as a user of its own. Who reaches the socket at all is up to the folders that it lies in."""
    socket.chmod(0o666)


async def _known_already(_identity: Identity, _language: str) -> None:
    """A version that is run was stored when it was admitted."""
