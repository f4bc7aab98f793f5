"""The Play service of matches on this machine, without accounts, database or ladder.

Bots connect as in any arena: the same Play service, sessions and clocks.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from pathlib import Path
from typing import Final

import grpc

from arena.core.clock.stalls import StallMeter
from arena.core.errors import ErrorReason, UnauthenticatedError
from arena.runner.timers import LoopTimers
from arena.scheduling.heartbeat import beat_while
from arena.server.auth.authentication import bearer
from arena.server.context import Context
from arena.server.grpc_options import server_options
from arena.server.play.service import CallPolicy, PlayService
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry

_STOP_GRACE_S: Final = 0.5


class LocalServer:
    """Accepts programs on a socket. Matches are played with their sessions, one or many."""

    def __init__(self, tokens: Mapping[str, str]) -> None:
        """`tokens`: the program of each token, looked up whenever one connects. The event loop must be running."""
        self._tokens = tokens
        self.timers = LoopTimers(asyncio.get_running_loop())
        self.sessions = SessionRegistry(self.timers, lambda: None)
        self.stalls = StallMeter(time.process_time_ns)
        self._began = asyncio.Event()
        self._playing = 0

    @contextlib.asynccontextmanager
    async def open(self, socket: Path, programs: int) -> AsyncGenerator[None]:
        """Accept programs at the socket inside; `programs`: at once."""
        play = PlayService(self.sessions, self.timers, mass_loss=lambda _: None, stalls=self.stalls)
        server = grpc.aio.server(options=server_options(4 * programs))
        server.add_generic_rpc_handlers((play.handler(CallPolicy(self._authenticate)),))
        server.add_insecure_port(f"unix://{socket}")
        await server.start()
        beats = asyncio.create_task(
            beat_while(lambda: self._playing > 0, self._began, self.stalls, self.timers)
        )
        try:
            yield
        finally:
            beats.cancel()
            await play.shut_down()
            await server.stop(_STOP_GRACE_S)

    def is_there(self, program: str) -> bool:
        """Return whether a program has sent `hello` and is connected."""
        return self.sessions.presence(program).connections > 0

    @contextlib.contextmanager
    def match(self) -> Generator[None]:
        """Watch for stalls while a match is played inside."""
        self._playing += 1
        self._began.set()
        try:
            yield
        finally:
            self._playing -= 1

    async def _authenticate(self, context: Context) -> Identity:
        program = self._tokens.get(bearer(context.invocation_metadata() or ()) or "")
        if program is None:
            raise UnauthenticatedError(
                ErrorReason.TOKEN_INVALID,
                "Only programs that were started here may connect, with their ARENA_TOKEN.",
            )
        return Identity(program, "", program, "")
