"""Actions as JSON: an object with a "type" and its fields, keys sorted, no white space."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.game import UnreadableActionError

_MOST_OF_A_NUMBER: Final = 40
"""Characters, of an int that is no action."""

Fields = dict[str, Any]
"""What an object holds."""


def write(fields: Fields) -> str:
    """Return the canonical text."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def unknown(action: int) -> Fields:
    """Return what stands for an int that is no action, in messages."""
    return {"type": "unknown", "number": f"{action:#x}"[:_MOST_OF_A_NUMBER]}


def read(text: str, title: str, example: str, most: int) -> tuple[str, Fields]:
    """Return the type and the other fields, keys in any order. `most`: more characters than any action has.

    Raises UnreadableActionError: the text is no object with a type; the message names the game and gives the example.
    """
    try:
        fields = json.loads(text) if len(text) <= most else None
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
        raise UnreadableActionError(
            f'"{text[:80]}" is no action of {title}: write it as JSON with a "type", for example {example}.'
        )
    return fields.pop("type"), fields


def unknown_type(kind: str, known: Sequence[str]) -> UnreadableActionError:
    """Return the error for a type that the game does not have."""
    return UnreadableActionError(f'The field type is "{kind[:40]}": it is one of {", ".join(known)}.')


def check_fields(kind: str, fields: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise UnreadableActionError unless the fields beside the type are exactly these."""
    if set(fields) != set(names):
        listed = ", ".join(names) or "type alone"
        raise UnreadableActionError(f"An action of the type {kind} has the fields {listed}, and no others.")


def name_of(field: str, value: object, names: Sequence[str], what: str) -> int:
    """Return the place of a name among these. `what` it names: "a resource", say. Raises as `read`, as all below."""
    if not isinstance(value, str) or value not in names:
        raise UnreadableActionError(f"The field {field} names {what}: one of {', '.join(names)}.")
    return names.index(value)


def number_of(field: str, value: object, low: int, high: int) -> int:
    """Return the value if it is a whole number, which true and 1.0 are not."""
    if type(value) is not int or not low <= value <= high:
        raise UnreadableActionError(f"The field {field} is a whole number from {low} to {high}.")
    return value


def list_of(field: str, value: object) -> list[Any]:
    """Return the value if it is a list."""
    if not isinstance(value, list):
        raise UnreadableActionError(f"The field {field} is a list.")
    return value
