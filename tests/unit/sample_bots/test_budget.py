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


class Hands:
    """Two clocks that a test sets, in seconds."""

    def __init__(self) -> None:
        self.wall = 100.0
        self.processor = 7.0

    def budget(self, wish_ms: float) -> Budget:
        """Of a decision that arrived at 100 s with 1000 ms and no bank: 500 ms are allowed."""
        clock = Clock(1000, 0, 0, 1000, deadline=101.0)
        return Budget(clock, wish_ms, wall=lambda: self.wall, processor=lambda: self.processor)


def test_on_an_idle_machine_the_wish_decides_when_the_time_is_spent() -> None:
    hands = Hands()
    budget = hands.budget(60)
    hands.wall, hands.processor = 100.03, 7.03
    assert budget.spent() == pytest.approx(0.5)


def test_on_a_busy_machine_the_clock_of_the_match_decides() -> None:
    hands = Hands()
    budget = hands.budget(60)
    hands.wall, hands.processor = 100.5, 7.01
    assert budget.spent() == pytest.approx(1.0)


def test_time_that_passed_before_the_bot_looked_counts() -> None:
    hands = Hands()
    hands.wall = 100.25
    assert hands.budget(60).spent() == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("per_decision", "bank", "left", "expected"),
    [(2000, 10_000, 12_000, 300), (1000, 10_000, 11_000, 175), (1000, 0, 400, 50), (0, 60_000, 60_000, 300)],
)
def test_more_time_on_the_clock_is_more_thinking(
    per_decision: int, bank: int, left: int, expected: float
) -> None:
    assert wish_ms(Clock(per_decision, bank, 0, left, 0.0), 0.25) == expected


def test_a_clock_of_minutes_does_not_make_a_bot_think_for_minutes() -> None:
    assert wish_ms(Clock(600_000, 0, 0, 600_000, 0.0), 0.25) == MOST_WISH_MS


def test_the_environment_can_say_how_long_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_THINK_MS", "12.5")
    assert wish_ms(Clock(1000, 0, 0, 1000, 0.0), 0.25) == 12.5


@pytest.mark.parametrize("wish", [0, 60])
def test_a_clock_without_any_time_is_spent_at_once(wish: float) -> None:
    assert Budget(Clock(0, 0, 0, 0, 0.0), wish, wall=lambda: 0.0, processor=lambda: 0.0).spent() == 1
