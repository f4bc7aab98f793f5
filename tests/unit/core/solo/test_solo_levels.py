"""Which matches have a level: those of one seat that was played to an end (S43, docs/architecture.md)."""

import pytest

from arena.core.endings import verdicts
from arena.core.endings.terminations import SeatEnding
from arena.core.match import SeatResult
from arena.core.solo.boards import solo_level
from engine.registry import GAMES

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
