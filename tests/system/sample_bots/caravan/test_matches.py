"""What the sample bots play: legal, to the end, and the better ones win. Clauses: docs/rules/caravan.md."""

import time
from dataclasses import replace

import pytest

from arena.sdk import Bot, Clock
from engine.caravan import CARAVAN
from sample_bots.python.budget import Budget
from sample_bots.python.caravan import planner
from sample_bots.python.caravan.greedy import Greedy
from sample_bots.python.caravan.mcts import Mcts
from sample_bots.python.caravan.planner import Planner
from sample_bots.python.random_bot import RandomBot
from tests.unit.sample_bots.driver import a_seed, ask, duel, play_match

ENOUGH_MS = 150
"""With a third of it the planner plays as well; a whole match takes two seconds instead of six."""


class Undisturbed(Budget):
    """Thinks as long as on a machine of its own: the clock of the match stands still while others work."""

    def __init__(self, clock: Clock, wish_ms: float) -> None:
        arrived = time.thread_time()
        super().__init__(
            replace(clock, deadline=arrived + clock.time_left_ms / 1000),
            min(wish_ms, ENOUGH_MS),
            wall=time.thread_time,
        )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_brings_every_match_to_its_final_delivery(seats: int) -> None:
    """C17; the driver raises if an action is not legal."""
    for seed in range(6):
        played = play_match(CARAVAN, [Greedy] * seats, seed)
        assert played.outcome.ending == "FINAL_DELIVERY"
        assert min(played.outcome.scores) > 0


@pytest.mark.parametrize("values", [{"camels": "6"}, {"goods": "FULL"}, {"camels": "6", "goods": "FULL"}])
def test_greedy_plays_every_option(values: dict[str, str]) -> None:
    """C2."""
    assert play_match(CARAVAN, [Greedy, Greedy], 1, values=values).outcome.ending == "FINAL_DELIVERY"


def test_planner_beats_greedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "Budget", Undisturbed)
    won, lost = duel(CARAVAN, Planner, Greedy, matches=4)
    assert (won, lost) == (4, 0)


def test_planner_plays_the_same_match_again() -> None:
    values = {"turn_limit": "8"}
    first = play_match(CARAVAN, [Planner, Planner], 3, values=values)
    assert play_match(CARAVAN, [Planner, Planner], 3, values=values).actions == first.actions


@pytest.mark.parametrize("bot", [RandomBot, Planner, Mcts])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_other_bots_play_legally_from_the_first_turn_on(
    bot: type[Bot], seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_THINK_MS", "1")
    played = play_match(CARAVAN, [bot] * seats, 2, values={"turn_limit": "7"})
    assert played.outcome.ending == "TURN_LIMIT"


@pytest.mark.parametrize("bot_class", [Planner, Mcts])
def test_search_bots_play_legally_from_positions_late_in_the_match(
    bot_class: type[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """C11 to C17: carried goods, protected goods, refills, the end armed."""
    monkeypatch.setenv("ARENA_THINK_MS", "1")
    state = CARAVAN.new_match(3, CARAVAN.options(3, {}), a_seed(4))
    greedy, searcher = Greedy(), bot_class()
    for ply in range(10_000):
        if state.outcome() is not None:
            break
        [action] = ask(CARAVAN, searcher if ply % 9 == 0 else greedy, state)
        state.apply(action)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ending == "FINAL_DELIVERY"
