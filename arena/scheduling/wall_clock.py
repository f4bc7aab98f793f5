"""Wall time, for people to read. It decides nothing but which day it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

US_PER_HOUR: Final = 3_600_000_000

_NS_PER_US: Final = 1_000
_US_PER_MS: Final = 1_000


def now_us() -> int:
    """Return microseconds since 1970 UTC."""
    return time.time_ns() // _NS_PER_US


def now_ms() -> int:
    """Return milliseconds since 1970 UTC."""
    return now_us() // _US_PER_MS


def today() -> str:
    """Return the day, "2026-11-21", UTC."""
    return datetime.now(UTC).date().isoformat()
