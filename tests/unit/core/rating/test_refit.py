"""Ratings fitted to a whole history: what they are, and what they do not depend on."""

import math
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import Refit, refit
from tests.unit.core.rating.histories import BOTS


@st.composite
def histories(draw: st.DrawFn) -> list[FinishedMatch]:
    """Up to 12 matches of 2 to 4 seats, with ties, in groups and alone."""
    history = []
    for _ in range(draw(st.integers(1, 12))):
        players = draw(st.permutations(BOTS))[: draw(st.integers(2, 4))]
        scores = [draw(st.integers(0, 3)) for _ in players]
        placings = tuple(1 + sum(other > score for other in scores) for score in scores)
        history.append(FinishedMatch(tuple(players), placings, group=draw(st.sampled_from((0, 1, 2)))))
    return history


def rating(fitted: Refit, player: str) -> int:
    return next(line.rating_milli for line in fitted.ratings if line.player == player)


def width(fitted: Refit, player: str) -> int:
    return next(line.high_milli - line.low_milli for line in fitted.ratings if line.player == player)


@settings(max_examples=40)
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_the_matches_changes_nothing(history: list[FinishedMatch], random: Random) -> None:
    fitted = refit(history)
    again = refit(random.sample(history, len(history)))
    for line in fitted.ratings:
        assert rating(again, line.player) == pytest.approx(line.rating_milli, abs=1)
        assert width(again, line.player) == pytest.approx(width(fitted, line.player), abs=2)
    for one, other in zip(again.seat_advantages, fitted.seat_advantages, strict=True):
        assert one.advantage_milli == pytest.approx(other.advantage_milli, abs=1)


@settings(max_examples=40)
@given(histories(), st.permutations(BOTS))
def test_the_names_of_the_players_change_nothing(history: list[FinishedMatch], others: list[str]) -> None:
    names = dict(zip(BOTS, others, strict=True))
    renamed = [replace(match, bots=tuple(names[player] for player in match.bots)) for match in history]
    found, again = refit(history), refit(renamed)
    for line in found.ratings:
        assert rating(again, names[line.player]) == pytest.approx(line.rating_milli, abs=2)
        assert width(again, names[line.player]) == pytest.approx(line.high_milli - line.low_milli, abs=4)


@settings(max_examples=40)
@given(histories())
def test_the_ratings_have_the_mean_1500_and_the_seats_the_sum_0(history: list[FinishedMatch]) -> None:
    fitted = refit(history)
    mean = sum(line.rating_milli for line in fitted.ratings) / len(fitted.ratings)
    assert mean == pytest.approx(1_500_000, abs=1)
    for seats in fitted.seat_advantages:
        assert sum(seats.advantage_milli) == pytest.approx(0, abs=seats.seats)
    assert [line.rating_milli for line in fitted.ratings] == sorted(
        (line.rating_milli for line in fitted.ratings), reverse=True
    )


@settings(max_examples=40)
@given(histories())
def test_reversing_every_seat_reverses_the_seat_advantages_alone(history: list[FinishedMatch]) -> None:
    turned = [replace(m, bots=m.bots[::-1], placings=m.placings[::-1]) for m in history]
    found, again = refit(history), refit(turned)
    for line in found.ratings:
        assert rating(again, line.player) == pytest.approx(line.rating_milli, abs=2)
    for one, other in zip(found.seat_advantages, again.seat_advantages, strict=True):
        assert list(other.advantage_milli[::-1]) == pytest.approx(list(one.advantage_milli), abs=2)


@settings(max_examples=40)
@given(histories())
def test_the_same_matches_three_times_over_make_every_interval_narrower(history: list[FinishedMatch]) -> None:
    alone = [replace(match, group=0) for match in history]
    once, thrice = refit(alone), refit(alone * 3)
    for line in once.ratings:
        narrow = width(thrice, line.player) / math.sqrt(thrice.dispersion)
        assert narrow < width(once, line.player) / math.sqrt(once.dispersion)


@settings(max_examples=40)
@given(histories())
def test_superiority_is_that_of_one_or_of_the_other_and_follows_the_ratings(
    history: list[FinishedMatch],
) -> None:
    fitted = refit(history)
    players = [line.player for line in fitted.ratings]
    for better, worse in pairwise(players):
        assert fitted.superiority(better, worse) + fitted.superiority(worse, better) == pytest.approx(1)
        assert fitted.superiority(better, worse) > 0.499
    assert fitted.superiority(players[0], players[0]) == 0.5


def a_duel(wins: int, losses: int, ties: int = 0) -> list[FinishedMatch]:
    """Ant against bee, each match once from either seat."""
    results = [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * ties
    there = [FinishedMatch(("ant", "bee"), placings) for placings in results]
    return there + [FinishedMatch(("bee", "ant"), placings[::-1]) for placings in results]


@pytest.mark.parametrize(("wins", "losses"), [(300, 100), (200, 200), (380, 20)])
def test_a_difference_of_two_ratings_is_the_logarithm_of_the_odds(wins: int, losses: int) -> None:
    """Elo's scale: 400 points for odds of ten to one. The prior takes a little of it."""
    fitted = refit(a_duel(wins, losses))
    points = (rating(fitted, "ant") - rating(fitted, "bee")) / 1000
    assert points == pytest.approx(400 * math.log10(wins / losses), abs=1.5)
    slope = math.log(10) / 400
    error = 1 / (slope * math.sqrt(2 * (1 / (1 / wins + 1 / losses))))
    assert width(fitted, "ant") / 1000 == pytest.approx(1.96 * error, rel=0.01)


def test_ties_of_two_players_leave_the_odds_between_them_as_they_are() -> None:
    few, many = refit(a_duel(200, 100)), refit(a_duel(200, 100, ties=600))
    assert rating(many, "ant") == pytest.approx(rating(few, "ant"), abs=1_000)
    assert rating(refit(a_duel(0, 0, ties=50)), "ant") == 1_500_000


def test_a_player_that_won_every_match_has_a_finite_rating_above_the_others() -> None:
    fitted = refit(a_duel(40, 0))
    best, last = fitted.ratings
    assert (best.player, last.player, best.matches) == ("ant", "bee", 80)
    assert 1_500_000 < best.low_milli < best.rating_milli < best.high_milli < 3_000_000
    assert fitted.superiority("ant", "bee") > 0.99


def test_players_without_a_common_opponent_are_compared_by_the_prior_alone() -> None:
    history = a_duel(30, 10) + [
        FinishedMatch(tuple({"ant": "cat", "bee": "dog"}[player] for player in match.bots), match.placings)
        for match in a_duel(10, 30)
    ]
    fitted = refit(history)
    assert rating(fitted, "ant") == pytest.approx(rating(fitted, "dog"), abs=2)
    assert fitted.superiority("ant", "bee") > 0.999
    assert 0.5 < fitted.superiority("ant", "cat") < 0.75
    assert width(fitted, "ant") > 1_300_000


def test_one_match_moves_a_new_player_little_and_leaves_them_uncertain() -> None:
    settled = a_duel(30, 30)
    fitted = refit([*settled, FinishedMatch(("new", "ant"), (1, 2))])
    newcomer = next(line for line in fitted.ratings if line.player == "new")
    assert newcomer.matches == 1
    assert newcomer.low_milli < rating(fitted, "ant") < newcomer.rating_milli
    assert fitted.superiority("new", "ant") < 0.95


@pytest.mark.parametrize("seats", [2, 4])
def test_a_seat_that_always_wins_is_worth_more_and_the_players_nothing(seats: int) -> None:
    players = BOTS[:seats]
    placings = tuple(range(1, seats + 1))
    turns = [players[k:] + players[:k] for k in range(seats)]
    fitted = refit([FinishedMatch(turn, placings) for turn in turns] * 25)
    assert [line.rating_milli for line in fitted.ratings] == pytest.approx([1_500_000] * seats, abs=2)
    (advantage,) = fitted.seat_advantages
    assert list(advantage.advantage_milli) == sorted(advantage.advantage_milli, reverse=True)
    assert (advantage.seats, advantage.matches) == (seats, 25 * seats)
    assert advantage.advantage_milli[0] > advantage.uncertainty_milli[0]


def test_no_matches_give_no_ratings() -> None:
    fitted = refit([])
    assert (fitted.ratings, fitted.seat_advantages, fitted.matches) == ((), (), 0)


@pytest.mark.parametrize(
    ("players", "placings"), [(("ant",), (1,)), (("ant", "ant"), (1, 2)), (("ant", "bee"), (1, 2, 3))]
)
def test_what_is_no_match_between_players_is_refused(
    players: tuple[str, ...], placings: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match=r"seats|own bot"):
        refit([FinishedMatch(players, placings)])


@settings(max_examples=40)
@given(histories(), st.dictionaries(st.sampled_from(BOTS), st.integers(1_000_000, 2_000_000), min_size=1))
def test_anchors_keep_their_ratings_and_the_others_are_measured_by_them(
    history: list[FinishedMatch], anchors: dict[str, int]
) -> None:
    fitted = refit(history, anchors=anchors)
    for line in fitted.ratings:
        assert line.anchor == (line.player in anchors)
        if line.anchor:
            assert (line.rating_milli, line.low_milli, line.high_milli) == (anchors[line.player],) * 3
        else:
            assert line.low_milli < line.rating_milli < line.high_milli
    raised = refit(history, anchors={bot: points + 300_000 for bot, points in anchors.items()})
    if any(line.anchor for line in fitted.ratings):
        for line in fitted.ratings:
            assert rating(raised, line.player) == pytest.approx(line.rating_milli + 300_000, abs=2)


def test_the_distance_from_an_anchor_is_the_logarithm_of_the_odds() -> None:
    history = [FinishedMatch(("ant", "bee"), (1, 2))] * 300 + [FinishedMatch(("ant", "bee"), (2, 1))] * 100
    history += [FinishedMatch(("bee", "ant"), (2, 1))] * 300 + [FinishedMatch(("bee", "ant"), (1, 2))] * 100
    fitted = refit(history, anchors={"bee": 1_800_000})
    assert rating(fitted, "ant") == pytest.approx(1_800_000 + 400_000 * math.log10(3), abs=1_000)
    assert fitted.superiority("ant", "bee") > 0.999


def test_of_two_anchors_the_one_rated_higher_is_stronger_for_certain() -> None:
    history = [FinishedMatch(("ant", "bee"), (1, 2))]
    apart = refit(history, anchors={"ant": 1_400_000, "bee": 1_600_000})
    assert (apart.superiority("ant", "bee"), apart.superiority("bee", "ant")) == (0, 1)
    assert refit(history, anchors={"ant": 1_400_000, "bee": 1_400_000}).superiority("ant", "bee") == 0.5
