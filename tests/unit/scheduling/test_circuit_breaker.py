"""An arena that fails match after match rests."""

from arena.core.match import MatchState
from arena.scheduling.match_manager import REST_NS, VOIDS_ALLOWED, CircuitBreaker
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody
from tests.unit.store.audit_recorder import AuditRecorder


def breaker_after(voids: int, audit: AuditSink = tell_nobody) -> CircuitBreaker:
    """Return a circuit breaker that has seen so many void matches."""
    breaker = CircuitBreaker(audit)
    for _ in range(voids):
        breaker.note(MatchState.ABORTED, 0)
    return breaker


def test_a_few_void_matches_are_allowed_and_each_one_more_makes_it_rest() -> None:
    assert not breaker_after(VOIDS_ALLOWED).rests(0)
    breaker = breaker_after(VOIDS_ALLOWED + 1)
    assert (breaker.rests(REST_NS - 1), breaker.rests(REST_NS)) == (True, False)
    breaker.note(MatchState.ABORTED, REST_NS)
    assert breaker.rests(REST_NS + 1)


def test_a_finished_match_in_between_starts_the_count_anew() -> None:
    breaker = breaker_after(VOIDS_ALLOWED)
    breaker.note(MatchState.FINISHED, 0)
    for _ in range(VOIDS_ALLOWED):
        breaker.note(MatchState.ABORTED, 0)
    assert not breaker.rests(0)


def test_each_rest_is_in_the_audit_trail() -> None:
    recorder = AuditRecorder()
    breaker_after(VOIDS_ALLOWED + 1, recorder)
    [told] = recorder.told
    assert (told.kind, told.facts) == (AuditKind.REST, {"voids": str(VOIDS_ALLOWED + 1)})
