"""The last messages of a conversation, as text for people."""

from collections import deque
from collections.abc import Mapping
from typing import Final

from google.protobuf import text_format
from google.protobuf.message import Message

from arena.v1 import play_pb2

KEPT: Final = 12
"""How many messages are kept."""

SHORT: Final = 60
"""A longer submessage, in characters of its text, is only named."""

_WHOLE_BYTES: Final = 16_384
"""A longer message of the bot is kept as text only."""

_LINE: Final = 500
"""Characters of a line at most."""

_SIDES: Final[Mapping[type, str]] = {play_pb2.ClientMessage: ">", play_pb2.ServerMessage: "<", str: "*"}


class Transcript:
    """The last messages of both sides."""

    def __init__(self) -> None:
        self._last: deque[tuple[str, Message | str]] = deque(maxlen=KEPT)

    def note(self, said: play_pb2.ClientMessage | play_pb2.ServerMessage | str) -> None:
        """Record a message of either side, or another event, for example that a connection was cut."""
        long = isinstance(said, play_pb2.ClientMessage) and said.ByteSize() > _WHOLE_BYTES
        self._last.append((_SIDES[type(said)], _text(said) if long else said))

    def lines(self) -> tuple[str, ...]:
        """Return one line for each, oldest first."""
        return tuple(f"{side} {_text(said)}" for side, said in self._last)


def _text(said: Message | str) -> str:
    if isinstance(said, str):
        return said
    for kind, body in said.ListFields():
        text = f"{kind.name} {_body(body)}"
        return text if len(text) <= _LINE else f"{text[:_LINE]}..."
    return "(a message without a kind)"


def _body(body: Message) -> str:
    """Return the short fields, and the names of the others."""
    short = type(body)()
    short.CopyFrom(body)
    left_out = []
    for field, value in body.ListFields():
        if field.is_repeated and len(value) > 1:
            left_out.append(f"{field.name} ({len(value)})")
        elif isinstance(value, bytes) or (field.message_type is not None and len(str(value)) > SHORT):
            left_out.append(field.name)
        else:
            continue
        short.ClearField(field.name)
    text = text_format.MessageToString(short, as_one_line=True, print_unknown_fields=False)
    shown = f"{{ {text} }}" if text else "{}"
    return f"{shown} and {', '.join(left_out)}" if left_out else shown
