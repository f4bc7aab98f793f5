"""The time that a program had, without the time in which the machine ran neither it nor this process."""

from __future__ import annotations

from collections.abc import Callable


class Stopwatch:
    """Counts neither waiting of the program for a processor, nor time in which this process did not run."""

    def __init__(
        self, now: Callable[[], float], waited_s: Callable[[], float], *, read_every_s: float
    ) -> None:
        """Start. `waited_s`: how long the program and the kit have waited for a processor by now.

        `read_every_s`: the time between two readings; a reading that comes later is late because this process did not
        run.
        """
        self._now = now
        self._waited_s = waited_s
        self._every_s = read_every_s
        self._waited_before_s = waited_s()
        self._read_at = now()
        self._awake_s = 0.0

    def read(self) -> float:
        """Return the seconds so far."""
        now = self._now()
        self._awake_s += min(now - self._read_at, self._every_s)
        self._read_at = now
        return self._awake_s - (self._waited_s() - self._waited_before_s)
