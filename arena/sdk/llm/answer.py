"""The structured answer of a model: the number of an action, and its thoughts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"thoughts": {"type": "string"}, "action": {"type": "integer"}},
    "required": ["thoughts", "action"],
    "additionalProperties": False,
}
"""The form of the answer, for endpoints that can enforce one."""

EXAMPLE: Final = '{"thoughts": "why this action, in a few sentences", "action": 1}'

_OBJECTS: Final = 200
"""So many opening braces are tried, from the last one on."""

_THOUGHTS: Final = 2_000
"""Characters of the thoughts that are kept."""


class UnusableAnswerError(ValueError):
    """The answer chooses no legal action. The message is the reason, written for the model."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model has chosen."""

    index: int
    """The place of the action in the list of legal actions, from 0."""
    thoughts: str


def read_answer(text: str, notations: Sequence[str]) -> Answer:
    """Read the last object with an action in a text; code fences and other words around it do not matter.

    `notations`: of all legal actions, which are numbered from 1. Raises UnusableAnswerError.
    """
    found = next((each for each in _objects(text) if "action" in each), None)
    if found is None:
        raise UnusableAnswerError(
            f"No JSON object with the field action was found in your answer. Answer with one, such as {EXAMPLE}."
        )
    thoughts = found.get("thoughts", "")
    return Answer(
        index_of(found["action"], notations), one_line(thoughts) if isinstance(thoughts, str) else ""
    )


def one_line(text: str, most: int = _THOUGHTS) -> str:
    """Return a text as one line of printable characters, cut if it is long."""
    words = " ".join(text[: 4 * most].split())
    return "".join(character for character in words if character.isprintable())[:most]


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text, the last one first."""
    decoder = json.JSONDecoder()
    end = len(text)
    for _ in range(_OBJECTS):
        end = text.rfind("{", 0, end)
        if end < 0:
            return
        try:
            value, _ = decoder.raw_decode(text, end)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def index_of(action: object, notations: Sequence[str]) -> int:
    """Return the place of an action that is given by its number, or by its notation."""
    if isinstance(action, dict):  # the notation of some games is an object
        action = json.dumps(action, sort_keys=True, separators=(",", ":"))
    if isinstance(action, str):
        folded = [each.casefold() for each in notations]
        if (written := action.strip().casefold()) in folded:
            return folded.index(written)
        if written.isascii() and written.isdecimal() and len(written) < 10:
            action = int(written)
    if isinstance(action, float) and action.is_integer():
        action = int(action)
    if isinstance(action, int) and not isinstance(action, bool) and 1 <= action <= len(notations):
        return action - 1
    shown = one_line(str(action), 80)
    raise UnusableAnswerError(
        f"{shown!r} is not the number of a legal action. Choose a number from 1 to {len(notations)}, as listed."
    )
