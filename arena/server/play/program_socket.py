"""A socket for each hosted process: the caller is known without a token."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import grpc
import structlog

from arena.core.errors import ResourceExhaustedError
from arena.server.auth.interceptor import refusing
from arena.server.auth.limiters import CallSource, RateLimiter
from arena.server.context import Context
from arena.server.grpc_options import server_options
from arena.server.limits import OPENINGS
from arena.server.play.service import CallPolicy, PlayService
from arena.sessions.handshake import Identity
from arena.sessions.session import Session

CONNECTIONS: Final = 8
"""Connections of one process at the same time: it needs one, and another one to reconnect."""

_REFUSED_WITHIN_S: Final = 0.5
"""How long a socket that is closed for too many calls is kept for the refusal to reach the program."""

_CALLS_TOO_OFTEN: Final = (
    f"its program has made more calls than {OPENINGS.burst} at once and "
    f"{OPENINGS.per_s} a second from then on"
)
"""Why its seats are forfeited: it could not reconnect."""

_log = structlog.get_logger(__name__)


class ProgramSocket:
    """The socket of one hosted process. It serves Play only."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    async def close(self, within_s: float | None = None) -> None:
        """Close the socket. `within_s`: give calls in progress so long to end; None: cancel them at once."""
        await self._server.stop(within_s)


class _CallCounter(grpc.aio.ServerInterceptor):
    """Counts calls of any method; the first one over the allowance closes the socket.

    Each call costs the event loop more than the process that makes it, and no network slows it down.
    """

    def __init__(self, identity: Identity, now: Callable[[], int], overstepped: Callable[[], None]) -> None:
        """`now`: monotonic nanoseconds; `overstepped`: called once."""
        self._program = CallSource(str(identity.program), f"the program of {identity.bot}")
        self._calls = RateLimiter(now)
        self._overstepped = overstepped
        self._closed = False

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Return the method's handler, or one that refuses."""
        try:
            self._calls.check(self._program)
            self._calls.take(self._program, OPENINGS)
        except ResourceExhaustedError as error:
            if not self._closed:
                self._closed = True
                self._overstepped()
            return refusing(error)
        return await continuation(handler_call_details)


async def open_program_socket(
    play: PlayService,
    socket: Path,
    identity: Identity,
    opened: Callable[[Session], None],
    now: Callable[[], int],
) -> ProgramSocket:
    """Serve Play on a socket where every caller is this identity. `now`: monotonic nanoseconds.

    Raises OSError: the socket cannot be made.
    """

    async def authenticate(_context: Context) -> Identity:
        return identity

    sessions: list[Session] = []

    def note(session: Session) -> None:
        sessions[:] = [each for each in sessions if (each.present or each.seats) and each is not session]
        sessions.append(session)
        opened(session)

    policy = CallPolicy(authenticate, most_connections=CONNECTIONS, opened=note)
    closing: set[asyncio.Task[None]] = set()

    def shut() -> None:
        for session in sessions:
            session.forfeit_all(_CALLS_TOO_OFTEN)
        _log.warning("a hosted program calls too often; its socket is closed", bot=identity.bot)
        closing.add(
            asyncio.create_task(program_socket.close(_REFUSED_WITHIN_S))
        )  # keep a reference: the event loop holds none

    server = grpc.aio.server(
        options=server_options(2 * CONNECTIONS), interceptors=(_CallCounter(identity, now, shut),)
    )
    program_socket = ProgramSocket(server)
    server.add_generic_rpc_handlers((play.handler(policy),))
    try:
        server.add_insecure_port(f"unix://{socket}")
    except RuntimeError as error:
        raise OSError(f"the socket {socket} cannot be made") from error
    await server.start()
    try:
        _let_all_connect(socket)
    except OSError:
        await program_socket.close()
        raise
    return program_socket


def _let_all_connect(socket: Path) -> None:
    """Let every user connect: the process has a user of its own, and the folders limit who reaches the socket."""
    socket.chmod(0o666)
