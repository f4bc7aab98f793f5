"""What slow rules have in common: the position as JSON, the stream, what was told and who is asked."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from engine.game import Event

Json = dict[str, Any]


def canonical(action: Json) -> str:
    """Return the text of an action: sorted keys and no white space."""
    return json.dumps(action, sort_keys=True, separators=(",", ":"))


def action(kind: str, *fields: str) -> Callable[..., Json]:
    """Return what makes actions of a kind from the values of their fields."""
    return lambda *values: {"type": kind, **dict(zip(fields, values, strict=True))}


class Naive:
    """A match: nothing is kept but the position and what was told."""

    def __init__(self, state: Json) -> None:
        self.state = state
        self.told: list[Json] = []

    @property
    def _rng(self) -> Json:
        """What has the seed and the words used."""
        return self.state

    def _word(self) -> int:
        at = self._rng["words"]
        self._rng["words"] += 1
        block = sha256(bytes.fromhex(self._rng["seed"]) + (at // 4).to_bytes(8, "big")).digest()
        return int.from_bytes(block[8 * (at % 4) :][:8], "big")

    def _uniform(self, n: int) -> int:
        while (word := self._word()) >= 2**64 - 2**64 % n:
            pass
        return word % n

    def _shuffled(self, items: list[str]) -> list[str]:
        for i in range(len(items) - 1, 0, -1):
            j = self._uniform(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def _tell(self, event: str, **fields: Any) -> None:
        self.told.append({"event": event, **fields})

    def _ask(self, decision: str, seat: int) -> None:
        self.state |= {"decision": decision, "to_move": seat}


Forms = Mapping[type[Event], tuple[str, dict[str, Callable[[Any], Any]]]]
"""By event of an engine: what the slow rules call it, and how its fields are read that are no plain numbers."""


def event_form(event: Event, forms: Forms) -> Json:
    """Return an event of an engine as the slow rules tell it."""
    kind, readings = forms[type(event)]
    fields = {field.name: getattr(event, field.name) for field in dataclasses.fields(event)}
    read = {name: readings[name](value) if name in readings else value for name, value in fields.items()}
    return {"event": kind, **read}
