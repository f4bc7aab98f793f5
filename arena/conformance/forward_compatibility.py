"""Frames as an arena of a later protocol might send them: with kinds, fields and enum values that nobody knows yet."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message

from arena.v1 import play_pb2

UNKNOWN_VALUE: Final = 99
"""No enum of arena.v1 has it."""

_NUMBER: Final = bytes.fromhex("c03e07")
"""Field 1000, a varint: 7."""
_TEXT: Final = bytes.fromhex("ca3e05") + b"later"
"""Field 1001, five bytes."""


def as_from_a_newer_arena(frame: play_pb2.PlayResponse) -> None:
    """Every message in the frame has unknown fields, and unknown kinds come before, between and behind."""
    known = list(frame.messages)
    del frame.messages[:]
    for message in known:
        frame.messages.add().MergeFromString(_TEXT)
        frame.messages.add().CopyFrom(message)
    frame.messages.add()
    frame.messages.add().MergeFromString(_NUMBER)
    _add_fields(frame)


def _add_fields(message: Message) -> None:
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for inner in value if field.is_repeated else (value,):
            _add_fields(inner)
    message.MergeFromString(_NUMBER + _TEXT)
