"""Match groups: rotated seats, and a shared seed only where it tells nobody anything. docs/matchmaking.md."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ErrorReason, FailedPreconditionError, InvalidArgumentError
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import (
    check_seed_policy,
    default_seed_policy,
    needs_isolation,
    plan_board,
    plan_group,
    replay_attempt,
)
from arena.core.seeds import match_seed, seat_order
from engine.game import Chance

SECRET = bytes(range(32))
BOTS = ["ant", "bee", "cat", "dog", "elk", "fox"]


@given(st.integers(2, 6), st.integers(1, 10**6), st.sampled_from([SeedPolicy.DERIVED, SeedPolicy.SHARED]))
def test_over_a_group_each_bot_sits_on_each_seat_once(count: int, group: int, policy: SeedPolicy) -> None:
    plans = plan_group(SECRET, group, BOTS[:count], policy)
    seated = Counter((seat, bot) for plan in plans for seat, bot in enumerate(plan.bots))
    assert seated == {(seat, bot): 1 for seat in range(count) for bot in BOTS[:count]}


def test_the_first_match_seats_the_drawn_order_and_the_next_ones_rotate_it() -> None:
    first, second, third = plan_group(SECRET, 5, {"cat", "bee", "ant"}, SeedPolicy.DERIVED)
    a, b, c = seat_order(SECRET, 5, ["ant", "bee", "cat"])
    assert (first.bots, second.bots, third.bots) == ((a, b, c), (b, c, a), (c, a, b))


def test_each_match_has_its_own_seed_unless_the_seed_is_shared() -> None:
    derived = plan_group(SECRET, 5, BOTS[:3], SeedPolicy.DERIVED)
    assert [(plan.seed_group_index, plan.seed) for plan in derived] == [
        (k, match_seed(SECRET, 5, k, 0)) for k in range(3)
    ]
    shared = plan_group(SECRET, 5, BOTS[:3], SeedPolicy.SHARED)
    assert {(plan.seed_group_index, plan.seed) for plan in shared} == {(0, match_seed(SECRET, 5, 0, 0))}
    assert [plan.bots for plan in shared] == [plan.bots for plan in derived]


@given(st.sets(st.sampled_from(BOTS), min_size=1), st.integers(1, 10**6), st.booleans())
def test_a_board_is_one_match_for_each_bot_in_the_drawn_order(
    bots: set[str], group: int, shared: bool
) -> None:
    plans = plan_board(SECRET, group, bots, SeedPolicy.SHARED if shared else SeedPolicy.DERIVED)
    assert tuple(bot for plan in plans for bot in plan.bots) == seat_order(SECRET, group, bots)
    assert {len(plan.bots) for plan in plans} == {1}
    assert [(plan.seed_group_index, plan.seed) for plan in plans] == [
        (k * (not shared), match_seed(SECRET, group, k * (not shared), 0)) for k in range(len(bots))
    ]


@pytest.mark.parametrize(("plan", "fewest"), [(plan_group, 2), (plan_board, 1)])
def test_a_group_needs_two_different_bots_a_board_one_and_neither_a_fixed_seed(
    plan: Callable[[bytes, int, list[str], SeedPolicy], object], fewest: int
) -> None:
    for bots in ([], ["ant", "ant"], ["ant"][: fewest - 1]):
        with pytest.raises(ValueError, match="different bots"):
            plan(SECRET, 5, bots, SeedPolicy.DERIVED)
    with pytest.raises(ValueError, match="not fixed"):
        plan(SECRET, 5, BOTS[:fewest], SeedPolicy.FIXED)


@pytest.mark.parametrize(
    ("chance", "isolated", "policy"),
    [
        (Chance.HIDDEN, False, SeedPolicy.DERIVED),
        (Chance.HIDDEN, True, SeedPolicy.SHARED),
        (Chance.OPEN, False, SeedPolicy.SHARED),
        (Chance.OPEN, True, SeedPolicy.SHARED),
        (Chance.NONE, False, SeedPolicy.DERIVED),
        (Chance.NONE, True, SeedPolicy.DERIVED),
    ],
)
def test_the_default_seed_policy_by_chance_and_isolation(
    chance: Chance, isolated: bool, policy: SeedPolicy
) -> None:
    assert default_seed_policy(chance, isolated=isolated) is policy
    check_seed_policy(policy, chance, isolated=isolated)


def test_hidden_chance_shared_with_bots_that_may_remember_and_fixed_seeds_are_refused() -> None:
    with pytest.raises(FailedPreconditionError, match="cannot share a seed") as caught:
        check_seed_policy(SeedPolicy.SHARED, Chance.HIDDEN, isolated=False)
    assert caught.value.reason is ErrorReason.SHARED_SEED_REFUSED
    with pytest.raises(InvalidArgumentError, match="can be guessed"):
        check_seed_policy(SeedPolicy.FIXED, Chance.NONE, isolated=True)


def test_a_replay_has_a_new_seed_unless_the_seed_is_shared() -> None:
    assert [replay_attempt(3, policy) for policy in (SeedPolicy.DERIVED, SeedPolicy.SHARED)] == [4, 3]


def test_only_a_shared_seed_with_hidden_draws_needs_bots_that_carry_nothing_over() -> None:
    isolated = [
        (policy, chance) for policy in SeedPolicy for chance in Chance if needs_isolation(policy, chance)
    ]
    assert isolated == [(SeedPolicy.SHARED, Chance.HIDDEN)]
