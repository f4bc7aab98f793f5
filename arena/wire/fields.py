"""Fields of messages: those with the names of a row's fields, enums, times, and text of one line."""

from enum import Enum
from typing import Final, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from arena.codecs import shared_messages
from arena.core.errors import invalid_field
from arena.core.units import NS_PER_S, NS_PER_US, US_PER_S

E = TypeVar("E", bound=Enum)

MAX_TITLE: Final = 80
"""Characters of the title of a ladder or tournament."""

_EARLIEST_S: Final = -62_135_596_800
_LATEST_S: Final = 253_402_300_799
"""The largest google.protobuf.Timestamp, in seconds since 1970."""


same: Final = shared_messages.same


def enum_of(kind: type[E], field: str, number: int, must_be: str) -> E:
    """Return the enum of this number. Raises InvalidArgumentError (FIELD_INVALID), which says what `field` must be."""
    try:
        return kind(number)
    except ValueError:
        raise invalid_field(field, f"{field} is {number}, but must be {must_be}.") from None


def timestamp(us: int | None) -> Timestamp | None:
    """Return microseconds since 1970 UTC as a message; None stays unset."""
    if us is None:
        return None
    return Timestamp(seconds=us // US_PER_S, nanos=us % US_PER_S * NS_PER_US)


def time_us(field: str, time: Timestamp) -> int:
    """Return the time in microseconds since 1970 UTC. Raises InvalidArgumentError (FIELD_INVALID)."""
    if not _EARLIEST_S <= time.seconds <= _LATEST_S or not 0 <= time.nanos < NS_PER_S:
        raise invalid_field(field, f"{field} must be a time of the years 1 to 9999.")
    return time.seconds * US_PER_S + time.nanos // NS_PER_US


def one_line(field: str, text: str, most: int, *, least: int = 0) -> str:
    """Return the text. Raises InvalidArgumentError (FIELD_INVALID) if it is not one line of so many characters."""
    if not least <= len(text.strip()) <= len(text) <= most or not text.isprintable():
        size = f"{least} to {most}" if least else f"at most {most}"
        raise invalid_field(field, f"{field} must be one line of {size} characters.")
    return text


def title_of(title: str) -> str:
    """Return the title of a ladder or tournament. Raises InvalidArgumentError (FIELD_INVALID)."""
    if title != title.strip():
        raise invalid_field("title", "title must not begin or end with a space.")
    return one_line("title", title, MAX_TITLE)
