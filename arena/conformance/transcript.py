"""The last messages of a conversation, as text for people."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from operator import attrgetter
from typing import Any, Final, cast

from google.protobuf import text_format
from google.protobuf.descriptor import FieldDescriptor
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
    """Return the short fields, also those that are 0, false or empty, and the names of the others."""
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
    shown = _fields(short, left_out={name.partition(" ")[0] for name in left_out})
    return f"{shown} and {', '.join(left_out)}" if left_out else shown


def _fields(message: Message, *, left_out: Collection[str] = ()) -> str:
    """Return the message in text form, on one line, with the plain fields that have their default value.

    They are not among the bytes and not in the usual text form, but `matches: 0` and `seat: 0` mean something.
    """
    fields = cast("Sequence[FieldDescriptor]", message.DESCRIPTOR.fields)
    texts = [
        f"{field.name} {_fields(value)}" if field.message_type is not None else _plain(field, value)
        for field in sorted(fields, key=attrgetter("number"))
        for value in _values(message, field)
        if field.name not in left_out
    ]
    return f"{{ {' '.join(texts)} }}" if texts else "{}"


def _values(message: Message, field: FieldDescriptor) -> Sequence[Any]:
    """Return what the field holds: none if it is not set, one, or several."""
    value = getattr(message, field.name)
    if field.is_repeated:
        return cast("Sequence[Any]", value)
    return () if field.has_presence and not message.HasField(field.name) else (value,)


def _plain(field: FieldDescriptor, value: object) -> str:
    out = StringIO()
    text_format.PrintField(field, value, out, as_one_line=True)
    return out.getvalue().strip()
