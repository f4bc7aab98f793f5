"""One connection to the arena: frames in, messages gathered into frames out."""

import asyncio
import math
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Final, Self

import grpc
from grpc import aio

from arena.sdk.settings import Endpoint, is_local
from arena.v1 import play_pb2, play_pb2_grpc

FRAME_MESSAGES: Final = 64
"""Messages in a frame at most (docs/protocol.md, "Frames")."""

FRAME_BYTES: Final = 120 * 1024
"""Bytes of a frame, with some room below what the arena takes (the same)."""

ACCEPT_WITHIN_S: Final = 10.0
"""The arena sends its initial metadata at once; longer than this means that no arena answers there."""

PING_S: Final = 15
"""Seconds between two pings of the arena at most, unless the bot has no match and has accepted more."""

SILENCE_MARGIN_S: Final = 25.0
"""When nothing was read for so much longer, the connection is dead, whatever the library thinks."""

CHANNEL_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 120_000),
    ("grpc.keepalive_timeout_ms", 60_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # A Play call is never repeated by the library: coming back takes the resume token.
    ("grpc.enable_retries", 0),
)
"""Keepalive as docs/protocol.md, "Connecting", asks for."""


class ConnectionLostError(Exception):
    """The connection ended without the arena's goodbye."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        """`details`: what the gRPC library says about it."""
        super().__init__(f"{code.name}: {details}" if details else code.name)
        self.code = code


class Connection:
    """A Play call. Use it as a context manager; `send` belongs to the event loop's thread."""

    def __init__(self, endpoint: Endpoint, *, margin_s: float = SILENCE_MARGIN_S) -> None:
        """Begin to connect; entering the context waits for the arena.

        `margin_s`: a silence that is so much longer than `ping_s` is a loss.
        """
        self._margin_s = math.inf if endpoint.is_debugged else margin_s
        self.ping_s = PING_S
        """The longest time between two pings of the arena as things are, in seconds."""
        self._channel = _channel_to(endpoint)
        metadata = (("authorization", f"Bearer {endpoint.token}"),) if endpoint.token else ()
        self._call = play_pb2_grpc.PlayServiceStub(self._channel).Play(metadata=metadata)
        self._waiting: list[play_pb2.ClientMessage] = []
        self._wake = asyncio.Event()
        self._half_closed = False
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Wait until the arena has taken the call: a refusal would be lost if anything were written before.

        Raises ConnectionLostError: it has not.
        """
        try:
            async with asyncio.timeout(ACCEPT_WITHIN_S):
                await self._call.initial_metadata()
        except TimeoutError:
            await self._close()
            nothing = "nothing answers at this address"
            raise ConnectionLostError(grpc.StatusCode.UNAVAILABLE, nothing) from None
        except aio.AioRpcError as error:
            await self._close()
            raise _lost(error) from None
        self._writer = asyncio.create_task(self._write_frames())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the call and close the channel."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait([self._writer])
        await self._close()

    def send(self, message: play_pb2.ClientMessage) -> None:
        """Send the message with the next frame, after those sent before."""
        self._waiting.append(message)
        self._wake.set()

    def half_close(self) -> None:
        """Half-close the call after the messages sent before."""
        self._half_closed = True
        self._wake.set()

    async def frames(self) -> AsyncIterator[play_pb2.PlayResponse]:
        """Yield the frames from the arena until it ends the call with status OK.

        Raises ConnectionLostError: it ended in another way.
        """
        while True:
            silence_s = self.ping_s + self._margin_s
            try:
                async with asyncio.timeout(silence_s):
                    frame = await self._call.read()
            except TimeoutError:
                silence = f"nothing was heard for {silence_s:g} s"
                raise ConnectionLostError(grpc.StatusCode.UNAVAILABLE, silence) from None
            except aio.AioRpcError as error:
                raise _lost(error) from None
            if not isinstance(frame, play_pb2.PlayResponse):
                return
            yield frame

    async def _write_frames(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._write_waiting()
                if self._half_closed:
                    await self._call.done_writing()
                    return
        except (aio.AioRpcError, asyncio.InvalidStateError):
            return  # The call is over; `frames` reports why.

    async def _write_waiting(self) -> None:
        while self._waiting:
            count, size = 0, 0
            for message in self._waiting[:FRAME_MESSAGES]:
                size += message.ByteSize()
                if count and size > FRAME_BYTES:
                    break
                count += 1
            frame = play_pb2.PlayRequest(messages=self._waiting[:count])
            del self._waiting[:count]
            await self._call.write(frame)

    async def _close(self) -> None:
        self._call.cancel()
        await self._channel.close()


def _channel_to(endpoint: Endpoint) -> aio.Channel:
    # The proxy of the environment would take what is meant for this machine, in the open, to another one.
    options = (*CHANNEL_OPTIONS, ("grpc.enable_http_proxy", 0 if is_local(endpoint.address) else 1))
    if endpoint.tls is None:
        return aio.insecure_channel(endpoint.address, options=options)
    return aio.secure_channel(endpoint.address, endpoint.tls.credentials(), options=options)


def _lost(error: aio.AioRpcError) -> ConnectionLostError:
    return ConnectionLostError(error.code(), error.details() or "")
