"""Codec of events by a table: each event is a member of its game's message `Event`, with the same fields."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.codecs.record import Convert, Record
from arena.codecs.validation import unknown_event
from engine.game import Event

Fields = Mapping[str | tuple[type[Event], str], Convert]
"""By the name of a field, or by event and name where it is another one there; all others are the same on the wire."""


class EventTable:
    """The events of one game as messages, back again, and in words."""

    def __init__(
        self,
        title: str,
        message: type[Message],
        sentences: Mapping[type[Event], Callable[[Any], str]],
        converts: Fields,
        whole: Mapping[type[Event], Convert] | None = None,
        names: Mapping[type[Event], str] | None = None,
    ) -> None:
        """`message`: the game's `Event`. `sentences`: of every event there is, what is said of it.

        `whole`: the conversion of events of another shape. `names`: the members of events whose member is not the
        name of the class in snake case.
        """
        self._title = title
        self._message = message
        self._sentences = dict(sentences)
        in_snake_case = {kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower() for kind in sentences}
        self._members = in_snake_case | dict(names or {})
        self._kinds = {member: kind for kind, member in self._members.items()}
        self._whole = dict(whole or {})
        for kind in sentences:
            if kind not in self._whole:
                self._whole[kind] = self._own(kind, converts)

    def _own(self, kind: type[Event], converts: Fields) -> Convert:
        member: Any = self._message.DESCRIPTOR.fields_by_name[self._members[kind]]
        own = {}
        for each in fields(kind):
            convert = converts.get((kind, each.name)) or converts.get(each.name)
            if convert is not None:
                own[each.name] = convert
        record = Record(kind, GetMessageClass(member.message_type), own)
        return Convert(record.fields_of, lambda _field, message: record.value_of(message))

    def message_of(self, event: Event) -> Message:
        """Return the event as the game's message `Event`. Raises TypeError for an event of another game."""
        kind = self._kind(event)
        member: dict[str, Any] = {self._members[kind]: self._whole[kind].write(event)}
        return self._message(**member)

    def event_of(self, wire: Any) -> Event:
        """Return the event. Raises UnreadableActionError for an unknown one."""
        member = wire.WhichOneof("kind")
        if member is None:
            raise unknown_event()
        event: Event = self._whole[self._kinds[member]].read(member, getattr(wire, member))
        return event

    def describe(self, event: Event) -> str:
        """Return one sentence. Raises TypeError for an event of another game."""
        return self._sentences[self._kind(event)](event)

    def _kind(self, event: Event) -> type[Event]:
        if type(event) not in self._sentences:
            raise TypeError(f"{type(event).__name__} is no event of {self._title}")
        return type(event)
