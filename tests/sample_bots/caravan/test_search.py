"""The parts of the search bots. Clauses: docs/rules/caravan.md."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from arena.codecs.caravan import CODEC
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.caravan.actions import laden_camel
from engine.caravan.goods import Good
from engine.caravan.quick.playouts import play_turn
from engine.caravan.quick.turns import candidate_turns, quick_turn
from engine.caravan.state import CaravanState
from sample_bots.python.caravan.planner import best_turn
from sample_bots.python.caravan.search import judgement
from sample_bots.python.caravan.search.judgement import SETTINGS, CaravanJudgement
from sample_bots.python.caravan.search.positions import Deals
from sample_bots.python.search.tree import Move, Tree
from tests.engine.caravan.quick.positions import a_position


def seen(state: CaravanState) -> caravan_pb2.Observation:
    data = CODEC.encode_observation(state.observe(state.seat_to_act))
    return games_pb2.Observation.FromString(data).caravan


def test_deals_differ_only_in_the_order_of_the_bag() -> None:
    state = a_position(5, plies=30)
    deals = Deals(seen(state))
    one, other = deals.next(), deals.next()
    assert one.bag != other.bag
    assert seen(one) == seen(other) == seen(state)


def after_looks(looks: int) -> Callable[[], float]:
    """Tells a share of the time that grows with each look, and is 1 at the last one."""
    taken = count()
    return lambda: next(taken) / (looks - 1)


def an_open_delivery() -> CaravanState:
    """Two seats, the end armed: who delivers first wins, and seat 0 is to act; both can."""
    state = a_position(8)
    state.turn, state.points, state.seat_to_act = 41, 4, 0
    state.drawn = len(state.bag)
    for seat, good in enumerate((Good.IVORY, Good.CLOTH)):
        city = state.setup.board.cities[good]
        state.supply[seat] -= 2
        state.empty[seat], state.laden[seat] = (city,), (laden_camel(city + 1, good),)
        state.occupied[seat] = 1 << city | 1 << city + 1
    return state


def search(deal: Callable[[], CaravanState], spent: Callable[[], float]) -> Move:
    """What tree search finds in that time."""
    tree = Tree(deal, CaravanJudgement(), SETTINGS)
    tree.grow(spent)
    return tree.best()


def test_without_any_time_both_searches_play_the_quick_policys_turn() -> None:
    state = a_position(7, seats=3, plies=20)
    assert search(state.clone, lambda: 1.0) == quick_turn(state)
    assert best_turn(state, lambda: 1.0) == quick_turn(state)


def test_a_search_finds_one_of_the_candidates_and_the_same_one_with_the_same_deals_and_looks() -> None:
    state = a_position(9, seats=3, plies=30)
    found = [search(Deals(seen(state)).next, after_looks(80)) for _ in range(2)]
    assert found[0] == found[1]
    width, most = judgement.ROOT_WIDTH, judgement.ROOT_TURNS
    assert found[0] in candidate_turns(state, width=width, most=most)


def test_a_search_delivers_when_that_wins_the_match() -> None:
    """C14, C17: who does something else leaves the last delivery to the other seat."""
    state = an_open_delivery()
    play_turn(state, search(state.clone, after_looks(100)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.placings == (1, 2)
