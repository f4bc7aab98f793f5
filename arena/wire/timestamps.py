"""Times as messages."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.units import NS_PER_US, US_PER_S


def timestamp(us: int | None) -> Timestamp | None:
    """Return microseconds since 1970 UTC as a message; None stays unset."""
    if us is None:
        return None
    return Timestamp(seconds=us // US_PER_S, nanos=us % US_PER_S * NS_PER_US)
