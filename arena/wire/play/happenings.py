"""What happens in a match as messages: to bots in Play, to spectators in WatchMatch."""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.codecs.codec import Codec
from arena.codecs.serialized import embedded
from arena.runner.history import Happening, SeatActed, SeatForfeited
from arena.v1 import ending_pb2, happening_pb2

_ACTION: Final = happening_pb2.SeatAction.ACTION_FIELD_NUMBER
_HAPPENING: Final = happening_pb2.Happening


def happening_bytes(happening: Happening, codec: Codec) -> bytes:
    """A serialised `arena.v1.Happening`."""
    if isinstance(happening, SeatActed):
        acted = _who_acted(happening.seat, by_default=happening.by_default)
        action = embedded(_ACTION, codec.encode_action(happening.action))
        return embedded(_HAPPENING.ACTION_FIELD_NUMBER, acted + action)
    if isinstance(happening, SeatForfeited):
        forfeited = happening_pb2.SeatForfeited(
            seat=happening.seat, termination=ending_pb2.Termination.ValueType(happening.termination.value)
        )
        return embedded(_HAPPENING.FORFEITED_FIELD_NUMBER, forfeited.SerializeToString())
    return embedded(_HAPPENING.EVENT_FIELD_NUMBER, codec.encode_event(happening))


@cache
def _who_acted(seat: int, *, by_default: bool) -> bytes:
    """All fields of a SeatAction but the action."""
    return happening_pb2.SeatAction(seat=seat, by_default=by_default).SerializeToString()
