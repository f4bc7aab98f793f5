"""Processor time of a program that the arena runs, as the clock of its seat takes it into account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_WAIT_NS: Final = 1_800_000_000_000
"""So much waiting for a processor is not charged to a seat in one match: half an hour."""

WAIT_AGAIN_NS: Final = 50_000_000
"""While a program waits for a processor at its deadline, the verdict is put off by so much at a time."""


@dataclass(init=False)
class ProcessorUse:
    """What a program had of the processors in a span of time. Times in nanoseconds."""

    used_ns: int
    """Processor time of all its processes, and time in which it had used up its own share."""
    waited_ns: int
    """Time in which it was ready to run and got no processor, with no stall of the arena in it."""
    stalled_ns: int
    """Time in which the arena stood still."""
    pending_ns: int
    """Time in which it may have waited as well, if that turns out at the next look; 0 unless it waits now."""

    def __init__(self, used_ns: int, waited_ns: int, *, stalled_ns: int = 0, pending_ns: int = 0) -> None:
        """By hand, because it is made on the play path: compiled, it costs nothing then."""
        self.used_ns = used_ns
        self.waited_ns = waited_ns
        self.stalled_ns = stalled_ns
        self.pending_ns = pending_ns

    def credited(self, wall_ns: int, stall_ns: int) -> tuple[int, int]:
        """Return the stall and the waiting time that are credited of a span: processor time used is always charged.

        `stall_ns`: what is credited as a stall. While the arena stood still otherwise, the program counts as waiting.
        """
        spare = max(0, wall_ns - self.used_ns)
        stall = min(stall_ns, spare)
        waited = self.waited_ns + max(0, self.stalled_ns - stall_ns)
        return stall, min(waited, spare - stall)

    def is_settled(self, late_ns: int) -> bool:
        """Return whether it is so late that no waiting that may turn out yet can change it."""
        return late_ns >= self.pending_ns
