"""Keeping a session alive over its connections until there is a reason to end the program."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import grpc

from arena.sdk.connection import Connection, ConnectionLostError
from arena.sdk.session import Session
from arena.sdk.settings import Endpoint
from arena.sdk.tls import why_no_connection
from arena.v1 import play_pb2

GOODBYE_WITHIN_S: Final = 10.0
"""How long the bot waits for the goodbye after its half-close, and for the end of the call after that."""

LEAVING_ATTEMPTS: Final = 5
"""After so many attempts to come back, a bot that is to leave gives up its running matches."""

_FINAL_CODES: Final = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
"""Statuses that another attempt would meet again."""

_LOG = logging.getLogger("arena.sdk")


class ExitCode(IntEnum):
    """The exit code of the program; 1 is left to an uncaught exception."""

    DONE = 0
    """The bot has left in good order, or the arena has shut down."""
    USAGE = 2
    """The environment does not say where the arena is."""
    REFUSED = 3
    """The arena refused this bot; starting it again would not help."""


@dataclass(frozen=True, slots=True)
class _Again:
    """The connection is over; another attempt makes sense."""

    why: str
    after_s: float
    """At the earliest after this time."""


def backoff() -> Iterator[float]:
    """Yield seconds to wait before the first, second, ... attempt to come back: 0.1 doubling up to 10."""
    pause = 0.1
    while True:
        yield pause
        pause = min(2 * pause, 10.0)


async def play(session: Session, endpoint: Endpoint, leave: asyncio.Event) -> ExitCode:
    """Play until the arena says goodbye for good or, once `leave` is set, the running matches are over."""
    pauses = backoff()
    failures = 0
    while not (leave.is_set() and (session.idle.is_set() or failures >= LEAVING_ATTEMPTS)):
        visit = _Visit(session, leave)
        end = await visit.run(endpoint)
        if isinstance(end, ExitCode):
            return end
        failures += 1
        if visit.welcomed:
            pauses = backoff()
            failures = 0
        pause = max(next(pauses), end.after_s)
        _LOG.warning("%s Trying again in %.1f s.", end.why, pause)
        await _sleep_unless(leave, pause)
    return ExitCode.DONE


async def _sleep_unless(leave: asyncio.Event, seconds: float) -> None:
    if leave.is_set():
        await asyncio.sleep(seconds)
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await leave.wait()


def _give_up_soon(patience: asyncio.Timeout) -> None:
    patience.reschedule(asyncio.get_running_loop().time() + GOODBYE_WITHIN_S)


class _Visit:
    """One connection of the session."""

    def __init__(self, session: Session, leave: asyncio.Event) -> None:
        self._session = session
        self._leave = leave
        self._half_closed = False
        self._end: ExitCode | _Again | None = None
        self.welcomed = False

    async def run(self, endpoint: Endpoint) -> ExitCode | _Again:
        """Serve the connection to its end."""
        try:
            async with Connection(endpoint) as connection:
                return await self._serve(connection)
        except ConnectionLostError as lost:
            return self._after_loss(lost, endpoint)
        finally:
            self._session.detach()

    async def _serve(self, connection: Connection) -> ExitCode | _Again:
        self._session.attach(connection.send)
        with suppress(TimeoutError):
            async with asyncio.timeout(None) as patience:
                leaving = asyncio.create_task(self._leave_when_asked(connection, patience))
                try:
                    async for frame in connection.frames():
                        self._handle(frame, patience)
                        connection.ping_s = self._session.ping_s
                finally:
                    leaving.cancel()
        if self._end is not None:
            return self._end
        lost = _Again("The arena ended the connection without a goodbye.", 0)
        return ExitCode.DONE if self._half_closed else lost

    def _handle(self, frame: play_pb2.PlayResponse, patience: asyncio.Timeout) -> None:
        """Handle each message in order; after a goodbye ignore them and wait for the end of the call."""
        for message in frame.messages:
            if self._end is not None:
                return
            if message.HasField("goodbye"):
                self._end = self._after_goodbye(message.goodbye)
                _give_up_soon(patience)
            else:
                self.welcomed = self.welcomed or message.HasField("welcome")
                self._session.handle(message)

    async def _leave_when_asked(self, connection: Connection, patience: asyncio.Timeout) -> None:
        await self._leave.wait()
        if not self._session.leaving:
            self._session.leave()
        await self._session.idle.wait()
        self._half_closed = True
        connection.half_close()
        _give_up_soon(patience)

    def _after_goodbye(self, goodbye: play_pb2.Goodbye) -> ExitCode | _Again:
        _LOG.info("The arena says goodbye: %s", goodbye.sentence or play_pb2.Goodbye.Code.Name(goodbye.code))
        match goodbye.code:
            case play_pb2.Goodbye.CODE_DONE:
                return ExitCode.DONE
            case play_pb2.Goodbye.CODE_REPLACED:
                return ExitCode.REFUSED
            case play_pb2.Goodbye.CODE_RESUME_INVALID:
                self._session.forget()
        if goodbye.come_back and not self._leave.is_set():
            return _Again(goodbye.sentence, goodbye.come_back_after_ms / 1000)
        shuts_down = goodbye.code == play_pb2.Goodbye.CODE_SHUTTING_DOWN
        return ExitCode.DONE if shuts_down or self._leave.is_set() else ExitCode.REFUSED

    def _after_loss(self, lost: ConnectionLostError, endpoint: Endpoint) -> ExitCode | _Again:
        if self._end is not None:
            return self._end
        if self._half_closed:
            return ExitCode.DONE
        if lost.code in _FINAL_CODES:
            _LOG.error("The arena at %s refuses this bot: %s.", endpoint.address, lost)
            return ExitCode.REFUSED
        library = str(lost).split(";", maxsplit=1)[0]  # The rest is every address it has tried.
        reason = why_no_connection(str(lost)) or library
        return _Again(f"No connection to the arena at {endpoint.address} ({reason}).", 0)
