"""The refit beside fits that others have published, and beside an independent library.

They use no prior, or another, and most of them no seats: a prior of a tenth of a point keeps seats at 0, and one of
a hundred thousand points leaves all else alone.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import choix
import numpy as np
import pytest

from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import Prior, Refit, refit

POINTS = 400 / math.log(10)
NO_SEATS = Prior(strength=1e5, seat=0.1, tie=1e5)
MOST_LIKELY = Prior(strength=1e5, seat=1e5, tie=1e5)
DATA = Path(__file__).parents[3] / "data" / "rankings"


def logarithms(fitted: Refit, reference: str) -> dict[str, float]:
    """Strengths in logarithms of the odds against the reference."""
    points = {rating.player: rating.rating_milli / 1000 for rating in fitted.ratings}
    return {player: (rating - points[reference]) / POINTS for player, rating in points.items()}


def standard_errors(fitted: Refit) -> dict[str, float]:
    """Of the strengths about their mean, in logarithms of the odds; the published fits widen nothing."""
    widened = 1.959964 * math.sqrt(fitted.dispersion) * 1000 * POINTS
    return {rating.player: (rating.high_milli - rating.low_milli) / 2 / widened for rating in fitted.ratings}


BASEBALL = """
    Milwaukee  4-3 4-2 4-3 6-1 4-2 6-0 | Detroit   3-3 4-2 4-3 6-0 6-1 4-3
    Toronto    2-5 4-3 2-4 4-3 4-2 6-0 | New York  3-3 5-1 2-5 4-3 4-2 6-1
    Boston     5-1 2-5 3-3 4-2 5-2 6-0 | Cleveland 2-5 3-3 3-4 4-3 4-2 2-4
    Baltimore  2-5 1-5 1-6 2-4 1-6 3-4
"""
"""Games won and lost at home against the others, in this same order of the teams: the American League East of 1987."""

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")


def baseball() -> Iterable[FinishedMatch]:
    """Seat 0 is at home."""
    for line in BASEBALL.replace("\n", "|").split("|"):
        if words := line.split():
            home, scores = " ".join(words[:-6]), words[-6:]
            for away, score in zip((team for team in TEAMS if team != home), scores, strict=True):
                won, lost = map(int, score.split("-"))
                yield from [FinishedMatch((home, away), (1, 2))] * won
                yield from [FinishedMatch((home, away), (2, 1))] * lost


@pytest.mark.parametrize(
    ("prior", "published"),
    [
        (
            NO_SEATS,
            {"Boston": 1.1077, "Cleveland": 0.6839, "Detroit": 1.4364, "Milwaukee": 1.5814, "New York": 1.2476,
             "Toronto": 1.2945},
        ),
        (
            MOST_LIKELY,
            {"Boston": 1.1438, "Cleveland": 0.7047, "Detroit": 1.4754, "Milwaukee": 1.6196, "New York": 1.2813,
             "Toronto": 1.3271},
        ),
    ],
    ids=["home or away is one", "with the advantage of the home team"],
)  # fmt: skip
def test_the_baseball_teams_of_agresti(prior: Prior, published: Mapping[str, float]) -> None:
    """A. Agresti, Categorical Data Analysis (2nd ed. 2002), 10.6; digits as in the R package BradleyTerry2."""
    found = logarithms(refit(baseball(), prior), "Baltimore")
    assert found == pytest.approx({**published, "Baltimore": 0}, abs=6e-5)


def test_the_advantage_of_the_home_team_of_agresti() -> None:
    """0.3023 with a standard error of 0.1309: half of it for the team at home, and half against the other."""
    fitted = refit(baseball(), MOST_LIKELY)
    (advantage,) = fitted.seat_advantages
    assert advantage.matches == sum(1 for _ in baseball())
    assert [milli / 1000 / POINTS for milli in advantage.advantage_milli] == pytest.approx(
        [0.15115, -0.15115], abs=3e-5
    )
    for milli in advantage.uncertainty_milli:
        error = milli / 1000 / POINTS / 1.959964 / math.sqrt(fitted.dispersion)
        assert error == pytest.approx(0.1309 / 2, abs=3e-5)


PUDDING = (
    (1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13), (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12), (3, 5, 16, 15, 17), (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12), (2, 6, 22, 20, 12), (3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12),
)  # fmt: skip
"""Two brands of pudding, how often the one, the other, and neither was preferred."""


def pudding() -> Iterable[FinishedMatch]:
    for one, other, wins, losses, ties in PUDDING:
        brands = (str(one), str(other))
        yield from [FinishedMatch(brands, (1, 2))] * wins
        yield from [FinishedMatch(brands, (2, 1))] * losses
        yield from [FinishedMatch(brands, (1, 1))] * ties


def test_the_puddings_of_davidson_which_often_tie() -> None:
    """R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments",
    JASA 65 (1970), example 2: he stopped at a fifth digit. Standard errors as in the R package PlackettLuce.
    """
    fitted = refit(pudding(), NO_SEATS)
    worths = {brand: math.exp(strength) for brand, strength in logarithms(fitted, "1").items()}
    found = {int(brand): worth / sum(worths.values()) for brand, worth in worths.items()}
    published = {1: 0.1388005, 2: 0.1729985, 3: 0.1617420, 4: 0.1653930, 5: 0.1586805, 6: 0.2023855}
    assert found == pytest.approx(published, abs=2.5e-5)
    errors = {"1": 0.121949, "2": 0.121818, "3": 0.126823, "4": 0.122003, "5": 0.127054, "6": 0.126594}
    assert standard_errors(fitted) == pytest.approx(errors, abs=3e-5)


def test_the_superiority_of_one_pudding_over_another_has_the_joint_standard_error() -> None:
    """0.3771 with a standard error of 0.1924 between brands 6 and 1: 1.960 standard errors."""
    fitted = refit(pudding(), NO_SEATS)
    deviations = 0.3771362 / 0.1924059 / math.sqrt(fitted.dispersion)
    expected = (1 + math.erf(deviations / math.sqrt(2))) / 2
    assert fitted.superiority("6", "1") == pytest.approx(expected, abs=1e-5)
    assert fitted.superiority("1", "6") == pytest.approx(1 - expected, abs=1e-5)


def test_the_nascar_drivers_of_hunter_up_to_43_in_a_race() -> None:
    """D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), table 2."""
    lines = (DATA / "nascar_2002.txt").read_text(encoding="ascii").splitlines()
    races = [
        [driver for driver in line.split() if int(driver) < 84] for line in lines if not line.startswith("#")
    ]
    assert len(races) == 36
    fitted = refit((FinishedMatch(tuple(race), tuple(range(1, len(race) + 1))) for race in races), NO_SEATS)
    found = logarithms(fitted, "1")
    drivers = {"58": 4.15, "68": 3.62, "51": 2.08, "15": 0.03, "17": -0.31, "40": -0.15}
    assert {driver: round(found[driver], 2) for driver in drivers} == drivers


def test_an_independent_library_finds_the_same_strengths() -> None:
    """choix adds a penalty of alpha times the sum of squares: a normal prior with the variance 1 / (2 alpha)."""
    random = Random(5)
    orders = [tuple(random.sample(range(6), random.choice((2, 3, 4)))) for _ in range(60)]
    players = [f"bot-{number}" for number in range(6)]
    alpha = 0.05
    theirs = choix.opt_rankings(6, orders, alpha=alpha, tol=1e-8)
    prior = Prior(strength=POINTS / math.sqrt(2 * alpha), seat=0.1)
    history = [
        FinishedMatch(tuple(players[each] for each in order), tuple(range(1, len(order) + 1)))
        for order in orders
    ]
    ours = {rating.player: rating.rating_milli for rating in refit(history, prior).ratings}
    expected = 1_500_000 + 1000 * POINTS * (theirs - np.mean(theirs))
    assert [ours[player] for player in players] == pytest.approx(list(expected), abs=20)
