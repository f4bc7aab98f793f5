"""A stall meter whose arena works as much as a test says."""

from arena.core.clock.stalls import StallMeter
from arena.core.units import NS_PER_MS


class StallsByHand:
    """Beats for a meter, at times in milliseconds; the arena has not worked unless a test says so."""

    def __init__(self, *beats_ms: float, working: bool = False) -> None:
        """Beat at these times. `working`: the arena has worked for all the time between them."""
        self.worked_ms = 0.0
        """The processor time that the arena has used so far."""
        self.meter = StallMeter(lambda: round(self.worked_ms * NS_PER_MS))
        for at in beats_ms:
            self.beat_at(at, worked=at if working else 0)

    def beat_at(self, at: float, *, worked: float | None = None) -> int:
        """Beat at this time, after so much work; without it there was no more work. Return the stall in ns."""
        if worked is not None:
            self.worked_ms = worked
        return self.meter.beat(round(at * NS_PER_MS))


def idle_meter() -> StallMeter:
    """Return a meter of an arena that never works, without a beat so far."""
    return StallsByHand().meter
