"""Validation of messages that all codecs share."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from engine.game import UnreadableActionError

Each = TypeVar("Each")


def number_of(field: str, number: int, low: int, high: int) -> int:
    """Return the number, if it is in range. Raises UnreadableActionError, naming the field, as all here."""
    if not low <= number <= high:
        raise UnreadableActionError(f"The field {field} is {number}: it goes from {low} to {high}.")
    return number


def member_of(field: str, number: int, members: Sequence[Each], what: str = "") -> Each:
    """Return the member for a value of an enum, 1 for the first one. `what`: for example "a good"."""
    if not 1 <= number <= len(members):
        range_ = f"{what} is 1 to" if what else "it goes from 1 to"
        raise UnreadableActionError(f"The field {field} is {number}: {range_} {len(members)}.")
    return members[number - 1]


class WireEnum(Generic[Each]):
    """Members of the engine, numbered from 0, as an enum of the wire: 1 for the first one, 0 is not set."""

    def __init__(self, members: Sequence[Each], what: str = "") -> None:
        """Take what messages call a value. `what`: for example "a good"."""
        self._members = members
        self._count = len(members)
        self._what = what

    def value(self, member: int) -> Any:
        """Return the number on the wire; that of -1 is not set."""
        return member + 1

    def member(self, field: str, value: int) -> Each:
        """Return the member for a number on the wire."""
        if 1 <= value <= self._count:
            return self._members[value - 1]
        return member_of(field, value, self._members, self._what)


def many_of(field: str, values: Iterable[Each], number: int) -> tuple[Each, ...]:
    """Return so many values."""
    given = tuple(values)
    if len(given) != number:
        raise UnreadableActionError(f"The field {field} has {len(given)} entries: {number} are needed.")
    return given


def no_kind(kinds: Iterable[str]) -> UnreadableActionError:
    """Return the error for an action that is none of these kinds."""
    named = list(kinds)
    one_of = "one of " if len(named) > 1 else ""
    return UnreadableActionError(f"The action has no kind: set {one_of}{', '.join(named)}.")


def unknown_event() -> UnreadableActionError:
    """Return the error for an event that a newer arena has sent."""
    return UnreadableActionError("The event has no kind that is known here.")
