"""Fields of messages: those with the names of a row's fields, and times."""

from __future__ import annotations

from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from arena.core.units import NS_PER_US, US_PER_S


def same(source: object, *names: str) -> dict[str, Any]:
    """Return these fields of the source by name, for a message that has them under the same names."""
    return {name: getattr(source, name) for name in names}


def timestamp(us: int | None) -> Timestamp | None:
    """Return microseconds since 1970 UTC as a message; None stays unset."""
    if us is None:
        return None
    return Timestamp(seconds=us // US_PER_S, nanos=us % US_PER_S * NS_PER_US)
