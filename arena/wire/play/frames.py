"""Frames joined from serialised parts, so that repeated parts are encoded only once."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from sys import byteorder
from typing import Final

from arena.codecs.codec import codec_for
from arena.codecs.serialized import embedded
from arena.v1 import play_pb2

FRAME_MESSAGES: Final = 64
FRAME_BYTES: Final = 128 * 1024

_LEGAL_ACTIONS: Final = play_pb2.Decision.LEGAL_ACTIONS_FIELD_NUMBER
_PACKED: Final = play_pb2.Decision.PACKED_LEGAL_ACTIONS_FIELD_NUMBER
_FRAGMENTS_KEPT: Final = 100_000
_RUNS_KEPT: Final = 4_096
_RUN_BITS: Final = 14
"""Actions of one kind from one place differ only in these lowest bits, and often come again together."""

_BYTES_PER_ACTION: Final = 4


def frame(messages: Sequence[bytes]) -> bytes:
    """Return a PlayResponse of serialised ServerMessages."""
    number = play_pb2.PlayResponse.MESSAGES_FIELD_NUMBER
    return b"".join([embedded(number, message) for message in messages])


def typed_actions(game: str, actions: Sequence[int]) -> bytes:
    """Return the field Decision.legal_actions. `actions`: ascending, each of 32 bits."""
    packed = actions if isinstance(actions, memoryview) else memoryview(array("I", actions))
    runs: list[bytes] = []
    start, end = 0, len(packed)
    while start < end:
        stop = bisect_left(packed, ((packed[start] >> _RUN_BITS) + 1) << _RUN_BITS, start)
        runs.append(_typed_run(game, packed[start:stop].tobytes()))
        start = stop
    return b"".join(runs)


@lru_cache(maxsize=_RUNS_KEPT)
def _typed_run(game: str, actions: bytes) -> bytes:
    """Return the same for native uint32s that agree in all but their lowest bits."""
    return b"".join([_fragment(game, action) for action in memoryview(actions).cast("I")])


@lru_cache(maxsize=_FRAGMENTS_KEPT)
def _fragment(game: str, action: int) -> bytes:
    return embedded(_LEGAL_ACTIONS, codec_for(game).encode_action(action))


def packed_actions(actions: Sequence[int]) -> bytes:
    """Return the field Decision.packed_legal_actions: little-endian uint32s."""
    if byteorder == "little" and isinstance(actions, memoryview):
        return embedded(_PACKED, actions.tobytes())
    return embedded(_PACKED, b"".join([action.to_bytes(_BYTES_PER_ACTION, "little") for action in actions]))
