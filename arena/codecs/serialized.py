"""Fragments of serialised messages: concatenated fields are a message (docs/protocol.md)."""

from functools import lru_cache

_LENGTH_DELIMITED = 2
_ONE_BYTE = tuple(bytes((value,)) for value in range(0x80))


def embedded(field: int, message: bytes) -> bytes:
    """Return field number `field`, holding a serialised message, as bytes."""
    return _head(field, len(message)) + message


def varint(value: int) -> bytes:
    """Return a number of 0 or more as the shortest varint of protobuf."""
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
    """Return the tag and length before an embedded message. Cached: few lengths occur, again and again."""
    return varint(field << 3 | _LENGTH_DELIMITED) + varint(length)
