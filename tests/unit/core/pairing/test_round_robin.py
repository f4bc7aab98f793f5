"""The plan of a round-robin (docs/tournaments.md)."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.pairing.round_robin import MOST_MATCHES, round_robin


def names(count: int) -> tuple[str, ...]:
    """So many bots, not in the order of their names."""
    return tuple(f"b{number}" for number in reversed(range(count)))


sizes = st.integers(2, 4).flatmap(lambda seats: st.tuples(st.just(seats), st.integers(seats, 9)))


@given(sizes, st.integers(1, 3))
def test_every_choice_of_bots_meets_once_in_every_round(size: tuple[int, int], rounds: int) -> None:
    seats, count = size
    plan = round_robin(names(count), seats=seats, rounds=rounds)
    every = [frozenset(choice) for choice in combinations(names(count), seats)]
    for turn in range(rounds):
        own = plan[turn * len(every) : (turn + 1) * len(every)]
        assert Counter(frozenset(pairing.bots) for pairing in own) == Counter(every)
        assert {pairing.round for pairing in own} == {turn + 1}
    assert [pairing.number for pairing in plan] == list(range(1, len(plan) + 1))


@given(sizes, st.integers(1, 2))
def test_at_no_point_of_the_plan_has_a_bot_played_over_two_pairings_more_than_another(
    size: tuple[int, int], rounds: int
) -> None:
    seats, count = size
    played = Counter(dict.fromkeys(names(count), 0))
    for pairing in round_robin(names(count), seats=seats, rounds=rounds):
        played.update(pairing.bots)
        assert max(played.values()) - min(played.values()) <= 2


def test_with_an_even_number_every_line_of_pairs_has_every_bot_once() -> None:
    plan = round_robin(names(8), seats=2, rounds=1)
    for line in range(7):
        assert {bot for pairing in plan[line * 4 : line * 4 + 4] for bot in pairing.bots} == set(names(8))


def test_too_few_bots_for_one_match_are_refused() -> None:
    with pytest.raises(FailedPreconditionError, match="3 seats") as caught:
        round_robin(names(2), seats=3, rounds=1)
    assert caught.value.reason is ErrorReason.TOO_FEW_BOTS


def test_a_plan_may_have_ten_thousand_matches_and_no_more() -> None:
    assert len(round_robin(names(5), seats=2, rounds=500)) * 2 == MOST_MATCHES
    with pytest.raises(FailedPreconditionError, match="10020 matches") as caught:
        round_robin(names(5), seats=2, rounds=501)
    assert caught.value.reason is ErrorReason.PLAN_TOO_LARGE


def test_a_plan_of_a_thousand_bots_is_refused_before_it_is_made() -> None:
    with pytest.raises(FailedPreconditionError, match="take fewer bots"):
        round_robin(names(1000), seats=4, rounds=2**32 - 1)
