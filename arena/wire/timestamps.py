"""Times as messages."""

from __future__ import annotations

from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

US_PER_S: Final = 1_000_000
_NS_PER_US: Final = 1_000


def timestamp(us: int | None) -> Timestamp | None:
    """Return microseconds since 1970 UTC as a message; None stays unset."""
    if us is None:
        return None
    return Timestamp(seconds=us // US_PER_S, nanos=us % US_PER_S * _NS_PER_US)
