"""Codec of records by a table: a dataclass or named tuple as a message that has the same fields, and back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from google.protobuf.message import Message

from arena.codecs.validation import WireEnum, many_of, member_of, number_of

Value = TypeVar("Value")


class Convert(NamedTuple):
    """The conversion of a field that is not the same on the wire."""

    write: Callable[[Any], Any] = lambda value: value
    read: Callable[[str, Any], Any] = lambda _field, value: value
    """`(name, value)`; raises UnreadableActionError, naming the field."""
    name: str = ""
    """On the wire, where it is another one."""
    optional: bool = False
    """Whether it may be `unset`, which is not set, or 0 in an enum, on the wire."""
    unset: Any = None


SAME: Final = Convert()
OPTIONAL: Final = Convert(optional=True)
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


def number(low: int, high: int) -> Convert:
    """Return the conversion of a number in this range."""
    return Convert(
        read=lambda field, value: value if low <= value <= high else number_of(field, value, low, high)
    )


def several(each: Convert) -> Convert:
    """Return the conversion of a repeated field."""
    write, read = each.write, each.read
    return Convert(
        lambda values: [write(value) for value in values],
        lambda field, values: tuple([read(field, value) for value in values]),
    )


def just(count: int) -> Convert:
    """Return the conversion of a repeated field of so many values."""
    return Convert(read=lambda field, values: many_of(field, values, count))


def tuple_of(message: type[Message], **parts: Convert) -> Convert:
    """Return the conversion of a tuple whose values are fields of a message, in this order."""
    every = [(name, convert.write, convert.read) for name, convert in parts.items()]
    return Convert(
        lambda values: message(
            **{name: write(value) for (name, write, _), value in zip(every, values, strict=True)}
        ),
        lambda field, wire: tuple([read(f"{field}.{name}", getattr(wire, name)) for name, _, read in every]),
    )


class Record(Generic[Value]):
    """Values of one dataclass or named tuple as messages of one type, and back."""

    def __init__(self, kind: type[Value], message: type[Message], converts: Mapping[str, Convert]) -> None:
        """Take the conversions by field; all other fields are the same on the wire."""
        own: Any = kind
        names: tuple[str, ...] = getattr(own, "_fields", None) or tuple([each.name for each in fields(own)])
        wire_fields = message.DESCRIPTOR.fields_by_name
        self.kind = kind
        self._message = message
        self._same = tuple([name for name in names if name not in converts])
        self._writes: list[tuple[str, str, Callable[[Any], Any], bool, Any]] = []
        self._reads: list[tuple[str, Callable[[str, Any], Any] | None, bool, bool, Any]] = []
        for name in names:
            convert = converts.get(name)
            if convert is None:
                self._reads.append((name, None, False, False, None))
            else:
                write, read, wire_name, optional, unset = convert
                wire = wire_name or name
                has_presence = wire_fields[wire].has_presence
                self._writes.append((name, wire, write, optional, unset))
                self._reads.append((wire, read, optional, has_presence, unset))

    def message_of(self, value: Value) -> Any:
        """Return the value as a message."""
        return self._message(**self.fields_of(value))

    def fields_of(self, value: Value) -> dict[str, Any]:
        """Return the fields of the message by name."""
        own = {name: getattr(value, name) for name in self._same}
        for name, wire, write, optional, unset in self._writes:
            part = getattr(value, name)
            if not optional or part != unset:
                own[wire] = write(part)
        return own

    def value_of(self, message: Any, prefix: str = "") -> Value:
        """Return the value of a message; `prefix` precedes its fields' names in errors.

        Raises UnreadableActionError, naming the wrong field.
        """
        values = []
        for wire, read, optional, has_presence, unset in self._reads:
            if optional and not (message.HasField(wire) if has_presence else getattr(message, wire)):
                values.append(unset)
            elif read is None:
                values.append(getattr(message, wire))
            else:
                values.append(read(prefix + wire, getattr(message, wire)))
        return self.kind(*values)

    def part(self, cached: int = 0) -> Convert:
        """Return the conversion of such a value in another one. `cached`: of so many values the message is kept."""
        write = lru_cache(maxsize=cached)(self.message_of) if cached else self.message_of
        return Convert(write, lambda field, message: self.value_of(message, field + "."))
