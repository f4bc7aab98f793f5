"""When a version is benched, and for how long."""

from __future__ import annotations

from arena.hosting.host.hosted_bot import FAIR_MATCHES, LONGEST_PAUSE_US, Probation, pause_us

MINUTE_US = 60_000_000


def test_a_match_in_between_does_not_yet_make_up_for_failures() -> None:
    probation = Probation()
    for _ in range(2):
        assert not probation.failed()
        assert not probation.played()
    assert probation.failed()


def test_enough_matches_in_a_row_do() -> None:
    probation = Probation()
    assert not any(probation.failed() for _ in range(2))
    assert [probation.played() for _ in range(FAIR_MATCHES)] == [False] * (FAIR_MATCHES - 1) + [True]
    assert [probation.failed() for _ in range(3)] == [False, False, True]


def test_the_pause_doubles_from_a_minute_to_an_hour() -> None:
    assert [pause_us(times) // MINUTE_US for times in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert pause_us(10_000) == LONGEST_PAUSE_US
