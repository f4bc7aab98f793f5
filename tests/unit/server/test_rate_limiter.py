"""Who asks for too much is not heard for a while: counted on a clock that the test turns (rows 2 and 25)."""

import pytest
from structlog.testing import capture_logs

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.server.auth.limiters import CallSource, RateLimiter
from arena.server.limits import Allowance
from arena.store.audit.entries import AuditKind
from tests.unit.store.audit_recorder import AuditRecorder

S = 1_000_000_000
THREE = Allowance("knocks", burst=3, per_s=2)
ANN, BOB = CallSource("a", "token a"), CallSource("b", "token b")


class Clock:
    def __init__(self) -> None:
        self.now = 10 * S

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bans(clock: Clock) -> RateLimiter:
    return RateLimiter(clock)


def takes(bans: RateLimiter, source: CallSource, times: int) -> int:
    """How many of so many were granted before the first refusal."""
    for taken in range(times):
        try:
            bans.take(source, THREE)
        except ResourceExhaustedError:
            return taken
    return times


def test_the_burst_is_granted_and_one_more_bans(bans: RateLimiter) -> None:
    assert takes(bans, ANN, 10) == 3
    with pytest.raises(ResourceExhaustedError) as refused:
        bans.check(ANN)
    assert refused.value.reason is ErrorReason.RATE_LIMITED
    assert refused.value.metadata == {"retry_after_s": "60"}


@pytest.mark.parametrize(("taken", "seconds", "granted"), [(3, 1, 2), (0, 1_000, 3)])
def test_two_a_second_are_earned_up_to_the_burst(
    bans: RateLimiter, clock: Clock, taken: int, seconds: int, granted: int
) -> None:
    takes(bans, ANN, taken)
    clock.now += seconds * S
    assert takes(bans, ANN, 10) == granted


def test_what_is_given_back_was_never_taken(bans: RateLimiter) -> None:
    for _ in range(50):
        bans.take(ANN, THREE)
        bans.give_back(ANN, THREE)
    assert takes(bans, ANN, 10) == 3


def test_others_are_not_banned(bans: RateLimiter) -> None:
    takes(bans, ANN, 10)
    bans.check(BOB)
    assert takes(bans, BOB, 10) == 3


def test_a_ban_lasts_a_minute_and_names_the_rest(bans: RateLimiter, clock: Clock) -> None:
    takes(bans, ANN, 4)
    clock.now += 59 * S + 1
    with pytest.raises(ResourceExhaustedError, match=r"for 1 s"):
        bans.check(ANN)
    clock.now += S - 1
    bans.check(ANN)
    assert takes(bans, ANN, 10) == 3


def test_a_ban_stands_once_in_the_service_log_without_its_secret(bans: RateLimiter) -> None:
    with capture_logs() as logs:
        takes(bans, ANN, 4)
        with pytest.raises(ResourceExhaustedError):
            bans.check(ANN)
    assert logs == [
        {"event": "banned", "log_level": "warning", "who": "token a", "too_many": "knocks", "for_s": 60}
    ]


def test_sources_without_number_do_not_fill_the_memory(bans: RateLimiter, clock: Clock) -> None:
    for number in range(25_000):
        bans.take(CallSource(str(number), ""), THREE)
        clock.now += S
    assert len(bans._earned_at) <= 10_000


def test_a_ban_stands_in_the_audit_trail_under_the_name_that_the_service_log_has(clock: Clock) -> None:
    recorder = AuditRecorder()
    with capture_logs() as logs:
        takes(RateLimiter(clock, recorder), ANN, 10)
    [told] = recorder.told
    assert (told.kind, told.facts) == (AuditKind.BAN, {"who": logs[0]["who"], "too_many": "knocks"})
