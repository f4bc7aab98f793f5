"""What a hosted program has had of the processors, moment by moment, so that any decision can be charged for its own.

Readings are taken while the program has something to answer. Of the time between two of them, waiting for a processor
is counted as far as the program did not run in it, others may have taken all processors, and the arena did not stand
still: no moment is counted twice. Stalls of the arena are kept apart, for callers that do not credit them otherwise.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.core.clock.processor_use import ProcessorUse
from arena.sandbox.processor_time import ProcessorReading

READ_EVERY_NS: Final = 50_000_000
"""While a program has something to answer, it is looked at so often."""

_AS_GOOD_AS_NOW_NS: Final = 1_000_000
_REMEMBERED: Final = 2_048
"""Readings; of more, every second one is forgotten."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The process from its start until then. Times in nanoseconds."""

    at: int
    used_ns: int
    """Its own share used up counts as used."""
    waited_ns: int
    """With no stall of the arena in it."""
    stalled_ns: int
    room_ns: int
    """Time in which it may have waited without its having been counted yet."""
    reading: ProcessorReading


class ProcessorHistory:
    """The processor time of one process. Times are nanoseconds of the arena's monotonic clock."""

    def __init__(
        self,
        read: Callable[[int], ProcessorReading | None],
        stalled: Callable[[int, int], int],
        begun_at: int,
    ) -> None:
        """`read`: the process as of now; `stalled`: how much of a span the arena stood still."""
        self._read = read
        self._stalled = stalled
        self._moments = [_Moment(begun_at, 0, 0, 0, 0, ProcessorReading(0, 0, 0, False, 0))]

    @property
    def read_at(self) -> int:
        """When it was read last; its start, if never."""
        return self._moments[-1].at

    @property
    def waited_ns(self) -> int:
        """How long it has waited by then."""
        return self._moments[-1].waited_ns

    def look(self, now: int) -> bool:
        """Read its processor use, unless that was a moment ago. Return False where the machine tells nothing."""
        last = self._moments[-1]
        if now - last.at < _AS_GOOD_AS_NOW_NS:
            return True
        reading = self._read(now)
        if reading is None:
            return False
        before, span = last.reading, now - last.at
        used = reading.used_ns + reading.throttled_ns - before.used_ns - before.throttled_ns
        stalled = self._stalled(last.at, now)
        room = last.room_ns + max(0, min(span - used - stalled, reading.taken_ns - before.taken_ns))
        waited = min(max(0, reading.waited_ns - before.waited_ns), room)
        self._moments.append(
            _Moment(
                now,
                last.used_ns + used,
                last.waited_ns + waited,
                last.stalled_ns + stalled,
                room - waited if reading.is_waiting else 0,
                reading,
            )
        )
        if len(self._moments) > _REMEMBERED:
            del self._moments[1:-1:2]
        return True

    def since(self, started: int, now: int) -> ProcessorUse | None:
        """Return its use from the first reading at or after `started` until now; None if there is none before now."""
        first = bisect_left(self._moments, started, key=lambda moment: moment.at)
        if first == len(self._moments):
            return None
        begin = self._moments[first]  # before the look, which may forget readings
        if not self.look(now):
            return None
        last = self._moments[-1]
        return ProcessorUse(
            last.used_ns - begin.used_ns,
            last.waited_ns - begin.waited_ns,
            stalled_ns=last.stalled_ns - begin.stalled_ns,
            pending_ns=last.room_ns,
        )
