"""A stream of frames to what asks the questions: gRPC, or a bare socket with a length before each frame."""

import asyncio
from typing import Final, Protocol

from grpc import aio

from arena.sdk.connection import CHANNEL_OPTIONS

PLAY: Final = "/arena.v1.PlayService/Play"
_LENGTH_BYTES: Final = 4


class Link(Protocol):
    """An open stream."""

    async def read(self) -> bytes | None:
        """Return the next frame; None when the other side has ended."""
        ...

    async def write(self, frame: bytes) -> None:
        """Send the frame."""
        ...


class GrpcLink:
    """A call of Play on a connection of its own, bytes in and bytes out."""

    def __init__(self, address: str, token: str) -> None:
        """`token`: empty for nobody in particular."""
        # Channels with equal options would share one connection.
        channel = aio.insecure_channel(
            address, options=(*CHANNEL_OPTIONS, ("grpc.use_local_subchannel_pool", 1))
        )
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._channel = channel
        play: aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
        self._call = play(metadata=metadata)

    async def open(self) -> None:
        """Wait until the other side has taken the call."""
        await self._call.initial_metadata()

    async def read(self) -> bytes | None:
        """Return the next frame."""
        frame: object = await self._call.read()
        return frame if isinstance(frame, bytes) else None

    async def write(self, frame: bytes) -> None:
        """Wait until gRPC has taken the frame."""
        await self._call.write(frame)


class SocketLink:
    """A Unix socket; each frame comes behind its length, 4 bytes in network order."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self) -> bytes | None:
        """Return the next frame."""
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES))
            return await self._reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return None

    async def write(self, frame: bytes) -> None:
        """Send the frame; the socket may queue it."""
        self._writer.write(len(frame).to_bytes(_LENGTH_BYTES) + frame)
        await self._writer.drain()


async def open_link(address: str, token: str) -> Link:
    """Open a stream to `unix:///path` or `host:port` by gRPC, to `socket:///path` without."""
    if address.startswith("socket://"):
        return SocketLink(*await asyncio.open_unix_connection(address.removeprefix("socket://")))
    link = GrpcLink(address, token)
    await link.open()
    return link
