"""The service log for operators: events with fields, to standard error."""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from arena.core.tokens import redact


def redact_tokens(_logger: object, _level: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Remove the secrets of tokens from every text of an event, as a structlog processor.

    It comes after the processor that turns exceptions into text.
    """
    return {key: _redacted(value) for key, value in event.items()}


def _redacted(value: object) -> object:
    """Return the value if it holds no token; otherwise its text without secrets."""
    if isinstance(value, Mapping):
        return {_as_one(key): _redacted(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redacted(each) for each in value]
    return _as_one(value)


def _as_one(value: object) -> object:
    """Redact a value without taking it apart, since a key must stay hashable."""
    if isinstance(value, str):
        return redact(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    written = repr(value)
    clean = redact(written)
    return value if clean == written else clean


def configure(*, json_logs: bool) -> None:
    """Configure the service log; it never shows tokens."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
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
    """Log errors only."""
    configure(json_logs=False)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
