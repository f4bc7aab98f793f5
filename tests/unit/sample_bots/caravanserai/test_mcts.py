"""The tree search of Caravanserai. Clauses: docs/rules/caravanserai.md."""

from engine.caravanserai.quick.paths import Paths
from engine.game import Outcome
from sample_bots.python.caravanserai.search.judgement import SETTINGS, CaravanseraiJudgement, leads
from sample_bots.python.search.tree import Move, Tree
from tests.unit.sample_bots.caravanserai.test_planner import a_turn


def search(number: int, simulations: int) -> tuple[Move, float]:
    """Return the move found for a seat in the midst of a match, and what it promises."""
    state = a_turn(number, plies=20)
    tree = Tree(state.clone, CaravanseraiJudgement(Paths(state.setup)), SETTINGS)
    for _ in range(simulations):
        tree.simulate()
    child = tree.root.children[tree.root.moves.index(tree.best())]
    return tree.best(), child.totals[state.seat_to_act] / child.visits


def test_the_same_number_of_simulations_finds_the_same_move_with_the_same_promise() -> None:
    assert search(3, 80) == search(3, 80)


def test_leads_are_pieces_ahead_of_the_mean_and_two_more_for_each_seat_behind() -> None:
    """S42; in solo the length alone (S43)."""
    assert leads(Outcome((20, 14, 17), (1, 3, 2), "MARKET")) == [4.5 + 4, -4.5 - 4, 0.0]
    assert leads(Outcome((33,), (1,), "STUCK")) == [33.0]
