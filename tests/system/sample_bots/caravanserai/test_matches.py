"""What all bots of Caravanserai do. Clauses: docs/rules/caravanserai.md."""

import pytest

from arena.sdk import Bot
from engine.caravanserai import CARAVANSERAI
from sample_bots.python.caravanserai.greedy import Greedy
from sample_bots.python.caravanserai.mcts import Mcts
from sample_bots.python.caravanserai.planner import Planner
from tests.unit.sample_bots.caravanserai.test_planner import a_turn
from tests.unit.sample_bots.driver import ask, play_match


@pytest.mark.parametrize("values", [{}, {"expert": "true"}])
@pytest.mark.parametrize("seats", [1, 2, 4, 6])
@pytest.mark.parametrize("bot", [Planner, Mcts])
def test_search_bots_play_legally_to_the_end(
    bot: type[Bot], seats: int, values: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """S48: the driver raises if an action is not legal."""
    monkeypatch.setenv("ARENA_THINK_MS", "3")
    assert max(play_match(CARAVANSERAI, [bot] * seats, seats, values=values).outcome.scores) >= 14


@pytest.mark.parametrize("bot", [Greedy, Planner, Mcts])
def test_what_another_program_has_begun_is_brought_to_its_end(bot: type[Bot]) -> None:
    """By the first action of the list."""
    state = a_turn(2)
    state.apply(next(action for action in state.legal_actions() if "START" in state.format_action(action)))
    assert ask(CARAVANSERAI, bot(), state) == (state.legal_actions()[0],)
