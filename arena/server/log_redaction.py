"""No token ever stands in the service log."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from arena.store.token_text import redact


def redact_tokens(_logger: object, _level: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """A processor for structlog: every text in the event without the secrets of tokens.

    It stands after the processor that turns exceptions into text.
    """
    return {key: redact(value) if isinstance(value, str) else value for key, value in event.items()}
