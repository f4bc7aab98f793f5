"""How long a search bot thinks."""

import pytest

from arena.sdk import Clock
from sample_bots.python.budget import MOST_WISH_MS, Budget, allowed_ms, wish_ms


@pytest.mark.parametrize(
    ("per_decision", "bank", "left", "expected"),
    [(1000, 10_000, 11_000, 700), (20, 0, 20, 10), (1000, 10_000, 100, 50), (0, 0, 0, 0)],
)
def test_a_bot_allows_itself_less_wall_time_than_the_clock_does(
    per_decision: int, bank: int, left: int, expected: float
) -> None:
    assert allowed_ms(Clock(per_decision, bank, 0, left, 0.0)) == expected


@pytest.mark.parametrize(
    ("arrived", "wall", "processor", "spent"),
    [
        (100.0, 100.03, 7.03, 0.5),  # on an idle machine the wish decides
        (100.0, 100.5, 7.01, 1.0),  # on a busy machine the clock of the match decides
        (100.25, 100.25, 7.0, 0.5),  # time that passed before the bot looked counts
    ],
)
def test_time_is_spent_by_the_wish_or_by_the_clock_of_the_match(
    arrived: float, wall: float, processor: float, spent: float
) -> None:
    """Of a decision that arrived at 100 s with 1000 ms and no bank 500 ms are allowed; 60 ms are wished for."""
    clocks = {"wall": arrived, "processor": 7.0}
    clock = Clock(1000, 0, 0, 1000, deadline=101.0)
    budget = Budget(clock, 60, wall=lambda: clocks["wall"], processor=lambda: clocks["processor"])
    clocks |= {"wall": wall, "processor": processor}
    assert budget.spent() == pytest.approx(spent)


@pytest.mark.parametrize(
    ("per_decision", "bank", "left", "expected"),
    [
        (2000, 10_000, 12_000, 300),
        (1000, 10_000, 11_000, 175),
        (1000, 0, 400, 50),
        (0, 60_000, 60_000, 300),
        (600_000, 0, 600_000, MOST_WISH_MS),
    ],
)
def test_more_time_on_the_clock_is_more_thinking_up_to_a_limit(
    per_decision: int, bank: int, left: int, expected: float
) -> None:
    assert wish_ms(Clock(per_decision, bank, 0, left, 0.0), 0.25) == expected


def test_the_environment_can_say_how_long_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_THINK_MS", "12.5")
    assert wish_ms(Clock(1000, 0, 0, 1000, 0.0), 0.25) == 12.5


@pytest.mark.parametrize("wish", [0, 60])
def test_a_clock_without_any_time_is_spent_at_once(wish: float) -> None:
    assert Budget(Clock(0, 0, 0, 0, 0.0), wish, wall=lambda: 0.0, processor=lambda: 0.0).spent() == 1
