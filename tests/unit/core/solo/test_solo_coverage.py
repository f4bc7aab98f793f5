"""How often the 95 % intervals of a solo ladder hold the truth: docs/ratings.md, "Solo"."""

import random
from collections.abc import Sequence
from statistics import fmean

import pytest

from arena.core.solo.boards import SoloTotals, one_board
from arena.core.solo.standings import solo_scores

BOTS = "abcdef"
HISTORIES = 150


def a_history(boards: Sequence[str], strengths: dict[str, float], source: random.Random) -> list[SoloTotals]:
    """Boards of these bots, each with its own luck for all, and for each bot as erratic as it is by its letter."""
    rows = []
    for bots in boards:
        gift = source.gauss(0, 6)
        scores = {bot: strengths[bot] + gift + source.gauss(0, 2 + BOTS.index(bot)) for bot in bots}
        rows.append(one_board({bot: round(score) for bot, score in scores.items()}))
    sums: dict[tuple[str, ...], SoloTotals] = {}
    for row in rows:
        sums[row.players] = sums[row.players].plus(row) if row.players in sums else row
    return list(sums.values())


@pytest.mark.parametrize(
    ("boards", "least"),
    [
        ([BOTS] * 20, 0.92),
        ([BOTS[1:]] * 15 + [BOTS] * 5, 0.92),
        ([BOTS[:5]] * 15 + [BOTS] * 5, 0.88),
        (["abc", "cde", "efa", "bdf"] * 10, 0.92),
    ],
    ids=["all on all", "the steadiest late", "the most erratic late", "threes"],
)
def test_the_intervals_hold_the_truth_about_as_often_as_they_say(boards: list[str], least: float) -> None:
    source, held = random.Random(7), 0
    for _ in range(HISTORIES):
        strengths = {bot: source.gauss(30, 5) for bot in BOTS}
        scores = solo_scores(a_history(boards, strengths, source))
        middle = fmean(score.adjusted_milli for score in scores.values())
        true_middle = fmean(strengths.values())
        for bot, score in scores.items():
            assert score.uncertainty_milli is not None
            off = (score.adjusted_milli - middle) - 1_000 * (strengths[bot] - true_middle)
            held += abs(off) <= score.uncertainty_milli
    assert least <= held / (HISTORIES * len(BOTS)) <= 0.985


def test_where_nothing_contradicts_nothing_is_said_of_certainty() -> None:
    """Each error is 0 by the fit, which proves nothing."""
    chain = [one_board({"a": 3, "b": 5}), one_board({"b": 4, "c": 9})]
    assert {score.uncertainty_milli for score in solo_scores(chain).values()} == {None}
