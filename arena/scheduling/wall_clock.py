"""Wall time, for people to read. It decides nothing but which day it is."""

import time
from datetime import UTC, datetime

from arena.core.units import NS_PER_US, US_PER_MS


def now_us() -> int:
    """Return microseconds since 1970 UTC."""
    return time.time_ns() // NS_PER_US


def now_ms() -> int:
    """Return milliseconds since 1970 UTC."""
    return now_us() // US_PER_MS


def today() -> str:
    """Return the day, "2026-11-21", UTC."""
    return datetime.now(UTC).date().isoformat()
