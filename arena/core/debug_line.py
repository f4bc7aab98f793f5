"""A private line for the owner of a bot: what it has sent, or what its program has printed."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class LineSource(Enum):
    """Where a line comes from; the numbers of proto/arena/v1/match.proto."""

    MESSAGE = 1
    """The bot has sent it, as a `debug` message."""
    STDOUT = 2
    """Its program has written it to standard output. Only of bots that the arena runs itself."""
    STDERR = 3
    """The same of standard error."""


class DebugLine(NamedTuple):
    """One line."""

    decision: int
    """The decision that it belongs to; 0 for the match as a whole."""
    text: str
    source: LineSource = LineSource.MESSAGE
