"""The keys of an event file: those of the requests that create ladders and tournaments, so that new ones come along."""

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from arena.cli.event.positions import Path, Positions

_KEYS: Final = {"seat_counts": "seats", "time_control": "clock"}
"""Keys that are not called as the field of the message."""
_HIDDEN: Final = {"ladder_id", "tournament_id", "request_id", "validate_only", "gate"}
"""Fields that are no keys: the name is that of the table, the others belong to the call or to what no file has."""
_FLAT: Final = "parameters"
"""A message whose fields are keys beside the others, but for those that lead back to the same table."""
_HIDDEN_WORDS: Final = {"challenge", "gate"}
"""Values that no file has: challenges and gates are played at once."""
_MOST: Final = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a file."""

    path: Path
    line: int | None
    sentence: str

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}, "
        return f"{where}{'.'.join(self.path) or 'the file'}: {self.sentence}"


@dataclass(slots=True)
class Problems:
    """All that is wrong with a file, in the order in which it was found."""

    positions: Positions
    found: list[Problem] = field(default_factory=list)

    def add(self, path: Path, sentence: str) -> None:
        """Add a problem of the value at a path. `sentence`: without the path, with a full stop."""
        self.found.append(Problem(path, self.positions.line(path), sentence))

    def take(self, path: Path, check: Callable[[], object], *errors: type[Exception]) -> None:
        """Add the message of one of these errors if the check raises it."""
        try:
            check()
        except errors as error:
            self.add(path, f"{str(error).rstrip('.')}.")


def unknown(word: str, known: Iterable[str], what: str) -> str:
    """Return that a word is not known, with the nearest one that is, or else all of them."""
    known = list(known)
    if not known:
        return f"unknown {what} {word!r}: the file has none."
    near = difflib.get_close_matches(word, known, 1)
    return f"unknown {what} {word!r}. " + (
        f"Did you mean {near[0]}?" if near else f"Possible: {', '.join(known)}."
    )


def keys_of(descriptor: Descriptor) -> dict[str, tuple[FieldDescriptor, ...]]:
    """Return the keys of a table that becomes this message, each with the fields that lead to its value."""
    keys: dict[str, tuple[FieldDescriptor, ...]] = {}
    for each in descriptor.fields:
        if each.name == _FLAT and each.message_type is not None:
            keys |= {
                inner.name: (each, inner)
                for inner in each.message_type.fields
                if inner.name not in _HIDDEN and not _holds(inner, descriptor)
            }
        elif each.name not in _HIDDEN:
            keys[_KEYS.get(each.name, each.name)] = (each,)
    return keys


def _holds(field: FieldDescriptor, descriptor: Descriptor) -> bool:
    """Return whether the values of a field are messages of this kind."""
    return field.message_type is not None and field.message_type.full_name == descriptor.full_name


def words_of(enum: EnumDescriptor) -> dict[str, int]:
    """Return the values of an enum by their words: "round-robin" for FORMAT_ROUND_ROBIN."""
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    words = {
        value.name.removeprefix(prefix).lower().replace("_", "-"): value.number for value in enum.values[1:]
    }
    return {word: number for word, number in words.items() if word not in _HIDDEN_WORDS}


def fill(
    message: Message,
    values: Mapping[str, object],
    path: Path,
    problems: Problems,
    *,
    others: Iterable[str] = (),
) -> None:
    """Set the fields of a message from the keys of a table. What does not fit is left out, and is a problem.

    `others`: keys of the table that are read elsewhere, which a wrong key may have meant.
    """
    descriptor: Any = message.DESCRIPTOR
    keys = keys_of(descriptor)
    for key, value in values.items():
        if key not in keys:
            problems.add((*path, key), unknown(key, [*keys, *others], "key"))
            continue
        *parents, last = keys[key]
        target: Any = message
        for parent in parents:
            target = getattr(target, parent.name)
        _set(target, last, value, (*path, key), problems)


def _set(target: Any, last: FieldDescriptor, value: object, path: Path, problems: Problems) -> None:
    if last.message_type is not None and last.message_type.GetOptions().map_entry:
        _set_map(getattr(target, last.name), value, path, problems)
    elif last.is_repeated:
        if not isinstance(value, list):
            problems.add(path, _no_list(last, value, path))
            return
        for number, each in enumerate(value):
            inner = (*path, str(number))
            if last.message_type is not None:
                _fill_table(getattr(target, last.name).add(), each, inner, problems)
            elif (single := _single(last, each, inner, problems)) is not None:
                getattr(target, last.name).append(single)
    elif last.message_type is not None:
        getattr(target, last.name).SetInParent()
        _fill_table(getattr(target, last.name), value, path, problems)
    elif (single := _single(last, value, path, problems)) is not None:
        setattr(target, last.name, single)


def _no_list(last: FieldDescriptor, value: object, path: Path) -> str:
    """Return that a list is expected, with the form that it has."""
    if last.message_type is None:
        example = json.dumps(value) if isinstance(value, (str, int)) else "..."
        return f"expected a list, not {_shown(value)}: write {path[-1]} = [{example}]."
    if isinstance(value, dict):
        name = ".".join(path)
        return f"expected tables in a list: write [[{name}]] for each, not [{name}]."
    return f"expected a list of tables, not {_shown(value)}."


def _fill_table(message: Message, value: object, path: Path, problems: Problems) -> None:
    if isinstance(value, dict):
        fill(message, value, path, problems)
    else:
        problems.add(path, f"expected a table, not {_shown(value)}.")


def _set_map(target: Any, value: object, path: Path, problems: Problems) -> None:
    """Set names and values as text, as they are on the command line."""
    if not isinstance(value, dict):
        problems.add(path, f"expected a table of names and values, not {_shown(value)}.")
        return
    for name, each in value.items():
        if isinstance(each, bool):
            target[name] = "true" if each else "false"
        elif isinstance(each, (str, int)):
            target[name] = str(each)
        else:
            problems.add((*path, name), f"expected text, a whole number, true or false, not {_shown(each)}.")


def _single(last: FieldDescriptor, value: object, path: Path, problems: Problems) -> object | None:
    """Return the value of a field that is no message; None if it does not fit."""
    if last.enum_type is not None:
        words = words_of(last.enum_type)
        if isinstance(value, str) and value in words:
            return words[value]
        problems.add(path, unknown(str(value), words, "value"))
    elif last.type == FieldDescriptor.TYPE_BOOL:
        if isinstance(value, bool):
            return value
        problems.add(path, f"expected true or false, not {_shown(value)}.")
    elif last.type == FieldDescriptor.TYPE_STRING:
        if isinstance(value, str):
            return value
        problems.add(path, f"expected text in quotes, not {_shown(value)}.")
    elif isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST:
        return value
    else:
        problems.add(path, f"expected a whole number, 0 or more, not {_shown(value)}.")
    return None


def _shown(value: object) -> str:
    return repr(value)[:60]
