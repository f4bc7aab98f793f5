"""The service log: what operators read. Events with fields, to standard error."""

from __future__ import annotations

import logging
import sys

import structlog

from arena.server.log_redaction import redact_tokens


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
