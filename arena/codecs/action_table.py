"""Codec of actions by a table: each kind is a member of its game's message `Action`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from google.protobuf.message import Message

from arena.codecs.record import Convert
from arena.codecs.validation import no_kind


class Field(NamedTuple):
    """A field of a kind of action."""

    name: str
    of: Callable[[int], Any]
    """Returns its value in an action."""
    convert: Convert = Convert()


class Kind(NamedTuple):
    """A kind of action as a member of the message."""

    name: str
    write: Callable[[int], Any]
    """Returns what the member holds for an action."""
    read: Callable[[Any], int]
    """Returns the action; raises UnreadableActionError, naming the wrong field."""


def packed(name: str, pack: Callable[..., int], *parts: Field) -> Kind:
    """Return the kind with these fields; `pack` returns the action with their values."""
    writes = [(part.name, part.of, part.convert.write) for part in parts]
    reads = [(part.name, f"{name}.{part.name}", part.convert.read) for part in parts]

    def write(action: int) -> dict[str, Any]:
        return {field: convert(of(action)) for field, of, convert in writes}

    def read(wire: Any) -> int:
        values = []
        for field, full, check in reads:
            values.append(check(full, getattr(wire, field)))
        return pack(*values)

    if len(reads) > 1:
        return Kind(name, write, read)
    [(only, full_name, check_only)] = reads
    return Kind(name, write, lambda wire: pack(check_only(full_name, getattr(wire, only))))


class ActionTable:
    """The actions of one game as messages, and back."""

    def __init__(
        self,
        title: str,
        message: type[Message],
        kind_shift: int,
        kinds: Sequence[Kind],
        unnumbered: str = "",
        is_unnumbered: Callable[[int], bool] = lambda _action: False,
    ) -> None:
        """`kinds`: those that have fields; the members are in the order of the engine's kinds.

        `kind_shift`: where in an action its kind begins. `unnumbered`: the member that is no kind of the engine.
        """
        self._title = title
        self._message = message
        self._kind_shift = kind_shift
        self._members = [field.name for field in message.DESCRIPTOR.fields]
        self._names = [name for name in self._members if name != unnumbered]
        self._unnumbered = unnumbered
        self._is_unnumbered = is_unnumbered
        self._writes = {kind.name: kind.write for kind in kinds}
        self._reads = {kind.name: kind.read for kind in kinds}
        numbers = range(len(self._names))
        self._bare = {self._names[n]: n << kind_shift for n in numbers if self._names[n] not in self._writes}

    def message_of(self, action: int) -> Any:
        """Return the action as the game's message `Action`. Raises ValueError for what is no action."""
        kind = action >> self._kind_shift
        if 0 <= kind < len(self._names):
            name = self._names[kind]
        elif self._is_unnumbered(action):
            name = self._unnumbered
        else:
            raise ValueError(f"{action:#x} is no action of {self._title}")
        member: dict[str, Any] = {name: {} if name in self._bare else self._writes[name](action)}
        return self._message(**member)

    def action_of(self, wire: Any) -> int:
        """Return the action. Raises UnreadableActionError, naming the wrong field."""
        name = wire.WhichOneof("kind")
        if name in self._reads:
            return self._reads[name](getattr(wire, name))
        if name is None:
            raise no_kind(self._members)
        return self._bare[name]
