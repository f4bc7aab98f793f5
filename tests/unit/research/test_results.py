"""Results by bot, version, opponent, seat and length, and their intervals."""

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.fair_play.significance import wilson
from arena.research.results import ENOUGH, estimate, pairs, read_results, scores
from arena.research.setting import RefusedError
from tests.unit.research.result_tables import Played, match_rows, results_of, seat_rows, table

NAMES = ("ant", "bee", "cat", "dog")


@st.composite
def matches(draw: st.DrawFn) -> list[Played]:
    """Draw matches of 2 to 4 seats, some of which share a group, a bot or a placing."""
    played = []
    for _ in range(draw(st.integers(1, 12))):
        seats = draw(st.integers(2, 4))
        ranks = draw(st.lists(st.integers(0, 2), min_size=seats, max_size=seats))
        placings = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        bots = tuple(draw(st.lists(st.sampled_from(NAMES), min_size=seats, max_size=seats)))
        group = draw(st.sampled_from([None, "g1", "g2"]))
        versions = tuple(draw(st.lists(st.sampled_from(["1", "2", None]), min_size=seats, max_size=seats)))
        played.append(Played(bots, placings, group, draw(st.integers(1, 60)), versions))
    return played


BREAKDOWNS: tuple[tuple[Any, ...], ...] = (
    ("bot",), ("seats", "seat"), ("bot", "version"), ("bot", "opponent"), ("length",), ("version", "opponent_version"),
)  # fmt: skip


def rows_of(columns: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    return [
        tuple(round(value, 9) if isinstance(value, float) else value for value in row)
        for row in zip(*columns.values(), strict=True)
    ]


@given(matches(), st.randoms(use_true_random=False))
def test_the_order_of_rows_has_no_effect(played: list[Played], dice: random.Random) -> None:
    match, seat = match_rows(played), seat_rows(played)
    expected = read_results(table(match), table(seat))
    dice.shuffle(match)
    dice.shuffle(seat)
    shuffled = read_results(table(match), table(seat))
    for by in BREAKDOWNS:
        assert rows_of(scores(shuffled, by)) == rows_of(scores(expected, by))


@given(matches())
def test_renamed_bots_have_the_same_results(played: list[Played]) -> None:
    new = dict(zip(NAMES, reversed(NAMES), strict=True))
    renamed = [
        Played(tuple(new[bot] for bot in one.bots), one.placings, one.group, one.plies, one.versions)
        for one in played
    ]
    for by in (("bot",), ("bot", "opponent")):
        rows = rows_of(scores(results_of(played), by))
        again = rows_of(scores(results_of(renamed), by))
        assert again == sorted((*(new[name] for name in row[: len(by)]), *row[len(by) :]) for row in rows)


@given(matches())
def test_scores_of_all_seats_have_the_mean_one_half_and_firsts_one_for_each_match(
    played: list[Played],
) -> None:
    results = results_of(played)
    by_seats = scores(results, ["seats"])
    assert by_seats["mean"] == pytest.approx([0.5] * len(by_seats["seats"]))
    firsts = scores(results, ["seats"], "first")
    assert firsts["mean"] == pytest.approx([1 / seats for seats in firsts["seats"]])


@given(matches())
def test_a_pair_is_there_from_both_sides_and_scores_of_a_seat_are_the_mean_of_its_pairs(
    played: list[Played],
) -> None:
    results = results_of(played)
    rows, others, values = pairs(results, has_version=False)
    found = {(row, other): value for row, other, value in zip(rows, others, values, strict=True)}
    assert all(found[other, row] == 1 - value for (row, other), value in found.items())
    assert all(results.bot[row] != results.bot[other] for row, other in found)
    assert all(results.match[row] == results.match[other] for row, other in found)


def test_the_score_is_the_share_of_opponents_beaten_and_a_tie_is_half() -> None:
    results = results_of([Played(("ant", "bee", "cat", "dog"), (1, 2, 2, 4))])
    assert scores(results, ["bot"])["mean"] == pytest.approx([1, 0.5, 0.5, 0])
    assert scores(results, ["bot"], "first")["mean"] == [1, 0, 0, 0]
    shared = results_of([Played(("ant", "bee", "cat"), (1, 1, 3))])
    assert scores(shared, ["bot"], "first")["mean"] == [0.5, 0.5, 0]


def test_lengths_are_divided_at_quantiles_and_equal_ones_never() -> None:
    lengths = [10, 10, 10, 20, 30, 40, 50, 60]
    results = results_of([Played(("ant", "bee"), (1, 2), plies=plies) for plies in lengths])
    found = scores(results, ["length"], bins=4)
    assert [*zip(found["plies_from"], found["plies_to"], found["results"], strict=True)] == [
        (10, 10, 6),
        (20, 20, 2),
        (30, 40, 4),
        (50, 60, 4),
    ]


def test_versions_of_a_bot_meet_each_other_only_as_versions() -> None:
    results = results_of([Played(("ant", "ant"), (1, 2), versions=("2", "1"))] * 3)
    versions = scores(results, ["bot", "version", "opponent", "opponent_version"])
    assert versions["mean"] == [0, 1]
    assert scores(results, ["bot", "opponent"])["mean"] == []


def test_the_newest_row_of_a_match_counts() -> None:
    old, new = Played(("ant", "bee"), (1, 2)), Played(("ant", "bee"), (2, 1))
    void = Played(("ant", "bee"), (0, 0), state="ABORTED")
    for newest, expected in ((new, [0, 1]), (void, None)):
        match = match_rows([newest, old, old])
        seat = seat_rows([newest, old, old])
        for row in (*match, *seat):  # the first match twice; the newest row is not the last one
            row["position"] = {1: 9, 2: 2, 3: 3}[row["match"]]
            row["match"] = 1 if row["match"] < 3 else 3
        found = scores(read_results(table(match), table(seat)), ["bot"])
        assert found["results"] == ([2, 2] if expected else [1, 1])
        assert found["mean"] == ([0.5, 0.5] if expected else [1, 0])


def test_without_positions_the_last_row_counts() -> None:
    match = match_rows([Played(("ant", "bee"), (1, 2)), Played(("ant", "bee"), (2, 1))])
    seat = seat_rows([Played(("ant", "bee"), (1, 2)), Played(("ant", "bee"), (2, 1))])
    for row in (*match, *seat):
        row |= {"position": None, "match": 1}
    assert scores(read_results(table(match), table(seat)), ["bot"])["mean"] == [0, 1]


def test_tables_of_pandas_and_polars_and_dicts_give_the_same() -> None:
    played = [Played(("ant", "bee"), (1, 2), group, versions=("1", None)) for group in (None, "g1", "g1")]
    match, seat = table(match_rows(played)), table(seat_rows(played))
    expected = scores(read_results(match, seat), ["bot", "version"])
    assert expected["version"] == ["1", ""]
    assert expected["groups"] == [2, 2]
    frames: tuple[Callable[[Any], Any], ...] = (pd.DataFrame, pl.DataFrame)
    for frame in frames:
        assert scores(read_results(frame(match), frame(seat)), ["bot", "version"]) == expected


def test_single_matches_have_wilsons_interval() -> None:
    found = estimate(np.array([1.0] * 7 + [0.0] * 5), np.arange(12))
    assert (found.low, found.high) == pytest.approx(wilson(7, 12))
    assert found.effective == pytest.approx(12)


def test_a_few_equal_results_of_one_group_are_worth_one() -> None:
    found = estimate(np.ones(8), np.zeros(8, np.int64))
    assert found.effective == pytest.approx(1)
    assert found.low < 0.25


@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("chance", [0.5, 0.9])
def test_the_interval_covers_the_truth_whether_matches_of_a_group_agree_or_not(
    copies: int, chance: float
) -> None:
    """Groups of four matches, each `copies` of which have one result; 500 trials of 95 % vary by 1 %."""
    dice = np.random.default_rng(5)
    for groups in (3, 12, 60):
        hits = 0
        for _ in range(500):
            drawn = (dice.random((groups, 4 // copies)) < chance).astype(float).repeat(copies, axis=1)
            found = estimate(drawn.ravel(), np.arange(groups).repeat(4))
            hits += found.low <= chance <= found.high
        assert hits / 500 > 0.925, (groups, hits)


def test_too_few_groups_are_named() -> None:
    few = results_of([Played(("ant", "bee"), (1, 2), f"g{number}") for number in range(ENOUGH - 1)] * 3)
    assert scores(few, ["bot"])["enough"] == [False, False]
    enough = results_of([Played(("ant", "bee"), (1, 2), f"g{number}") for number in range(ENOUGH)])
    assert scores(enough, ["bot"])["enough"] == [True, True]


def test_tables_that_cannot_be_read_are_refused() -> None:
    played = [Played(("ant", "bee"), (1, 2)), Played(("ant", "bee"), (1, 2))]
    match, seat = table(match_rows(played)), table(seat_rows(played))
    frames: tuple[Callable[[Any], Any], ...] = (dict, pd.DataFrame, pl.DataFrame)
    for frame in frames:
        with pytest.raises(RefusedError, match="in this order"):
            read_results(frame(seat), frame(match))
    with pytest.raises(RefusedError, match="filter the table of matches"):
        read_results(match, table(seat_rows(played)[:3]))
    with pytest.raises(RefusedError, match="one game"):
        read_results(match | {"game": ["caravan", "wasteland"]}, seat)
    with pytest.raises(RefusedError, match="no finished match"):
        read_results(match | {"state": ["ABORTED"] * 2}, seat)
    with pytest.raises(RefusedError, match="no finished match"):
        read_results(match | {"seats": [1, 1]}, seat)


def test_unknown_breakdowns_are_refused() -> None:
    results = results_of([Played(("ant", "bee"), (1, 2))])
    wrong: tuple[tuple[Any, Any], ...] = (
        ("bot", "score"), ([], "score"), (["player"], "score"), (["bot"], "wins"), (["opponent"], "first"),
    )  # fmt: skip
    for by, measure in wrong:
        with pytest.raises(RefusedError):
            scores(results, by, measure)
    with pytest.raises(RefusedError):
        scores(results, ["length"], bins=0)
    assert not any(math.isnan(value) for value in scores(results, ["length"], bins=9)["mean"])
