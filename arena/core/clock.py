"""The clock of one seat: how a decision is charged. Pure arithmetic in integer nanoseconds.

::

    used = max(0, received - started - credit - stall)
    in time iff max(0, used - per_decision) <= bank + grace
    bank = max(0, bank - max(0, used - m * per_decision)) + m * increment

m is the number of actions that the answer holds: 1, or more for a plan. Whether it is in time does not depend on m: the
deadline passes before anybody has read the answer. A default earns no increment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from arena.core.time_control import TimeControl


class Charge(NamedTuple):
    """What one decision cost. Times in nanoseconds."""

    started_ns: int
    used_ns: int
    credit_ns: int
    stall_ns: int
    bank_ns: int
    """The bank afterwards."""
    late_ns: int
    """By how much the limit was passed; 0 if in time."""
    over_seat_limit: bool
    """Whether the decision was charged without per_decision, the seat being over its seat_limit."""

    @property
    def in_time(self) -> bool:
        """Whether the answer counts."""
        return self.late_ns == 0


@dataclass(slots=True)
class SeatClock:
    """The clock of one seat in one match."""

    control: TimeControl
    bank_ns: int
    used_ns: int = 0
    """All decisions together."""
    longest_ns: int = 0
    """The longest decision."""
    _free_ns: int = field(init=False)
    _grace_ns: int = field(init=False)
    _seat_limit_ns: int = field(init=False)

    def __post_init__(self) -> None:
        """The control's own times, in nanoseconds."""
        self._free_ns = self.control.per_decision_ns
        self._grace_ns = self.control.grace_ns
        self._seat_limit_ns = self.control.seat_limit_ns

    @classmethod
    def full(cls, control: TimeControl) -> SeatClock:
        """The clock at the start of a match."""
        return cls(control, control.bank_ns)

    @property
    def over_seat_limit(self) -> bool:
        """Whether the seat has used more than seat_limit and plays on without per_decision."""
        return self.used_ns > self._seat_limit_ns

    @property
    def per_decision_ns(self) -> int:
        """Free time of the next decision."""
        return 0 if self.used_ns > self._seat_limit_ns else self._free_ns

    @property
    def allowance_ns(self) -> int:
        """Thinking time until the next decision is lost, grace included."""
        return self.per_decision_ns + self.bank_ns + self._grace_ns

    def measure(self, started_ns: int, now_ns: int, *, credit_ns: int, stall_ns: int) -> Charge:
        """What the decision would cost if its answer, of one action, came now; the clock is unchanged.

        A missed decision leaves an empty bank. The increment is not in it: see `charge`.
        """
        used = max(0, now_ns - started_ns - credit_ns - stall_ns)
        over = max(0, used - self.per_decision_ns)
        return Charge(
            started_ns,
            used,
            credit_ns,
            stall_ns,
            bank_ns=max(0, self.bank_ns - over),
            late_ns=max(0, over - self.bank_ns - self._grace_ns),
            over_seat_limit=self.over_seat_limit,
        )

    def charge(self, measured: Charge, *, pieces: int = 1, earns: bool) -> Charge:
        """The charge as it is booked: the bank has changed. `measured`: with the clock as it is.

        `pieces`: the actions of the answer, 1 for a missed one. `earns`: whether they were played, each of them earning
        an increment.
        """
        over = max(0, measured.used_ns - pieces * self.per_decision_ns)
        earned = pieces * self.control.increment_ns if earns else 0
        booked = measured._replace(bank_ns=max(0, self.bank_ns - over) + earned)
        self.bank_ns = booked.bank_ns
        self.used_ns += booked.used_ns
        self.longest_ns = max(self.longest_ns, booked.used_ns)
        return booked
