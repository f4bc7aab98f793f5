"""No token ever stands in the service log."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from arena.core.tokens import redact


def redact_tokens(_logger: object, _level: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """A processor for structlog: every text in the event without the secrets of tokens.

    It stands after the processor that turns exceptions into text.
    """
    return {key: _redacted(value) for key, value in event.items()}


def _redacted(value: object) -> object:
    """The same value where it holds no token; what is written of it otherwise."""
    if isinstance(value, Mapping):
        return {_as_one(key): _redacted(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redacted(each) for each in value]
    return _as_one(value)


def _as_one(value: object) -> object:
    """The same of what is not taken apart: a key must stay what can be a key."""
    if isinstance(value, str):
        return redact(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    written = repr(value)
    clean = redact(written)
    return value if clean == written else clean
