"""Several measurements of one thing, summed up without flattery."""

from collections.abc import Callable
from math import ceil, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import Spread, percentile, ratios, spread

positive = st.floats(min_value=1e-3, max_value=1e6)


def test_a_spread_is_the_lowest_the_middle_and_the_highest() -> None:
    assert spread([3, 1, 2]) == Spread(1, 2, 3)
    assert spread([4, 1, 2, 3]) == Spread(1, 2.5, 4)
    assert spread([7]) == Spread(7, 7, 7)


@pytest.mark.parametrize(
    ("use", "needed"),
    [
        (lambda: spread([]), "measurements"),
        (lambda: spread([nan]), "measurements"),
        (lambda: spread([1.0, inf]), "measurements"),
        (lambda: ratios([(1, 2), (1, 0)]), "ratio"),
        (lambda: percentile([], 0.5), "percentile"),
    ],
)
def test_what_was_not_measured_is_refused(use: Callable[[], object], needed: str) -> None:
    with pytest.raises(ValueError, match=needed):
        use()


def test_each_pair_is_a_ratio_of_its_own() -> None:
    """The machine was twice as fast for the second pair: that changes nothing."""
    assert ratios([(50, 100), (100, 200), (60, 100)]) == Spread(0.5, 0.5, 0.6)


def test_the_ratio_of_the_medians_is_not_what_counts() -> None:
    assert ratios([(1, 2), (4, 4), (9, 6)]).middle == 1.0
    assert ratios([(1, 4), (4, 2), (9, 6)]).middle == 1.5  # the medians would say 4 over 4


@given(st.lists(st.tuples(positive, positive), min_size=1, max_size=9), st.floats(0.1, 10))
def test_a_machine_that_is_slower_for_a_whole_pair_changes_no_ratio(
    pairs: list[tuple[float, float]], factor: float
) -> None:
    slowed = [(ours * factor, theirs * factor) for ours, theirs in pairs]
    before, after = ratios(pairs), ratios(slowed)
    assert after.middle == pytest.approx(before.middle)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=200), st.sampled_from([0.5, 0.95, 0.99, 1.0]))
def test_a_percentile_is_the_lowest_value_that_so_many_do_not_exceed(
    values: list[float], share: float
) -> None:
    found = percentile(sorted(values), share)
    enough = ceil(share * len(values))
    assert sum(value <= found for value in values) >= enough
    assert sum(value < found for value in values) < enough


def test_both_sides_are_measured_in_turns_after_one_of_each_that_does_not_count() -> None:
    order: list[str] = []

    def side(name: str) -> int:
        order.append(name)
        return len(order)

    pairs = interleaved(lambda: side("ours"), lambda: side("theirs"), 3)
    assert order == ["ours", "theirs"] * 4
    assert pairs == [(3, 4), (5, 6), (7, 8)]
