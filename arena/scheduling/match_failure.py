"""What the arena does when matches fail by its own fault: the cause of a void match, and a rest after too many."""

import secrets
from typing import Final

import structlog

from arena.core.endings import arena_faults
from arena.core.match import MatchState
from arena.core.units import NS_PER_S
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

MOST_STARVED: Final = 3
"""So often a match is withdrawn because a program got no processor to take its seat; then it is void."""

VOIDS_ALLOWED: Final = 10
"""So many void matches in a row, with none finished between them, are bad luck; one more is a broken arena."""

REST_NS: Final = 30 * NS_PER_S
"""How long no match begins then."""

FAILING: Final = "the arena has failed match after match and rests; its service log tells why"

_log = structlog.get_logger(__name__)


class CircuitBreaker:
    """Counts void matches in a row. Times are nanoseconds of the monotonic clock."""

    def __init__(self, audit: AuditSink = tell_nobody) -> None:
        """`audit`: of each rest, for the audit trail."""
        self._audit = audit
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
            self._audit(
                AuditKind.REST,
                f"{self._voids} matches in a row were void, and no match begins for {REST_NS // NS_PER_S} s",
                facts=(("voids", str(self._voids)),),
            )

    def rests(self, now: int) -> bool:
        """Return whether no match may begin now."""
        return now < self._rests_until


def failure_cause(what: str, match: int, failure: Exception) -> arena_faults.VoidCause:
    """Log an error of the arena, and return it as the cause of a void match."""
    error_id = secrets.token_hex(4)
    _log.error(what, match=match, error_id=error_id, exc_info=failure)
    return arena_faults.error(error_id, arena_faults.exception_facts(failure))
