"""Frames by hand: protobuf lets serialised parts be joined, so that what repeats is encoded only once.

A field of a message is its tag, its length and its bytes; a message is its fields one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from sys import byteorder
from typing import Final

from arena.codecs.codec import codec_for
from arena.v1 import play_pb2

FRAME_MESSAGES: Final = 64
FRAME_BYTES: Final = 1 << 20

_LENGTH_DELIMITED: Final = 2
_LEGAL_ACTIONS: Final = play_pb2.Decision.LEGAL_ACTIONS_FIELD_NUMBER
_PACKED: Final = play_pb2.Decision.PACKED_LEGAL_ACTIONS_FIELD_NUMBER
_FRAGMENTS_KEPT: Final = 100_000
_BYTES_PER_ACTION: Final = 4


def varint(value: int) -> bytes:
    """A base-128 varint; value >= 0."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


@cache
def _tag(number: int) -> bytes:
    return varint(number << 3 | _LENGTH_DELIMITED)


def field(number: int, payload: bytes) -> bytes:
    """A length-delimited field."""
    return _tag(number) + varint(len(payload)) + payload


def frame(messages: Sequence[bytes]) -> bytes:
    """A PlayResponse of serialised ServerMessages."""
    number = play_pb2.PlayResponse.MESSAGES_FIELD_NUMBER
    return b"".join([field(number, message) for message in messages])


_fragments: Final[dict[str, dict[int, bytes]]] = {}
"""By game and action: the action as a field of Decision. A cache of pure values."""


def typed_actions(game: str, actions: Sequence[int]) -> bytes:
    """The field Decision.legal_actions."""
    known = _fragments.setdefault(game, {})
    try:
        return b"".join([known[action] for action in actions])
    except KeyError:
        pass
    if len(known) > _FRAGMENTS_KEPT:
        known.clear()
    codec = codec_for(game)
    for action in actions:
        if action not in known:
            known[action] = field(_LEGAL_ACTIONS, codec.encode_action(action))
    return b"".join([known[action] for action in actions])


def packed_actions(actions: Sequence[int]) -> bytes:
    """The field Decision.packed_legal_actions: little-endian uint32s."""
    if byteorder == "little" and isinstance(actions, memoryview):
        return field(_PACKED, actions.tobytes())
    return field(_PACKED, b"".join([action.to_bytes(_BYTES_PER_ACTION, "little") for action in actions]))
