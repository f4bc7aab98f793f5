"""An arena that fails match after match rests."""

from __future__ import annotations

from arena.core.match import MatchState
from arena.scheduling.circuit_breaker import REST_NS, VOIDS_ALLOWED, CircuitBreaker
from arena.store.audit.entries import AuditKind
from tests.unit.store.audit_recorder import AuditRecorder


def broken() -> CircuitBreaker:
    circuit_breaker = CircuitBreaker()
    for _ in range(VOIDS_ALLOWED + 1):
        circuit_breaker.note(MatchState.ABORTED, 0)
    return circuit_breaker


def test_a_few_void_matches_are_bad_luck() -> None:
    circuit_breaker = CircuitBreaker()
    for _ in range(VOIDS_ALLOWED):
        circuit_breaker.note(MatchState.ABORTED, 0)
    assert not circuit_breaker.rests(0)


def test_one_more_makes_it_rest_for_a_while() -> None:
    circuit_breaker = broken()
    assert circuit_breaker.rests(REST_NS - 1)
    assert not circuit_breaker.rests(REST_NS)


def test_a_finished_match_in_between_starts_the_count_anew() -> None:
    circuit_breaker = CircuitBreaker()
    for _ in range(3):
        for _ in range(VOIDS_ALLOWED):
            circuit_breaker.note(MatchState.ABORTED, 0)
        circuit_breaker.note(MatchState.FINISHED, 0)
    assert not circuit_breaker.rests(0)


def test_if_the_first_match_after_the_rest_is_void_too_it_rests_again() -> None:
    circuit_breaker = broken()
    circuit_breaker.note(MatchState.ABORTED, REST_NS)
    assert circuit_breaker.rests(REST_NS + 1)


def test_each_rest_stands_in_the_audit_trail() -> None:
    recorder = AuditRecorder()
    circuit_breaker = CircuitBreaker(recorder)
    for _ in range(VOIDS_ALLOWED + 1):
        circuit_breaker.note(MatchState.ABORTED, 0)
    [told] = recorder.told
    assert (told.kind, told.facts) == (AuditKind.REST, {"voids": str(VOIDS_ALLOWED + 1)})
