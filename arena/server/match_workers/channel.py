"""The channel between an arena and one of its workers: whole messages over a pair of sockets.

Messages are pickled: a worker is the same software as its arena, run by the same user on the same machine. No bot can
reach the channel.
"""

import asyncio
import copyreg
import pickle
import socket
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final

_LENGTH_BYTES: Final = 4

LONGEST_BYTES: Final = 256 << 20
"""A longer message is none: the other side has failed."""


def _reduce_mapping(mapping: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    return dict, (dict(mapping),)


copyreg.pickle(MappingProxyType, _reduce_mapping)  # options from the database are such mappings


class Channel:
    """One end of a channel, on an event loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @staticmethod
    async def of(end: socket.socket) -> "Channel":
        """Return the channel over this end of a pair of sockets."""
        return Channel(*await asyncio.open_unix_connection(sock=end))

    def send(self, message: object) -> None:
        """Send a message, without blocking. One to an end that is closed is lost."""
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        self._writer.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)

    async def receive(self) -> object | None:
        """Return the next message; None if the other end is closed, or has sent something else."""
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES), "big")
            if length > LONGEST_BYTES:
                return None
            message: object = pickle.loads(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, OSError, pickle.UnpicklingError):
            return None
        return message

    def close(self) -> None:
        """Close this end."""
        self._writer.close()
