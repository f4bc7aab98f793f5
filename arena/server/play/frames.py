"""Frames by hand: protobuf lets serialised parts be joined, so that what repeats is encoded only once."""

from __future__ import annotations

from collections.abc import Sequence
from sys import byteorder
from typing import Final

from arena.codecs.codec import codec_for
from arena.codecs.fragments import embedded
from arena.v1 import play_pb2

FRAME_MESSAGES: Final = 64
FRAME_BYTES: Final = 1 << 20

_LEGAL_ACTIONS: Final = play_pb2.Decision.LEGAL_ACTIONS_FIELD_NUMBER
_PACKED: Final = play_pb2.Decision.PACKED_LEGAL_ACTIONS_FIELD_NUMBER
_FRAGMENTS_KEPT: Final = 100_000
_BYTES_PER_ACTION: Final = 4


def frame(messages: Sequence[bytes]) -> bytes:
    """A PlayResponse of serialised ServerMessages."""
    number = play_pb2.PlayResponse.MESSAGES_FIELD_NUMBER
    return b"".join([embedded(number, message) for message in messages])


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
            known[action] = embedded(_LEGAL_ACTIONS, codec.encode_action(action))
    return b"".join([known[action] for action in actions])


def packed_actions(actions: Sequence[int]) -> bytes:
    """The field Decision.packed_legal_actions: little-endian uint32s."""
    if byteorder == "little" and isinstance(actions, memoryview):
        return embedded(_PACKED, actions.tobytes())
    return embedded(_PACKED, b"".join([action.to_bytes(_BYTES_PER_ACTION, "little") for action in actions]))
