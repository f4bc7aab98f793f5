"""Which matches compare two versions, and how their results are counted."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.finished_match import FinishedMatch
from arena.core.pairing.comparison import (
    FIRST_OPPONENT,
    NEW,
    OLD,
    ComparisonMatch,
    ComparisonPlan,
    ComparisonTally,
    derived_seed,
)
from arena.core.sequential.sprt import GroupScore, Hypotheses, Verdict

PLANS = st.builds(ComparisonPlan, st.integers(2, 6), st.integers(0, 5))
GROUPS = st.integers(0, 30)


def result(placings: tuple[int, ...], forfeited: tuple[bool, ...] | None = None) -> FinishedMatch:
    seats = range(len(placings))
    return FinishedMatch(tuple(map(str, seats)), placings, forfeited or tuple(False for _ in seats))


def drawn(match: ComparisonMatch, seed: int) -> FinishedMatch:
    """Return a result that depends on the match alone; the new bot is the stronger one."""
    random = Random(f"{seed} {match}")
    strength = [random.random() + (0.3 if entrant == NEW else 0) for entrant in match.entrants]
    return result(tuple(1 + sum(other > mine for other in strength) for mine in strength))


@given(PLANS, GROUPS)
def test_both_play_every_seat_equally_often_and_no_line_up_comes_twice(
    plan: ComparisonPlan, group: int
) -> None:
    matches = plan.group(group)
    seats = Counter((entrant, seat) for match in matches for seat, entrant in enumerate(match.entrants))
    often = {seats[bot, seat] for bot in (NEW, OLD) for seat in range(plan.seats)}
    assert len(often) == 1
    assert often != {0}
    assert len({match.entrants for match in matches}) == len(matches) == plan.group_size
    assert [match.place for match in matches] == list(range(len(matches)))


@given(PLANS, GROUPS)
def test_what_one_plays_the_other_plays_on_the_same_seats(plan: ComparisonPlan, group: int) -> None:
    line_ups = {match.entrants for match in plan.group(group)}
    swap = {NEW: OLD, OLD: NEW}
    assert {tuple(swap.get(entrant, entrant) for entrant in line_up) for line_up in line_ups} == line_ups


@given(PLANS.filter(lambda plan: plan.opponents > 0))
def test_all_opponents_play_equally_often_over_as_many_groups_as_there_are(plan: ComparisonPlan) -> None:
    met = Counter(
        entrant
        for group in range(plan.opponents)
        for match in plan.group(group)
        for entrant in match.entrants
        if entrant >= FIRST_OPPONENT
    )
    assert set(met) == set(range(FIRST_OPPONENT, FIRST_OPPONENT + plan.opponents))
    assert len(set(met.values())) == 1


def test_with_two_seats_a_group_is_a_pair_with_the_seats_changed() -> None:
    assert [match.entrants for match in ComparisonPlan(2).group(0)] == [(NEW, OLD), (OLD, NEW)]


@given(PLANS, GROUPS, st.integers(0, 99))
def test_between_two_bots_what_one_wins_the_other_loses(plan: ComparisonPlan, group: int, seed: int) -> None:
    matches = plan.group(group)
    score = plan.score(matches, [drawn(match, seed) for match in matches])
    assert min(score.new, score.old) >= 0
    assert max(score.new, score.old) <= score.most
    if not plan.opponents:
        assert score.new + score.old == score.most


def test_the_score_of_a_field_counts_each_opponent_that_is_worse() -> None:
    plan = ComparisonPlan(3, 2)
    matches = plan.group(0)  # (0, 2, 3), (1, 2, 3), (2, 3, 0), (2, 3, 1), (3, 0, 2), (3, 1, 2)
    assert matches[2].entrants == (2, 3, NEW)
    placings = [(1, 2, 3), (3, 1, 1), (1, 1, 1), (1, 2, 2), (1, 2, 3), (2, 1, 2)]
    assert plan.score(matches, [result(each) for each in placings]) == GroupScore(
        new=4 + 2 + 2, old=0 + 1 + 4, most=12
    )


def test_two_seats_of_the_same_bot_are_no_opponents() -> None:
    plan = ComparisonPlan(4)
    matches = plan.group(0)
    assert [match.entrants for match in matches] == [(NEW, OLD, NEW, OLD), (OLD, NEW, OLD, NEW)]
    played = [result((1, 2, 3, 4)), result((1, 2, 2, 4))]
    assert plan.score(matches, played) == GroupScore(new=4 + 2 + 1, old=2 + 4 + 3, most=16)


def test_who_forfeits_loses_whatever_the_placings_say() -> None:
    plan = ComparisonPlan(2)
    matches = plan.group(0)
    played = [result((0, 0), (True, False)), result((0, 0), (True, True))]
    assert plan.score(matches, played) == GroupScore(new=0 + 1, old=2 + 1, most=4)


@given(PLANS, st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_order_in_which_matches_end_changes_nothing(
    plan: ComparisonPlan, seed: int, random: Random
) -> None:
    hypotheses, groups = Hypotheses(0, 150), 30
    matches = [match for group in range(groups) for match in plan.group(group)]
    in_order, mixed = (ComparisonTally(plan, hypotheses, groups) for _ in range(2))
    for match in matches:
        in_order.add(match, drawn(match, seed))
        in_order.settle()
    random.shuffle(matches)
    for match in matches:
        mixed.add(match, drawn(match, seed))
        if random.random() < 0.2:
            mixed.settle()
    mixed.settle()
    assert mixed.test.ratios == pytest.approx(in_order.test.ratios, abs=1e-6)
    assert mixed.test.verdict is in_order.test.verdict


@given(PLANS, st.integers(0, 99), st.integers(0, 40))
def test_after_a_restart_just_the_matches_are_left_that_were_not_played(
    plan: ComparisonPlan, seed: int, lost: int
) -> None:
    hypotheses = Hypotheses(-1, 1, 1e-9, 1e-9)
    matches = [match for group in range(6) for match in plan.group(group)]
    missing = matches[lost % len(matches)]
    tally = ComparisonTally(plan, hypotheses, 6)
    for match in matches:
        if match != missing:
            tally.add(match, drawn(match, seed))
    tally.settle()
    assert list(tally.left()) == [missing]
    tally.add(missing, drawn(missing, seed))
    tally.settle()
    assert (list(tally.left()), tally.over, tally.test.verdict) == ([], True, Verdict.UNDECIDED)


def test_no_match_is_left_after_a_verdict() -> None:
    plan = ComparisonPlan(2)
    tally = ComparisonTally(plan, Hypotheses(0, 200), 1_000)
    left = tally.left()
    for match in left:
        tally.add(match, result((1, 2) if match.entrants[0] == NEW else (2, 1)))
        tally.settle()
    assert tally.test.verdict is Verdict.BETTER
    assert tally.test.estimate().groups < 20


def test_every_group_has_a_seed_of_its_own() -> None:
    secret = bytes(32)
    assert len({derived_seed(secret, group) for group in range(1_000)}) == 1_000
    assert derived_seed(secret, 0) != derived_seed(bytes([1] * 32), 0)
    assert len(derived_seed(secret, 0)) == 32
