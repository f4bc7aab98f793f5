"""Rating histories that are thinned to a number of points."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from arena.core.rating.history import RatingPoint, thinned


def points(versions: Sequence[str]) -> list[RatingPoint]:
    """Return a point for each of these versions, numbered from 0 by its group."""
    return [
        RatingPoint(1_500_000, 10**6, version, 2 * number, number, number, number, taken_back=False)
        for number, version in enumerate(versions)
    ]


def kept(versions: Sequence[str], most: int) -> list[int]:
    """Return the places of the points that are left."""
    return [point.at_us for point in thinned(points(versions), most)]


HISTORIES = st.lists(st.sampled_from("abcde"), max_size=120)


@given(HISTORIES, st.integers(1, 130))
def test_never_more_points_than_wanted_are_left_and_all_if_they_are_few(
    versions: list[str], most: int
) -> None:
    left = kept(versions, most)
    assert left == sorted(set(left))
    assert len(left) == len(versions) if len(versions) <= most else 0 < len(left) <= most


@given(HISTORIES.filter(bool), st.integers(7, 130))
def test_the_first_the_last_and_the_first_of_each_version_are_left(versions: list[str], most: int) -> None:
    wanted = {0, len(versions) - 1, *(versions.index(version) for version in versions)}
    assert wanted <= set(kept(versions, most))


@given(st.integers(2, 3000), st.integers(2, 200))
def test_the_points_of_one_version_are_evenly_chosen(count: int, most: int) -> None:
    left = kept("a" * count, most)
    steps = {later - earlier for earlier, later in pairwise(left)}
    assert len(left) == min(count, most)
    assert max(steps) - min(steps) <= 1


def test_more_versions_than_points_are_chosen_evenly_too() -> None:
    versions = [f"v{number // 2}" for number in range(20)]
    assert kept(versions, 3) == [0, 10, 19]
    assert kept(versions, 2) == [0, 19]
    assert kept(versions, 1) == [19]


@given(st.sets(st.integers(0, 99), max_size=8), st.integers(12, 40))
def test_the_closes_of_seasons_are_kept(closes: set[int], most: int) -> None:
    history = [
        replace(point, group=None, match=None, closed_season=1) if place in closes else point
        for place, point in enumerate(points("a" * 100))
    ]
    found = [point.at_us for point in thinned(history, most)]
    assert closes <= set(found)
    assert len(found) <= most
