"""How a match group changes ratings: docs/ratings.md, "Live Elo". Expected values are worked out here in floats."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.finished_match import FinishedMatch
from arena.core.rating.elo import ESTABLISHED_K, PROVISIONAL_K, Change, pair_halves, rate_group
from arena.core.rating.rating import INITIAL, Rating
from tests.unit.core.rating.histories import BOTS, a_match, a_rating, groups


def formula(points: float) -> float:
    return 1 / (1 + 10 ** (-points / 400))


def deltas(ratings: dict[str, Rating], *matches: FinishedMatch) -> dict[str, int]:
    return {change.bot: change.delta_milli for change in rate_group(ratings, matches)}


def one_change(rating: Rating, *matches: FinishedMatch) -> Change:
    """Return the change of the bot "ant" against established opponents at 1500 points."""
    ratings = {bot: a_rating() for bot in BOTS} | {"ant": rating}
    return next(change for change in rate_group(ratings, matches) if change.bot == "ant")


ESTABLISHED = {bot: a_rating() for bot in BOTS}


# The example that encyclopedias give for Elo: a player of 1613 meets five opponents.
EXAMPLE = [(1609, 0, 0.51), (1477, 0.5, 0.69), (1388, 1, 0.79), (1586, 1, 0.54), (1720, 0, 0.35)]


@pytest.mark.parametrize(("opponent", "score", "expected"), EXAMPLE)
def test_the_published_example_of_a_player_rated_1613_comes_out(
    opponent: int, score: float, expected: float
) -> None:
    placed = {0: (2, 1), 0.5: (1, 1), 1: (1, 2)}[score]
    ratings = {"ant": a_rating(1613), "bee": a_rating(opponent)}
    delta = deltas(ratings, a_match(1, "ant", "bee", placed=placed))["ant"]
    assert delta / 1000 == pytest.approx(ESTABLISHED_K * (score - expected), abs=0.005 * ESTABLISHED_K)


def test_a_match_of_four_is_its_six_pairs_from_the_ratings_before_it() -> None:
    points = {"ant": 1700.0, "bee": 1550.0, "cat": 1500.0, "dog": 1320.0}
    ratings = {bot: a_rating(value) for bot, value in points.items()}
    placed = {"dog": 1, "ant": 2, "cat": 2, "bee": 4}
    score = {(-1): 1.0, 0: 0.5, 1: 0.0}

    def expected(bot: str) -> float:
        pairs = (
            score[(placed[bot] > placed[other]) - (placed[bot] < placed[other])]
            - formula(points[bot] - points[other])
            for other in points
            if other != bot
        )
        return ESTABLISHED_K / 3 * sum(pairs)

    found = deltas(ratings, a_match(1, *points, placed=[placed[bot] for bot in points]))
    assert {bot: delta / 1000 for bot, delta in found.items()} == pytest.approx(
        {bot: expected(bot) for bot in points}, abs=0.002
    )


def test_k_is_shared_among_the_pairs_and_each_pair_is_rounded_by_itself() -> None:
    """Each of the six pairs moves 40 / 3 * 1/2 = 6.6666 points, in thousandths 6667."""
    assert deltas(ESTABLISHED, a_match(1, "ant", "bee", "cat", "dog")) == {
        "ant": 3 * 6_667,
        "bee": 6_667,
        "cat": -6_667,
        "dog": -3 * 6_667,
    }


def test_a_group_scores_each_pair_by_the_mean_of_its_matches() -> None:
    ratings = {"ant": a_rating(1600), "bee": a_rating(1500)}
    matches = [a_match(1, "ant", "bee"), a_match(2, "bee", "ant"), a_match(3, "ant", "bee")]
    delta = deltas(ratings, *matches)["ant"]
    assert delta / 1000 == pytest.approx(ESTABLISHED_K * (2 / 3 - formula(100)), abs=0.001)


@pytest.mark.parametrize(
    ("placings", "forfeited", "score"),
    [
        ((1, 2), (False, False), 1),
        ((2, 1), (False, False), 0),
        ((1, 1), (False, False), 0.5),
        ((3, 3), (False, True), 1),
        ((1, 4), (True, False), 0),
        ((2, 3), (True, True), 0.5),
    ],
)
def test_a_forfeited_seat_loses_to_every_standing_one_and_ties_with_forfeited_ones(
    placings: tuple[int, int], forfeited: tuple[bool, bool], score: float
) -> None:
    assert pair_halves(FinishedMatch(("ant", "bee"), placings, forfeited), "ant", "bee") == 2 * score


def test_two_bots_that_forfeit_share_the_loss() -> None:
    match = a_match(1, "ant", "bee", "cat", placed=[1, 2, 3], forfeited="ant bee")
    assert deltas(ESTABLISHED, match) == {"ant": -10_000, "bee": -10_000, "cat": 20_000}


@given(groups(), st.lists(st.integers(0, 3_000_000), min_size=len(BOTS), max_size=len(BOTS)))
def test_where_all_k_are_equal_nothing_is_won_or_lost_in_all(
    group: tuple[FinishedMatch, ...], ratings: list[int]
) -> None:
    versions = dict(zip(group[-1].bots, group[-1].versions, strict=True))
    known = {
        bot: replace(a_rating(version=versions.get(bot, "1")), rating_milli=milli)
        for bot, milli in zip(BOTS, ratings, strict=True)
    }
    assert sum(deltas(known, *group).values()) == 0


@given(groups(), st.randoms(use_true_random=False))
def test_neither_the_order_of_matches_nor_the_order_of_seats_changes_a_bit(
    group: tuple[FinishedMatch, ...], random: object
) -> None:
    shuffled = [
        replace(
            each,
            bots=each.bots[::-1],
            placings=each.placings[::-1],
            forfeited=each.forfeited[::-1],
            versions=each.versions[::-1],
        )
        for each in group
    ]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    ratings = {bot: a_rating(1400 + 37 * i) for i, bot in enumerate(BOTS)}
    assert rate_group(ratings, shuffled) == rate_group(ratings, group)


@pytest.mark.parametrize(
    ("rating", "k", "matches_afterwards"),
    [
        (INITIAL, PROVISIONAL_K, 1),
        (a_rating(version_matches=29), PROVISIONAL_K, 30),
        (a_rating(version_matches=30), ESTABLISHED_K, 31),
        (a_rating(version="0", version_matches=500), PROVISIONAL_K, 1),
    ],
)
def test_k_is_provisional_for_the_first_thirty_matches_of_each_version(
    rating: Rating, k: int, matches_afterwards: int
) -> None:
    change = one_change(rating, a_match(1, "ant", "bee"))
    assert (change.k, change.delta_milli) == (k, 500 * k)
    assert (change.after.version, change.after.version_matches) == ("1", matches_afterwards)


def test_a_group_played_with_two_versions_counts_as_one_of_the_last() -> None:
    first = a_match(1, "ant", "bee")
    last = replace(a_match(2, "ant", "bee"), versions=("2", "1"))
    after = one_change(a_rating(version_matches=30), last, first).after
    assert (after.version, after.version_matches) == ("2", 1)


@pytest.mark.parametrize(
    ("matches", "why"),
    [
        ([], "the same bots"),
        ([a_match(1, "ant", "bee"), a_match(2, "ant", "cat")], "the same bots"),
        ([a_match(9, "ant", "ant")], "its own bot"),
        ([a_match(9, "ant")], "two seats"),
    ],
)
def test_what_is_no_group_of_rated_matches_is_refused(matches: list[FinishedMatch], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        rate_group(ESTABLISHED, matches)
