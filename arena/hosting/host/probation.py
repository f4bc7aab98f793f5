"""When a version is benched: a program that keeps failing must not take the places of others."""

from __future__ import annotations

from typing import Final

FAILURES_ALLOWED: Final = 2
"""One failure in a row more benches the version."""

FAIR_MATCHES: Final = 3
"""So many matches played to their end, with no failure in between, and all before is forgotten."""

_US_PER_MINUTE: Final = 60_000_000
FIRST_PAUSE_US: Final = _US_PER_MINUTE
LONGEST_PAUSE_US: Final = 60 * _US_PER_MINUTE


class Probation:
    """The failures in a row of one version since the arena has started, or since it was benched."""

    def __init__(self) -> None:
        """It has a clean slate."""
        self.failures = 0
        self._fair = 0

    def failed(self) -> bool:
        """The program has failed. True if it was once too often."""
        self._fair = 0
        self.failures += 1
        return self.failures > FAILURES_ALLOWED

    def played(self) -> bool:
        """It has played a match to its end. True if it has proved itself by that."""
        self._fair += 1
        if self._fair < FAIR_MATCHES:
            return False
        self.failures = 0
        return True


def pause_us(benchings: int) -> int:
    """How long a version is benched that has been so often in a row before, in microseconds."""
    doublings = min(benchings, LONGEST_PAUSE_US.bit_length())
    return min(FIRST_PAUSE_US << doublings, LONGEST_PAUSE_US)
