"""How certain a rating is: docs/ratings.md, "Uncertainty". Expected values are worked out here in floats."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.finished_match import FinishedMatch
from arena.core.rating.elo import ESTABLISHED_K, PROVISIONAL_K, rate_group
from arena.core.rating.rating import INITIAL, PRIOR_INFORMATION, Rating, uncertainty_milli
from tests.unit.core.rating.histories import BOTS, a_match, groups


def with_sigma(points: float, rating: float = 1500) -> Rating:
    """Return an established rating with this standard deviation."""
    return Rating(round(1000 * rating), round(1e12 / points**2), "1", 100)


def sigma(rating: Rating) -> float:
    return math.sqrt(1e12 / rating.information)


def after(ratings: dict[str, Rating], *matches: FinishedMatch) -> dict[str, float]:
    """Return standard deviations in points."""
    return {change.bot: sigma(change.after) for change in rate_group(ratings, matches)}


def slope(gap: float, own: float, other: float) -> float:
    """ln 10 / 400 * E (1 - E), averaged over a normal distribution of the gap by numbers: no formula for it."""
    spread = math.hypot(own, other)
    steps = [i / 100 for i in range(-600, 601)]
    weights = [math.exp(-step * step / 2) for step in steps]
    scores = [1 / (1 + 10 ** (-(gap + spread * step) / 400)) for step in steps]
    products = (weight * score * (1 - score) for weight, score in zip(weights, scores, strict=True))
    return math.log(10) / 400 * sum(products) / sum(weights)


def test_a_new_bot_shows_686_points() -> None:
    assert INITIAL.uncertainty_milli == 686_000


@pytest.mark.parametrize("points", [1, 17.3, 60, 349])
def test_it_is_196_hundredths_of_the_standard_deviation(points: float) -> None:
    assert with_sigma(points).uncertainty_milli == pytest.approx(1960 * points, rel=1e-6)


@given(st.integers(PRIOR_INFORMATION, 10**15))
def test_more_information_never_means_more_uncertainty(information: int) -> None:
    assert uncertainty_milli(information + 1) <= uncertainty_milli(information)


@pytest.mark.parametrize(
    ("seats", "placings_variance"), [(2, 3 / 12), (3, 8 / 12), (4, 15 / 12), (6, 35 / 12)]
)
def test_one_match_between_equals_moves_the_variance_as_the_update_rule_does(
    seats: int, placings_variance: float
) -> None:
    """The variance of a random placing among n is (n*n - 1) / 12; the slope is averaged over what is not known."""
    bots = ["ant", "bee", "cat", "dog", "elk", "fox"][:seats]
    own, others = 30.0, 20.0
    ratings = dict.fromkeys(bots, with_sigma(others)) | {"ant": with_sigma(own)}
    step = ESTABLISHED_K / (seats - 1)
    pull = step * slope(0, own, others)
    variance = (
        (1 - pull * (seats - 1)) ** 2 * own**2
        + (seats - 1) * (pull * others) ** 2
        + step**2 * placings_variance
    )
    assert after(ratings, a_match(1, *bots))["ant"] == pytest.approx(math.sqrt(variance), rel=5e-3)


@pytest.mark.parametrize(
    ("gap", "own", "other"), [(0, 350, 350), (0, 350, 30), (150, 200, 60), (-400, 60, 60)]
)
def test_what_is_not_known_of_the_two_ratings_weakens_the_pull_of_a_match(
    gap: float, own: float, other: float
) -> None:
    ratings = {"ant": with_sigma(own, 1500 + gap), "bee": with_sigma(other)}
    pull = ESTABLISHED_K * slope(gap, own, other)
    expected = 1 / (1 + 10 ** (-gap / 400))
    noise = ESTABLISHED_K**2 * expected * (1 - expected)
    variance = (1 - pull) ** 2 * own**2 + (pull * other) ** 2 + noise
    assert after(ratings, a_match(1, "ant", "bee"))["ant"] == pytest.approx(math.sqrt(variance), rel=1e-2)


def test_a_new_version_is_less_certain_by_a_hundred_points() -> None:
    old = Rating(1_500_000, round(1e12 / 30**2), "0", 100)
    opponent = with_sigma(30)
    found = after({"ant": old, "bee": opponent}, a_match(1, "ant", "bee"))["ant"]
    variance_before = 30**2 + 100**2
    pull = PROVISIONAL_K * slope(0, math.sqrt(variance_before), 30)
    variance = (1 - pull) ** 2 * variance_before + (pull * 30) ** 2 + PROVISIONAL_K**2 / 4
    assert found == pytest.approx(math.sqrt(variance), rel=5e-3)


def test_however_long_it_plays_a_live_rating_keeps_the_noise_of_its_k() -> None:
    """Live Elo forgets: its variance goes to where what an update brings and what it takes are equal, not to 0."""
    ratings = {"ant": INITIAL, "bee": INITIAL}
    for number in range(400):
        match = a_match(number, "ant", "bee", placed=[1, 2] if number % 2 else [2, 1])
        ratings = {change.bot: change.after for change in rate_group(ratings, [match])}
    found = sigma(ratings["ant"])
    pull = ESTABLISHED_K * slope(0, found, found)
    # Both errors enter each update: P = (1 - pull)**2 P + pull**2 P + noise.
    limit = ESTABLISHED_K**2 / 4 / (2 * pull - 2 * pull**2)
    assert found == pytest.approx(math.sqrt(limit), rel=0.02)


@given(st.lists(groups(), max_size=6))
def test_no_rating_is_less_certain_than_that_of_a_new_bot(history: list[tuple[FinishedMatch, ...]]) -> None:
    ratings = dict.fromkeys(BOTS, INITIAL)
    for group in history:
        ratings |= {change.bot: change.after for change in rate_group(ratings, group)}
    assert all(rating.uncertainty_milli <= 686_000 for rating in ratings.values())
