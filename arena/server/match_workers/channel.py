"""The channel between an arena and one of its workers: whole messages over a pair of sockets.

Messages are pickled: a worker is the same software as its arena. Between processes of one machine they are read as they
are, since the same user runs both and no bot can reach the channel. What a node of the cluster sends is read by
`unpack_checked`, which makes nothing but data.
"""

import asyncio
import copyreg
import io
import pickle
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

_LENGTH_BYTES: Final = 4

LONGEST_BYTES: Final = 256 << 20
"""A longer message is none: the other side has failed."""


def _reduce_mapping(mapping: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    return dict, (dict(mapping),)


copyreg.pickle(MappingProxyType, _reduce_mapping)  # options from the database are such mappings


def pack(message: object) -> bytes:
    """Return a message as bytes."""
    return pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)


class _CheckedUnpickler(pickle.Unpickler):
    """Makes data classes, named tuples and enums of this software, and plain values; calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        found = (
            super().find_class(module, name)
            if module.split(".", maxsplit=1)[0] in {"arena", "engine"}
            else None
        )
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, (Enum, tuple))):
            return found
        if (plain := _PLAIN.get((module, name))) is not None:
            return plain
        raise pickle.UnpicklingError(f"{module}.{name} is not part of any message")


_PLAIN: Final[dict[tuple[str, str], type]] = {
    (each.__module__, each.__qualname__): each for each in (dict, frozenset, set, bytearray, Counter)
}


def unpack_checked(data: bytes) -> object:
    """Return a message that another machine has packed. Raises ValueError: it is none."""
    try:
        message: object = _CheckedUnpickler(io.BytesIO(data)).load()
    # Whatever is wrong with it: a pickle can fail in many ways.
    except Exception as error:
        raise ValueError(f"no message ({type(error).__name__}: {error})") from error
    return message


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
        self.forward(pack(message))

    def forward(self, data: bytes) -> None:
        """Send a message that is packed already."""
        self._writer.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)

    async def receive(self) -> object | None:
        """Return the next message; None if the other end is closed, or has sent something else."""
        data = await self.receive_packed()
        if data is None:
            return None
        try:
            message: object = pickle.loads(data)
        except pickle.UnpicklingError:
            return None
        return message

    async def receive_packed(self) -> bytes | None:
        """Return the next message as it was packed; None if the other end is closed, or has sent something else."""
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES), "big")
            return None if length > LONGEST_BYTES else await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            return None

    def close(self) -> None:
        """Close this end."""
        self._writer.close()
