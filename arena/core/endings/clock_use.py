"""The limits of the clock at one decision, and what its seat had used of each."""

from dataclasses import dataclass
from typing import Final

from arena.core.clock.time_control import TimeControl
from arena.core.units import ms_down

STRIKES: Final = "strikes"
ABSENCE: Final = "absence_ms"
SEAT_LIMIT: Final = "seat_limit_ms"
HOLD: Final = "hold_ms"
BANK: Final = "bank_ms"
PER_DECISION: Final = "per_decision_ms"


def limit_of_miss(control: TimeControl, *, over_seat_limit: bool, hold_used_up: bool = False) -> str:
    """Return the clock rule that a missed decision ran into, by the name of its field.

    The seat limit if it took the free time away; the hold if the clock ran while the bot answered others; otherwise
    the bank, or without any the free time. Grace and increment lengthen the last two.
    """
    if over_seat_limit:
        return SEAT_LIMIT
    if hold_used_up:
        return HOLD
    return BANK if control.bank_ms or control.increment_ms else PER_DECISION


@dataclass(frozen=True, slots=True)
class ClockUse:
    """The clock of a seat when a decision was missed. Times in nanoseconds."""

    control: TimeControl
    bank_ns: int
    """Before the decision."""
    earned_ns: int
    """Increments so far."""
    seat_used_ns: int
    """Thinking time of all decisions before this one."""
    absent_ns: int = 0
    """How long in all the seat was absent with a decision open."""
    held_ns: int = 0
    """How long this decision was held back."""
    hold_used_ns: int = 0
    """What was used of the hold of the whole match."""
    hold_used_up: bool = False
    """Whether the decision was released because it could be held back no longer."""

    @property
    def over_seat_limit(self) -> bool:
        """Whether the decision had no free time because the seat had used its limit."""
        return self.seat_used_ns > self.control.seat_limit_ns

    @property
    def limit(self) -> str:
        """The rule that the missed decision ran into."""
        return limit_of_miss(
            self.control, over_seat_limit=self.over_seat_limit, hold_used_up=self.hold_used_up
        )

    @property
    def allowed_ms(self) -> int:
        """The thinking time after which the decision was lost."""
        free_ns = 0 if self.over_seat_limit else self.control.per_decision_ns
        return ms_down(free_ns + self.bank_ns + self.control.grace_ns)

    def facts(self) -> dict[str, object]:
        """Return each limit and what was used of it; absence and hold only if they were used."""
        control = self.control
        away, held = self.absent_ns > 0, self.held_ns > 0
        return {
            "limit": self.limit,
            "allowed_ms": self.allowed_ms,
            "per_decision_ms": control.per_decision_ms,
            "bank_start_ms": control.bank_ms,
            "increment_ms": control.increment_ms,
            "earned_ms": ms_down(self.earned_ns),
            "grace_ms": control.grace_ms,
            "seat_used_ms": ms_down(self.seat_used_ns),
            "seat_limit_ms": control.seat_limit_ms,
            "absent_ms": ms_down(self.absent_ns) if away else None,
            "absence_allowed_ms": control.absence_ms if away else None,
            "held_ms": ms_down(self.held_ns) if held else None,
            "hold_used_ms": ms_down(self.hold_used_ns) if held else None,
            "hold_ms": control.hold_ms if held else None,
        }

    def __str__(self) -> str:
        """Say what the allowed time was made of, as a sentence part."""
        control = self.control
        free = f"per_decision_ms {control.per_decision_ms}"
        if self.over_seat_limit:
            free = (
                f"no more {free}, because {ms_down(self.seat_used_ns)} ms were used before and seat_limit_ms is "
                f"{control.seat_limit_ms}"
            )
        bank = f"bank {ms_down(self.bank_ns)} ms left of bank_ms {control.bank_ms}"
        if control.increment_ms:
            bank += f" and {ms_down(self.earned_ns)} ms earned by increment_ms {control.increment_ms}"
        parts = [free, bank, f"grace_ms {control.grace_ms}"]
        if self.hold_used_up:
            used = ms_down(self.held_ns)
            total = f", {ms_down(self.hold_used_ns)} ms in the whole match," if self.hold_used_ns else ""
            parts.append(
                f"held back {used} ms{total} while the bot had others to answer, hold_ms {control.hold_ms}"
            )
        return ", ".join(parts)
