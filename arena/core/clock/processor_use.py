"""Processor time of a hosted program, as the clock of its seat counts it."""

from typing import Final

MOST_WAIT_NS: Final = 1_800_000_000_000
"""Waiting time for a processor up to this is not charged to a seat in one match: half an hour."""

WAIT_AGAIN_NS: Final = 50_000_000
"""If a program waits for a processor at its deadline, the verdict is delayed in steps of this length."""


class ProcessorUse:
    """The processor time and waiting time of a program in a span of time. Times in nanoseconds."""

    def __init__(self, used_ns: int, waited_ns: int, *, stalled_ns: int = 0, pending_ns: int = 0) -> None:
        """No dataclass, because it is made on the play path: compiled, it costs nothing then."""
        self.used_ns = used_ns
        """Processor time of all its processes, and the time in which it had used up its own share."""
        self.waited_ns = waited_ns
        """Time in which it was ready to run and got no processor, outside stalls of the arena."""
        self.stalled_ns = stalled_ns
        """Time in which the arena stood still."""
        self.pending_ns = pending_ns
        """Time in which it may have waited too, which the next reading shows; 0 unless it waits now."""

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
