"""The last messages of a conversation, as text for people."""

from __future__ import annotations

from collections import deque
from typing import Final

from google.protobuf import text_format
from google.protobuf.message import Message

from arena.v1 import play_pb2

KEPT: Final = 12
"""So many messages are remembered."""

LONGEST: Final = 200
"""A message's text is cut here, in characters."""


class Transcript:
    """Remembers what was said last, by both sides."""

    def __init__(self) -> None:
        """Nothing was said."""
        self._last: deque[tuple[str, Message | str]] = deque(maxlen=KEPT)

    def bot_said(self, message: play_pb2.ClientMessage) -> None:
        """The bot has sent a message."""
        self._last.append((">", message))

    def arena_said(self, message: play_pb2.ServerMessage) -> None:
        """The kit has sent a message."""
        self._last.append(("<", message))

    def note(self, what: str) -> None:
        """Something else has happened, for example a connection was cut."""
        self._last.append(("*", what))

    def lines(self) -> tuple[str, ...]:
        """One line for each, oldest first."""
        return tuple(f"{side} {_text(said)}" for side, said in self._last)


def _text(said: Message | str) -> str:
    if isinstance(said, str):
        return said
    text = text_format.MessageToString(said, as_one_line=True, print_unknown_fields=False)
    if not text:
        return "(a message without a kind)"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
