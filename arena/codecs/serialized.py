"""Pieces of serialised messages, to be joined: concatenated fields are a message (docs/protocol.md)."""

from __future__ import annotations

from functools import lru_cache

_LENGTH_DELIMITED = 2
_ONE_BYTE = tuple(bytes((value,)) for value in range(0x80))


def embedded(field: int, message: bytes) -> bytes:
    """Field number `field` of a message, holding a serialised message, as bytes."""
    return _head(field, len(message)) + message


def varint(value: int) -> bytes:
    """A number of 0 or more in protobuf's base 128, lowest seven bits first, as short as possible."""
    if value < 0x80:
        return _ONE_BYTE[value]
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


@lru_cache(maxsize=65536)
def _head(field: int, length: int) -> bytes:
    """What stands before an embedded message of that length; few lengths come up, and all of them again and again."""
    return varint(field << 3 | _LENGTH_DELIMITED) + varint(length)
