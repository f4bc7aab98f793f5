"""Rounding of the time of secret questions, so that it does not show who was asked (`TimeControl.secret_pad_ms`)."""

from engine.game import State


class TimingPad:
    """The time, in one match, from which the effects of settled secret questions may be seen. In nanoseconds.

    Every secret question takes a whole number of pads, at least one; so does each that was not asked, since it left its
    seat no choice. A seat that answers within a pad cannot be told from one that was not asked.
    """

    def __init__(self, pad_ns: int) -> None:
        """`pad_ns`: 0 rounds nothing."""
        self._pad_ns = pad_ns
        self._settled = 0
        self._opened_at: int | None = None
        self._due = 0

    def skip(self, state: State) -> None:
        """Take the secret questions settled so far for those of another match, which take no time in this one."""
        self._settled = state.secret_offers

    def due(self, state: State, now: int) -> int:
        """Return when the next question may be asked and news be sent. `state`: after what happened at `now`."""
        settled = state.secret_offers - self._settled
        self._settled = state.secret_offers
        if not self._pad_ns or not settled:
            return max(now, self._due)
        if self._opened_at is None:  # none of them was asked, or not any more
            self._due = max(now, self._due) + settled * self._pad_ns
        else:
            taken = max(1, -((self._opened_at - now) // self._pad_ns))
            self._due = self._opened_at + (taken + settled - 1) * self._pad_ns
        self._opened_at = None
        return self._due

    def asked(self, state: State, now: int) -> None:
        """Note that a question was asked at that time; `state` is still the same."""
        if not state.asks_in_secret:
            self._opened_at = None
        elif self._opened_at is None:
            self._opened_at = now
