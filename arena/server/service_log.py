"""The service log: what operators read. Events with fields, to standard error."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

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


def configure(*, json_logs: bool) -> None:
    """From now on the service log is written; no token ever stands in it."""
    shared: list[structlog.types.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact_tokens,
    ]
    last: structlog.types.Processor = (
        structlog.processors.JSONRenderer()
        if json_logs
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def only_errors() -> None:
    """From now on only what is the software's own fault is written."""
    configure(json_logs=False)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
