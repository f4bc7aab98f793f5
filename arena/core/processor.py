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
    is_waiting: bool
    """Whether it waits at this moment, so that `waited_ns` is not complete."""

    def __init__(self, used_ns: int, waited_ns: int, *, is_waiting: bool) -> None:
        """By hand, because it is made on the play path: compiled, it costs nothing then."""
        self.used_ns = used_ns
        self.waited_ns = waited_ns
        self.is_waiting = is_waiting

    def credited(self, wall_ns: int, stall_ns: int) -> tuple[int, int]:
        """The stall and the waiting that are not charged of a span: the processor time used always is."""
        spare = max(0, wall_ns - self.used_ns)
        stall = min(stall_ns, spare)
        return stall, min(self.waited_ns, spare - stall)
