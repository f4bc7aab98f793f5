"""Verification finds a clock that was not kept by its formula."""

from dataclasses import replace
from itertools import pairwise

import pytest

from arena.core.match import Cause
from arena.match_log.keys import SigningKey
from tests.unit.match_log.matches import FOREIGN_KEY, KEY
from tests.unit.match_log.verifying import (
    a_plain_match,
    a_short_match,
    a_single_answer,
    a_troubled_match,
    failures,
    failures_after,
    first_ply,
    numbered,
    sentence,
    setting,
    verified,
    written,
)


@pytest.mark.parametrize("key", [KEY, FOREIGN_KEY])
@pytest.mark.parametrize("delta", [-1, 1, 40_000_000])
def test_a_bank_that_is_a_nanosecond_off_is_named(delta: int, key: SigningKey) -> None:
    match = a_plain_match()
    index = a_single_answer(match)
    bank = dict(numbered(match))[index].bank_ns
    found = failures_after(match, index, setting("ply.bank_ns", bank + delta), key)
    assert found["clock"] == index
    assert ("signature" in found) == (key is FOREIGN_KEY)


@pytest.mark.parametrize(("field", "value"), [("started_ns", 5), ("over_seat_limit", True)])
def test_a_start_before_the_last_answer_and_a_limit_that_is_not_passed_are_named(
    field: str, value: object
) -> None:
    match = a_plain_match()
    index = a_single_answer(match)
    assert failures_after(match, index, setting(f"ply.{field}", value)) == {"clock": index}


def test_more_network_time_than_the_cap_is_named() -> None:
    """At most 100 ms, and at most a tenth of per_decision, which is 1 s here."""
    match = a_plain_match()
    last = [index for index, ply in numbered(match) if ply.used_ns][
        -1
    ]  # the first action of a plan has its charge
    assert failures_after(match, last, setting("ply.credit_ns", 100_000_000)) == {}
    assert failures_after(match, last, setting("ply.credit_ns", 100_000_001)) == {"clock": last}


@pytest.mark.parametrize(
    ("used_ms", "cause", "bank_ms", "fits"),
    [
        # per_decision 1000, bank 3000, increment 40, grace 5
        (0, Cause.CHOSEN, 3_040, True),
        (1_000, Cause.CHOSEN, 3_040, True),
        (1_500, Cause.CHOSEN, 2_540, True),
        (1_500, Cause.CHOSEN, 3_040, False),
        (4_000, Cause.CHOSEN, 40, True),
        (4_005, Cause.CHOSEN, 40, True),
        (4_006, Cause.CHOSEN, 40, False),
        (4_006, Cause.TIME_FORFEIT, 0, True),
        (4_006, Cause.TIME_FORFEIT, 40, False),
        (4_005, Cause.TIME_FORFEIT, 0, False),
        (0, Cause.ILLEGAL_ACTION, 3_000, True),
        (0, Cause.ILLEGAL_ACTION, 3_040, False),
        (1_500, Cause.ILLEGAL_ACTION, 2_500, True),
        (1_500, Cause.ILLEGAL_ACTION, 3_000, True),  # an illegal plan of two pieces
        (1_500, Cause.ILLEGAL_ACTION, 2_400, False),
        (4_005, Cause.ILLEGAL_ACTION, 995, True),  # an illegal plan of two pieces
        (4_005, Cause.ILLEGAL_ACTION, 0, True),
        (4_006, Cause.ILLEGAL_ACTION, 994, False),
        (4_006, Cause.ILLEGAL_ACTION, 0, False),
    ],
)
def test_a_decision_is_charged_by_the_formula(used_ms: int, cause: Cause, bank_ms: int, fits: bool) -> None:
    """used and over, in time iff over <= bank + grace, bank = max(0, bank - over) + increment: worked out by hand."""
    times = {"used_ns": used_ms * 10**6, "credit_ns": 0, "stall_ns": 0, "bank_ns": bank_ms * 10**6}
    match, ply = a_short_match(action=1, cause=cause, **times)
    assert ("clock" in failures(verified(written(match, ply)))) is not fits


@pytest.mark.parametrize(
    ("used_ms", "bank_ms", "fits"),
    [
        (2_000, 3_080, True),
        (2_000, 2_080, False),  # as if it had been one action
        (2_500, 2_580, True),
        (4_005, 1_075, True),
        (4_006, 1_074, False),  # too late, although less than the bank is over two times per_decision
    ],
)
def test_a_plan_of_two_actions_is_charged_against_two_but_has_the_time_of_one(
    used_ms: int, bank_ms: int, fits: bool
) -> None:
    times = {"used_ns": used_ms * 10**6, "credit_ns": 0, "stall_ns": 0, "bank_ns": bank_ms * 10**6}
    match, first = a_short_match(2, action=1, cause=Cause.CHOSEN, **times)
    second = replace(first, started_ns=0, used_ns=0, bank_ns=0)
    assert ("clock" in failures(verified(written(match, first, second)))) is not fits


def test_a_decision_number_that_is_skipped_is_named() -> None:
    match, _ = a_short_match()
    assert failures_after(match, 2, setting("ply.decision", 2))["clock"] == 2


def test_times_on_a_later_action_of_a_plan_are_named_at_its_first() -> None:
    match = a_plain_match()
    first, later = next(
        (index, later)
        for (index, ply), (later, other) in pairwise(numbered(match))
        if (ply.seat, ply.decision) == (other.seat, other.decision)
    )
    assert failures_after(match, later, setting("ply.stall_ns", 5)) == {"clock": first}


def test_a_default_is_one_action() -> None:
    match, missed = a_short_match(2, action=1, cause=Cause.TIME_FORFEIT, used_ns=9_000 * 10**6, bank_ns=0)
    later = replace(missed, cause=Cause.CHOSEN, started_ns=0, used_ns=0, credit_ns=0, stall_ns=0)
    verification = verified(written(match, missed, later))
    assert failures(verification)["clock"] == 2
    assert "default" in sentence(verification, "clock")


@pytest.mark.parametrize("field", ["decision", "started_ns", "used_ns", "credit_ns", "stall_ns", "bank_ns"])
def test_a_seat_that_has_forfeited_is_not_charged(field: str) -> None:
    match = a_troubled_match()
    index = first_ply(match, lambda ply: ply.cause is Cause.FORFEITED)
    assert failures_after(match, index, setting(f"ply.{field}", 1))["clock"] == index
