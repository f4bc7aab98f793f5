"""The clock of one seat: how a decision is charged. Pure arithmetic in integer nanoseconds.

::

    used = max(0, received - started - credit - stall - wait)
    in time iff max(0, used - per_decision) <= bank + grace
    bank = max(0, bank - max(0, used - m * per_decision)) + m * increment

m is the number of actions that the answer holds: 1, or more for a plan. Whether it is in time does not depend on m: the
deadline passes before anybody has read the answer. A default earns no increment.
"""

from arena.core.clock.processor_use import MOST_WAIT_NS
from arena.core.clock.time_control import TimeControl


class Charge:
    """What one decision cost. Times in nanoseconds."""

    def __init__(  # noqa: PLR0913, PLR0917 - its fields
        self,
        started_ns: int,
        used_ns: int,
        credit_ns: int,
        stall_ns: int,
        bank_ns: int,
        late_ns: int,
        over_seat_limit: bool,
        wait_ns: int = 0,
    ) -> None:
        """No dataclass, because one is made for every decision: compiled, it costs nothing then."""
        self.started_ns = started_ns
        self.used_ns = used_ns
        self.credit_ns = credit_ns
        self.stall_ns = stall_ns
        self.bank_ns = bank_ns
        """The bank afterwards."""
        self.late_ns = late_ns
        """By how much the limit was passed; 0 if in time."""
        self.over_seat_limit = over_seat_limit
        """Whether the decision was charged without per_decision, the seat being over its seat_limit."""
        self.wait_ns = wait_ns
        """Time in which the seat's program, which the arena runs, was ready and got no processor."""

    @property
    def in_time(self) -> bool:
        """Whether the answer counts."""
        return self.late_ns == 0


class SeatClock:
    """The clock of one seat in one match."""

    def __init__(self, control: TimeControl) -> None:
        """Begin as at the start of a match."""
        self.control = control
        self.bank_ns = control.bank_ns
        self.used_ns = 0
        """All decisions together."""
        self.earned_ns = 0
        """All increments together."""
        self.longest_ns = 0
        """The longest decision."""
        self.waited_ns = 0
        """Waiting for a processor that was not charged."""
        self._free_ns = control.per_decision_ns
        self._grace_ns = control.grace_ns
        self._increment_ns = control.increment_ns
        self._seat_limit_ns = control.seat_limit_ns

    @property
    def over_seat_limit(self) -> bool:
        """Whether the seat has used more than seat_limit and plays on without per_decision."""
        return self.used_ns > self._seat_limit_ns

    @property
    def seat_time_left_ns(self) -> int:
        """What is left of seat_limit."""
        return max(0, self._seat_limit_ns - self.used_ns)

    @property
    def per_decision_ns(self) -> int:
        """Free time of the next decision."""
        return 0 if self.used_ns > self._seat_limit_ns else self._free_ns

    @property
    def allowance_ns(self) -> int:
        """Thinking time until the next decision is lost, grace included."""
        return self.per_decision_ns + self.bank_ns + self._grace_ns

    @property
    def wait_left_ns(self) -> int:
        """How much more waiting for a processor is not charged in this match."""
        return max(0, MOST_WAIT_NS - self.waited_ns)

    def measure(
        self, started_ns: int, now_ns: int, *, credit_ns: int, stall_ns: int, wait_ns: int = 0
    ) -> Charge:
        """Return what the decision would cost if its answer, of one action, came now; do not change the clock.

        A missed decision leaves an empty bank. The increment is not included: see `charge`.
        """
        used = max(0, now_ns - started_ns - credit_ns - stall_ns - wait_ns)
        over = max(0, used - self.per_decision_ns)
        return Charge(
            started_ns,
            used,
            credit_ns,
            stall_ns,
            max(0, self.bank_ns - over),
            max(0, over - self.bank_ns - self._grace_ns),
            self.over_seat_limit,
            wait_ns,
        )

    def charge(self, measured: Charge, *, pieces: int = 1, earns: bool) -> Charge:
        """Book `measured`, by this clock as it is, and return it with the bank afterwards.

        `pieces`: the actions of the answer, 1 for a missed one. `earns`: whether they were played, each of them
        earning an increment.
        """
        over = max(0, measured.used_ns - pieces * self.per_decision_ns)
        earned = pieces * self._increment_ns if earns else 0
        self.bank_ns = max(0, self.bank_ns - over) + earned
        self.earned_ns += earned
        self.used_ns += measured.used_ns
        self.waited_ns += measured.wait_ns
        self.longest_ns = max(self.longest_ns, measured.used_ns)
        measured.bank_ns = self.bank_ns
        return measured
