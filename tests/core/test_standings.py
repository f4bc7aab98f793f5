"""Standings: ranked lines in the units of arena.v1.Standing (docs/ratings.md, "The standings")."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.rating.rating import PRIOR_INFORMATION
from arena.core.standings import StandingLine, StandingRow, standing_line, standings
from arena.v1.ladder_pb2 import Standing

ROW = StandingRow(
    bot="ant",
    language="Python",
    rating_milli=1_512_345,
    information=PRIOR_INFORMATION,
    matches=3,
    placing_sum=5,
    forfeits=1,
    decisions=4,
    used_us=1_001,
    longest_us=700,
    pending_matches=2,
)


def ranks(**ratings: int) -> list[tuple[int, str]]:
    rows = [replace(ROW, bot=bot, rating_milli=rating) for bot, rating in ratings.items()]
    return [(line.rank, line.bot) for line in standings(rows)]


def test_a_line_holds_what_the_row_says_with_its_means() -> None:
    assert standing_line(ROW, 7) == StandingLine(
        rank=7,
        bot="ant",
        rating_milli=1_512_345,
        uncertainty_milli=686_000,
        matches=3,
        mean_placing_milli=1_667,
        forfeits=1,
        decisions=4,
        mean_think_us=250,
        max_think_us=700,
        language="Python",
        pending_matches=2,
    )


def test_a_line_has_the_fields_of_the_wire_message() -> None:
    assert {field.name for field in fields(StandingLine)} == set(Standing.DESCRIPTOR.fields_by_name)


def test_the_best_rating_comes_first() -> None:
    assert ranks(ant=1_400_000, bee=1_600_000, cat=1_500_000) == [(1, "bee"), (2, "cat"), (3, "ant")]


def test_equal_ratings_share_a_rank_and_stand_by_id() -> None:
    assert ranks(dog=5, cat=7, bee=7, ant=9) == [(1, "ant"), (2, "bee"), (2, "cat"), (4, "dog")]


def test_a_thousandth_of_a_point_is_a_difference() -> None:
    assert ranks(ant=7_000, bee=7_001) == [(1, "bee"), (2, "ant")]


def test_a_ladder_without_bots_has_no_lines() -> None:
    assert standings([]) == ()


@pytest.mark.parametrize("name", ["mean_placing_milli", "mean_think_us"])
def test_means_of_nothing_are_zero(name: str) -> None:
    line = standing_line(replace(ROW, matches=0, placing_sum=0, decisions=0, used_us=0), 1)
    assert getattr(line, name) == 0


@given(st.lists(st.integers(0, 6), max_size=12), st.randoms(use_true_random=False))
def test_each_rank_is_one_more_than_the_bots_that_are_better(ratings: list[int], random: object) -> None:
    rows = [replace(ROW, bot=f"bot-{i}", rating_milli=rating) for i, rating in enumerate(ratings)]
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    lines = standings(shuffled)
    assert lines == standings(rows)
    assert all(line.rank == 1 + sum(other > line.rating_milli for other in ratings) for line in lines)
