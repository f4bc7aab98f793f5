"""What the standings of a solo ladder follow from: docs/ratings.md, "Solo"; and which matches have a level (S43)."""

import math
from collections import defaultdict
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.endings import verdicts
from arena.core.endings.terminations import SeatEnding
from arena.core.match import SeatResult
from arena.core.solo.boards import SoloTotals, one_board, solo_level
from arena.core.solo.standings import SoloScore, ranks, solo_scores
from engine.registry import GAMES

PLAYERS = ("ant/1", "bee/1", "cat/1", "dog/1", "elk/1", "fox/1")

boards_of_some = st.lists(
    st.dictionaries(st.sampled_from(PLAYERS), st.integers(-5, 60), min_size=1), min_size=1, max_size=12
)
Row = dict[str, int]


def summed(rows: list[Row]) -> list[SoloTotals]:
    """Return the boards as they are stored: those of the same players in one sum."""
    sums: dict[tuple[str, ...], SoloTotals] = {}
    for row in rows:
        new = one_board(row)
        sums[new.players] = sums[new.players].plus(new) if new.players in sums else new
    return list(sums.values())


def circles(rows: list[Row]) -> list[set[str]]:
    """Players connected by boards that they share."""
    found: list[set[str]] = []
    for row in rows:
        joined = [each for each in found if each & row.keys()]
        found = [each for each in found if each not in joined] + [set(row).union(*joined)]
    return found


def by_hand(rows: list[Row]) -> dict[str, float]:
    """Return the same by definition: a least squares fit of every score to its player and its board."""
    adjusted: dict[str, float] = {}
    for circle in circles(rows):
        own, players = [row for row in rows if row.keys() & circle], sorted(circle)
        design, scores = [], []
        for number, row in enumerate(own):
            for player, score in row.items():
                line = [0.0] * (len(players) + len(own))
                line[players.index(player)] = line[len(players) + number] = 1.0
                design.append(line)
                scores.append(float(score))
        fit = np.linalg.lstsq(np.array(design), np.array(scores), rcond=None)[0]
        gift = float(np.mean(fit[len(players) :]))
        adjusted |= {player: float(fit[n]) + gift for n, player in enumerate(players)}
    return adjusted


@given(boards_of_some)
def test_adjusted_scores_are_those_of_a_least_squares_fit_of_players_and_boards(rows: list[Row]) -> None:
    fitted, expected = solo_scores(summed(rows)), by_hand(rows)
    assert fitted.keys() == expected.keys()
    for player, score in fitted.items():
        own = [row[player] for row in rows if player in row]
        assert score.boards == len(own)
        assert score.mean_milli == pytest.approx(1_000 * sum(own) / len(own), abs=0.51)
        assert score.adjusted_milli == pytest.approx(1_000 * expected[player], abs=0.51)


@given(st.lists(st.lists(st.integers(0, 60), min_size=6, max_size=6), min_size=1, max_size=20))
def test_where_all_have_played_all_boards_the_order_is_exactly_that_of_the_mean_scores(
    table: list[list[int]],
) -> None:
    rows = [dict(zip(PLAYERS, line, strict=True)) for line in table]
    totals = {player: sum(row[player] for row in rows) for player in PLAYERS}
    fitted = solo_scores(summed(rows))
    assert all(score.adjusted_milli == score.mean_milli for score in fitted.values())
    expected = sorted(PLAYERS, key=lambda player: (-totals[player], player))
    lines = ranks(dict(fitted))
    assert [name for _, name in lines] == expected
    for rank, name in lines:
        assert rank == 1 + sum(other > totals[name] for other in totals.values())


@given(st.lists(st.lists(st.integers(0, 60), min_size=3, max_size=3), min_size=2, max_size=40))
def test_where_all_have_played_all_boards_the_interval_is_that_of_the_mean_lead(
    table: list[list[int]],
) -> None:
    """Paired: what a board gives to everybody does not widen it. Student's t from published tables."""
    students = {1: 12.706, 4: 2.776, 9: 2.262, 19: 2.093, 29: 2.045, 39: 2.023}
    rows = [dict(zip(PLAYERS[:3], line, strict=True)) for line in table]
    fitted = solo_scores(summed(rows))
    freedom = len(rows) - 1
    if freedom not in students:
        freedom = max(known for known in students if known <= freedom)
        rows = rows[: freedom + 1]
        fitted = solo_scores(summed(rows))
    for player in PLAYERS[:3]:
        leads = [row[player] - sum(row.values()) / 3 for row in rows]
        mean = sum(leads) / len(leads)
        variance = sum((lead - mean) ** 2 for lead in leads) / (len(leads) - 1)
        half = students[freedom] * math.sqrt(variance / len(leads))
        assert fitted[player].uncertainty_milli == pytest.approx(1_000 * half, rel=1e-3, abs=1)


def test_a_late_player_is_equal_to_one_with_the_same_scores_on_the_same_boards() -> None:
    """A mean lead would put it behind: the earlier boards were shared with weaker players only."""
    early = [{"ant/1": 30, "bee/1": 10}] * 100
    late = [{"ant/1": 50, "bee/1": 30, "cat/1": 50}] * 5
    fitted = solo_scores(summed(early + late))
    assert fitted["ant/1"].adjusted_milli == fitted["cat/1"].adjusted_milli == 30_952
    assert fitted["cat/1"].mean_milli == 50_000
    assert [name for _, name in ranks(dict(fitted))] == ["ant/1", "cat/1", "bee/1"]


def test_a_bot_that_plays_alone_is_shown_with_its_mean_and_without_an_interval() -> None:
    fitted = solo_scores(summed([{"ant/1": 30}, {"ant/1": 41}]))
    assert fitted == {"ant/1": SoloScore(2, 35_500, 35_500, None)}
    assert solo_scores([]) == {}


def test_players_without_a_score_come_last_without_a_rank_and_equals_share_one() -> None:
    def score(milli: int) -> SoloScore:
        return SoloScore(1, milli, milli, None)

    lines = ranks({"dog": None, "bee": score(7), "ant": score(7), "cat": score(9), "elk": None})
    assert lines == [(1, "cat"), (2, "ant"), (2, "bee"), (0, "dog"), (0, "elk")]


@given(boards_of_some, st.data())
def test_boards_taken_back_leave_what_there_was_before(rows: list[Row], data: st.DataObject) -> None:
    same: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        same[tuple(sorted(row))].append(row)
    for of_these in same.values():
        whole = reduce(SoloTotals.plus, map(one_board, of_these))
        gone = data.draw(st.integers(0, len(of_these) - 1))
        left = whole.minus(one_board(of_these[gone]))
        assert left.plus(one_board(of_these[gone])) == whole
        assert left.count == len(of_these) - 1
    with pytest.raises(ValueError, match="are not those of"):
        one_board({"ant/1": 1}).plus(one_board({"bee/1": 1}))


PLAYED = verdicts.by_the_rules("STUCK", 1, 1, 31)
GIVEN_UP = verdicts.resignation(7)


def seat(score: int, ending: SeatEnding = PLAYED) -> SeatResult:
    return SeatResult(1, score, ending, 9, 0, 0, 0)


@pytest.mark.parametrize(
    ("seats", "ending", "level"),
    [
        ([seat(31)], "STUCK", "Great camel driver"),
        ([seat(24)], "STUCK", ""),
        ([seat(31), seat(28)], "STUCK", ""),
        ([seat(31)], "", ""),
        ([seat(31, GIVEN_UP)], "STUCK", ""),
    ],
)
def test_only_the_score_of_a_single_seat_that_has_not_forfeited_has_a_level(
    seats: list[SeatResult], ending: str, level: str
) -> None:
    assert solo_level(GAMES["caravanserai"], ending, seats) == level


def test_a_game_without_levels_has_none() -> None:
    assert solo_level(GAMES["caravan"], "FINAL_DELIVERY", [seat(31)]) == ""
