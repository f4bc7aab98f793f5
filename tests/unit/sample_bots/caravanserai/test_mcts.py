"""The tree search of Caravanserai. Clauses: docs/rules/caravanserai.md."""

from __future__ import annotations

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.quick.paths import Paths
from engine.game import Outcome
from sample_bots.python.caravanserai.mcts import Mcts
from sample_bots.python.caravanserai.search.judgement import SETTINGS, CaravanseraiJudgement, leads
from sample_bots.python.search.tree import Move, Tree
from tests.unit.sample_bots.caravanserai.test_planner import a_turn
from tests.unit.sample_bots.driver import ask, play_match


def search(number: int, simulations: int) -> tuple[Move, float]:
    """Return the move found for a seat in the midst of a match, and what it promises."""
    state = a_turn(number, plies=20)
    tree = Tree(state.clone, CaravanseraiJudgement(Paths(state.setup)), SETTINGS)
    for _ in range(simulations):
        tree.simulate()
    child = tree.root.children[tree.root.moves.index(tree.best())]
    return tree.best(), child.totals[state.seat_to_act] / child.visits


@pytest.mark.parametrize("values", [{}, {"expert": "true"}])
@pytest.mark.parametrize("seats", [1, 2, 4, 6])
def test_mcts_plays_legally_to_the_end(
    seats: int, values: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver raises if an action is not legal."""
    monkeypatch.setenv("ARENA_THINK_MS", "3")
    assert max(play_match(CARAVANSERAI, [Mcts] * seats, seats, values=values).outcome.scores) >= 14


def test_the_same_number_of_simulations_finds_the_same_move_with_the_same_promise() -> None:
    assert search(3, 80) == search(3, 80)


def test_leads_are_pieces_ahead_of_the_mean_and_two_more_for_each_seat_behind() -> None:
    """S42; in solo the length alone (S43)."""
    assert leads(Outcome((20, 14, 17), (1, 3, 2), "MARKET")) == [4.5 + 4, -4.5 - 4, 0.0]
    assert leads(Outcome((33,), (1,), "STUCK")) == [33.0]


def test_what_another_program_has_begun_is_brought_to_its_end() -> None:
    state = a_turn(2)
    state.apply(next(action for action in state.legal_actions() if "START" in state.format_action(action)))
    assert ask(CARAVANSERAI, Mcts(), state) == (state.legal_actions()[0],)
