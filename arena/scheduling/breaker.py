"""When the arena itself fails match after match it takes a rest, instead of filling its disk with void ones."""

from __future__ import annotations

from typing import Final

from arena.core.match import MatchState

VOIDS_ALLOWED: Final = 10
"""So many void matches in a row, with none finished between them, are bad luck; one more is a broken arena."""

REST_NS: Final = 30_000_000_000
"""How long no match begins then."""


class Breaker:
    """Counts void matches in a row. Times are nanoseconds of the monotonic clock."""

    def __init__(self) -> None:
        """All is well."""
        self._voids = 0
        self._rests_until = 0

    def note(self, state: MatchState, now: int) -> None:
        """A match has ended in this state."""
        if state is not MatchState.ABORTED:
            self._voids = 0
            return
        self._voids += 1
        if self._voids > VOIDS_ALLOWED:
            self._rests_until = now + REST_NS

    def rests(self, now: int) -> bool:
        """Whether no match may begin now."""
        return now < self._rests_until
