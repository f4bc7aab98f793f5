"""Limits on requests that have not arrived completely.

gRPC keeps a partial message, up to `MESSAGE_BYTES`, once the arena has asked for it; before that, one window of the
stream. So the arena asks for few at a time. Ordinary requests come with their headers and are complete when asked for;
others give way as soon as calls wait.
"""

import asyncio
from typing import Final

import grpc

from arena.core.errors import DeadlineExceededError, ErrorReason, InvalidArgumentError, ResourceExhaustedError
from arena.server.context import Context
from arena.server.errors import RETRY_AFTER
from arena.server.limits import REQUEST_GIVES_WAY_S, REQUEST_WITHIN_S

HANDED_ON_WITHIN_S: Final = 0.02
"""How long gRPC may take to deliver a request that has arrived, in seconds."""


class RequestReceiver:
    """Reads the requests of calls that have one each."""

    def __init__(self, at_once: int, waiting: int) -> None:
        """`at_once`: requests read at the same time; `waiting`: further calls that may wait."""
        self._places = asyncio.Semaphore(at_once)
        self._most_waiting = waiting
        self._waiting = 0
        self._begun: dict[asyncio.Future[None], float] = {}
        """When each request that is being read was asked for, oldest first; the future ends the read."""
        self._giving_way = 0
        """Reads that were ended and whose places the waiting calls do not have yet."""
        self._check: asyncio.TimerHandle | None = None

    async def read(self, context: Context) -> object:
        """Return the request.

        Raises:
            DeadlineExceededError: REQUEST_INCOMPLETE, it has not come in time.
            ResourceExhaustedError: RATE_LIMITED, too many others have not come either.
            InvalidArgumentError: MALFORMED_MESSAGE, the caller has ended without sending one.
        """
        await self._take_place()
        gives_way: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            request = await self._read(context, gives_way)
        finally:
            self._places.release()
            if gives_way.done():
                asyncio.get_running_loop().call_soon(self._gave_way)  # after the call that gets the place
        if request is grpc.aio.EOF:
            raise InvalidArgumentError(ErrorReason.MALFORMED_MESSAGE, "The call has no request.")
        return request

    async def _take_place(self) -> None:
        if not self._places.locked():
            await self._places.acquire()  # at once
            return
        if self._waiting >= self._most_waiting:
            raise _crowded()
        self._waiting += 1
        try:
            self._make_room()
            async with asyncio.timeout(REQUEST_WITHIN_S):
                await self._places.acquire()
        except TimeoutError:
            raise _crowded() from None
        finally:
            self._waiting -= 1

    async def _read(self, context: Context, gives_way: asyncio.Future[None]) -> object:
        self._begun[gives_way] = asyncio.get_running_loop().time()
        read = asyncio.ensure_future(context.read())
        try:
            await asyncio.wait(
                (read, gives_way), timeout=REQUEST_WITHIN_S, return_when=asyncio.FIRST_COMPLETED
            )
            # After the loop had no turn for a while, a request that came meanwhile is handed on behind the timers.
            if not read.done():
                await asyncio.wait((read,), timeout=HANDED_ON_WITHIN_S)
        finally:
            read.cancel()
            self._begun.pop(gives_way, None)
        if read.done() and not read.cancelled():
            return read.result()
        if gives_way.done():
            raise _crowded()
        raise incomplete(REQUEST_WITHIN_S)

    def _gave_way(self) -> None:
        self._giving_way -= 1

    def _make_room(self) -> None:
        """End the oldest overdue reads, one for each waiting call."""
        loop = asyncio.get_running_loop()
        if self._check is not None:
            self._check.cancel()
            self._check = None
        overdue = loop.time() - REQUEST_GIVES_WAY_S
        for gives_way, begun in list(self._begun.items())[: max(0, self._waiting - self._giving_way)]:
            if begun > overdue:
                self._check = loop.call_at(begun + REQUEST_GIVES_WAY_S, self._make_room)
                return
            del self._begun[gives_way]
            gives_way.set_result(None)
            self._giving_way += 1
        if self._waiting and self._begun:
            self._check = loop.call_later(REQUEST_GIVES_WAY_S, self._make_room)


def incomplete(within_s: float) -> DeadlineExceededError:
    """Return the error of a message that has not come in time (REQUEST_INCOMPLETE)."""
    return DeadlineExceededError(
        ErrorReason.REQUEST_INCOMPLETE,
        f"The message was not complete within {within_s:g} s. Send it whole as soon as the call has begun.",
    )


def _crowded() -> ResourceExhaustedError:
    return ResourceExhaustedError(
        ErrorReason.RATE_LIMITED,
        "Too many requests are incomplete at this moment, and this one gave way to others. Try again.",
        **{RETRY_AFTER: "1"},
    )
