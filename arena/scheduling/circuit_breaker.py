"""The pause of an arena that fails match after match, instead of filling its disk with void ones."""

from __future__ import annotations

from typing import Final

from arena.core.match import MatchState
from arena.core.units import NS_PER_S
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

VOIDS_ALLOWED: Final = 10
"""So many void matches in a row, with none finished between them, are bad luck; one more is a broken arena."""

REST_NS: Final = 30 * NS_PER_S
"""How long no match begins then."""


class CircuitBreaker:
    """Counts void matches in a row. Times are nanoseconds of the monotonic clock."""

    def __init__(self, tell: AuditSink = tell_nobody) -> None:
        """`tell`: of each rest, for the audit trail."""
        self._tell = tell
        self._voids = 0
        self._rests_until = 0

    def note(self, state: MatchState, now: int) -> None:
        """Note the state in which a match has ended."""
        if state is not MatchState.ABORTED:
            self._voids = 0
            return
        self._voids += 1
        if self._voids > VOIDS_ALLOWED:
            self._rests_until = now + REST_NS
            self._tell(
                AuditKind.REST,
                f"{self._voids} matches in a row were void, and no match begins for {REST_NS // NS_PER_S} s",
                facts=(("voids", str(self._voids)),),
            )

    def rests(self, now: int) -> bool:
        """Return whether no match may begin now."""
        return now < self._rests_until
