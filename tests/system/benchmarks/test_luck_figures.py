"""What the figures of luck say of results that are known."""

import math
from itertools import permutations
from random import Random
from statistics import NormalDist, fmean

import pytest

from benchmarks import luck_figures as figures
from benchmarks.luck_groups import Group, SeatedMatch


def likelihood_from_games(won: float, lost: float) -> float:
    """How likely the one who won more is the stronger one, as chess programs reckon it: from won and lost alone."""
    return (1 + math.erf((won - lost) / math.sqrt(2 * (won + lost)))) / 2


def a_group(first: int, seats: int = 3) -> Group:
    """All bots alike; whoever is asked first wins, the next one is second and so on."""
    bots = tuple("abcdef"[:seats])
    placings = tuple((seat - first) % seats + 1 for seat in range(seats))
    return tuple(SeatedMatch(bots[k:] + bots[:k], placings, first) for k in range(seats))


@pytest.mark.parametrize("points", [10, 50, 200])
def test_so_many_games_and_no_fewer_make_the_likelihood_that_chess_programs_reckon(points: int) -> None:
    """A "group" of one game without ties, whose variance is a quarter."""
    games = figures.groups_needed(0.25, points, likelihood=0.95, in_runs=0.5)
    share = 1 / (1 + 10 ** (-points / 400))
    assert likelihood_from_games(share * games, (1 - share) * games) >= 0.95
    assert likelihood_from_games(share * (games - 1), (1 - share) * (games - 1)) < 0.95


@pytest.mark.parametrize("in_runs", [0.5, 0.95])
def test_in_that_part_of_all_runs_the_better_bot_is_found(in_runs: float) -> None:
    """Groups of two matches between bots 50 Elo apart, drawn; both matches of a group have one winner in a third."""
    dice, better, runs = Random(1), figures.expected_score(50), 600

    def group() -> float:
        first = dice.random() < better
        second = first if dice.randrange(3) == 0 else dice.random() < better
        return (first + second) / 2

    spread = figures.variance([group() for _ in range(20_000)])
    needed = figures.groups_needed(spread, 50, likelihood=0.95, in_runs=in_runs)
    found = 0
    for _ in range(runs):
        results = [group() for _ in range(needed)]
        lead = (fmean(results) - 0.5) / math.sqrt(spread / needed)
        found += NormalDist().cdf(lead) >= 0.95
    assert abs(found / runs - in_runs) < 4 * math.sqrt(in_runs * (1 - in_runs) / runs) + 0.01


@pytest.mark.parametrize("seats", range(2, 7))
def test_from_so_many_groups_on_an_interval_of_tosses_does_not_reach_the_difference(seats: int) -> None:
    least = figures.groups_for_an_interval(50, seats)
    enough, too_few = (figures.half_of_tosses(groups, seats) for groups in (least, least - 1))
    assert enough <= figures.expected_score(50) - 0.5 < too_few
    dice = Random(seats)
    drawn = [fmean(dice.randrange(2) for _ in range(seats)) for _ in range(100 * least)]
    spread = figures.mean_of(drawn).half * 10  # that of a hundredth of them
    assert spread == pytest.approx(figures.expected_score(50) - 0.5, rel=0.05)


def test_half_of_the_variance_takes_half_of_the_groups() -> None:
    whole = figures.groups_needed(0.1, 20, likelihood=0.95, in_runs=0.5)
    assert abs(figures.groups_needed(0.05, 20, likelihood=0.95, in_runs=0.5) - whole / 2) <= 1


def test_points_and_scores_are_those_of_elo() -> None:
    assert figures.expected_score(0) == 0.5
    assert figures.expected_score(400) == pytest.approx(10 / 11)
    assert figures.points_of(figures.expected_score(-73)) == pytest.approx(-73)
    assert figures.points_of(1) == figures.points_of(2) < 1300


def test_the_advantage_of_a_place_is_seen_in_single_matches_and_gone_after_the_group() -> None:
    groups = [a_group(first) for first in (0, 1, 2, 1)]
    assert [each.value for each in figures.by_place(groups)] == [0.5, 0.0, -0.5]
    for after in (figures.by_place_in_the_first_match(groups), figures.by_seat_in_the_first_match(groups)):
        assert [(each.value, each.half) for each in after] == [(0.0, 0.0)] * 3


def test_a_bot_that_is_better_wherever_it_sits_stays_so_after_the_group() -> None:
    group = tuple(
        SeatedMatch(bots, tuple("abc".index(bot) + 1 for bot in bots), 0)
        for bots in (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))
    )
    assert figures.group_scores([group], "a") == [1.0]
    assert figures.group_results([group], "b", "c") == [1.0]
    assert figures.match_results([group], "c", "a") == [0.0, 0.0, 0.0]


def test_ties_count_half() -> None:
    match = SeatedMatch(("a", "b", "c"), (1, 1, 3), 2)
    assert (match.score("a"), match.score("b"), match.score("c")) == (0.75, 0.75, 0.0)


def test_what_a_shared_seed_takes_away_is_in_the_interval_about_as_often_as_it_says() -> None:
    dice, held = Random(2), 0
    for _ in range(200):
        own = [dice.gauss(0, 2) for _ in range(60)]
        shared = [dice.gauss(0, 1) for _ in range(60)]
        taken = figures.taken_away(own, shared)
        assert taken is not None
        held += taken.holds(0.75)
    assert held > 180


def test_where_all_groups_end_alike_a_shared_seed_takes_all_or_there_is_nothing_to_take() -> None:
    assert figures.taken_away([0.5, 1.0], [0.5, 0.5]) == figures.Estimate(1.0, 0.0)
    assert figures.taken_away([0.5, 0.5], [0.5, 1.0]) is None


def test_an_interval_is_that_of_the_normal_distribution() -> None:
    values = [float(sum(each)) for each in permutations(range(4), 2)]
    found = figures.mean_of(values)
    assert found.value == 3
    assert found.half == pytest.approx(1.959964 * math.sqrt(figures.variance(values) / len(values)))
    assert figures.Estimate(1.0, 0.5).holds(0.5)
    assert not figures.Estimate(1.0, 0.5).holds(1.6)
