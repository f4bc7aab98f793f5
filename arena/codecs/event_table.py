"""Codec of events by a table: each event is a member of its game's message `Event`, with the same fields."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message

from arena.codecs.validation import WireEnum, member_of, unknown_event
from engine.game import Event


class Convert(NamedTuple):
    """The conversion of a field of events that is not the same on the wire."""

    write: Callable[[Any], Any] = lambda value: value
    read: Callable[[str, Any], Any] = lambda _field, value: value
    """`(name, value)`; raises UnreadableActionError, naming the field."""
    name: str = ""
    """On the wire, where it is another one."""
    optional: bool = False
    """Whether it may be None, which is not set, or 0 in an enum, on the wire."""


TUPLE: Final = Convert(read=lambda _field, values: tuple(values))
"""Of a repeated field."""


def wire_enum(enum: WireEnum[Any]) -> Convert:
    """Return the conversion of a member of such an enum."""
    return Convert(enum.value, enum.member)


def one_of(members: Sequence[Any]) -> Convert:
    """Return the conversion of an enum whose values are 1 for the first of these, and so on."""
    return Convert(
        lambda member: members.index(member) + 1, lambda field, value: member_of(field, value, members)
    )


Fields = Mapping[str | tuple[type[Event], str], Convert]
"""By the name of a field, or by event and name where it is another one there; all others are the same on the wire."""

Whole = tuple[Callable[[Any], Message], Callable[[Any], Event]]
"""The conversion of an event of another shape."""


class EventTable:
    """The events of one game as messages, back again, and in words."""

    def __init__(
        self,
        title: str,
        message: type[Message],
        sentences: Mapping[type[Event], Callable[[Any], str]],
        converts: Fields,
        whole: Mapping[type[Event], Whole] | None = None,
        names: Mapping[type[Event], str] | None = None,
    ) -> None:
        """`message`: the game's `Event`. `sentences`: of every event there is, what is said of it.

        `names`: the members of events whose member is not the name of the class in snake case.
        """
        self._title = title
        self._message = message
        self._sentences = dict(sentences)
        self._whole = dict(whole or {})
        in_snake_case = {kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower() for kind in sentences}
        self._members = in_snake_case | dict(names or {})
        self._kinds = {member: kind for kind, member in self._members.items()}
        self._fields = {
            kind: [
                (each.name, converts.get((kind, each.name)) or converts.get(each.name) or Convert())
                for each in fields(kind)
            ]
            for kind in sentences
        }

    def message_of(self, event: Event) -> Message:
        """Return the event as the game's message `Event`. Raises TypeError for an event of another game."""
        kind = self._kind(event)
        own: Any
        if kind in self._whole:
            own = self._whole[kind][0](event)
        else:
            own = {
                convert.name or name: convert.write(value)
                for name, convert in self._fields[kind]
                if (value := getattr(event, name)) is not None or not convert.optional
            }
        member: dict[str, Any] = {self._members[kind]: own}
        return self._message(**member)

    def event_of(self, wire: Any) -> Event:
        """Return the event. Raises UnreadableActionError for an unknown one."""
        member = wire.WhichOneof("kind")
        if member is None:
            raise unknown_event()
        kind, message = self._kinds[member], getattr(wire, member)
        if kind in self._whole:
            return self._whole[kind][1](message)
        return kind(**{name: _read(message, name, convert) for name, convert in self._fields[kind]})

    def describe(self, event: Event) -> str:
        """Return one sentence. Raises TypeError for an event of another game."""
        return self._sentences[self._kind(event)](event)

    def _kind(self, event: Event) -> type[Event]:
        if type(event) not in self._sentences:
            raise TypeError(f"{type(event).__name__} is no event of {self._title}")
        return type(event)


def _read(message: Any, name: str, convert: Convert) -> Any:
    wire_name = convert.name or name
    value = getattr(message, wire_name)
    if convert.optional:
        has_presence = message.DESCRIPTOR.fields_by_name[wire_name].has_presence
        if not (message.HasField(wire_name) if has_presence else value):
            return None
    return convert.read(name, value)
