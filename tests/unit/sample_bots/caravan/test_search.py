"""The parts of the search bots. Clauses: docs/rules/caravan.md."""

from collections.abc import Callable, Sequence
from itertools import chain, repeat

import pytest

from arena.codecs.caravan.codec import CODEC
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.caravan import CARAVAN
from engine.caravan.actions import PASS_ACTION, laden_camel
from engine.caravan.goods import Good
from engine.caravan.quick.playouts import play_turn
from engine.caravan.quick.turns import candidate_turns, quick_turn
from engine.caravan.state import CaravanState
from sample_bots.python.caravan import mcts
from sample_bots.python.caravan.mcts import Mcts
from sample_bots.python.caravan.search.halving import Found, search
from sample_bots.python.caravan.search.outlook import best_turn
from sample_bots.python.caravan.search.positions import Deals
from tests.unit.engine.caravan.quick.positions import a_position
from tests.unit.sample_bots.driver import Looks, ask


def seen(state: CaravanState) -> caravan_pb2.Observation:
    data = CODEC.encode_observation(state.observe(state.seat_to_act))
    return games_pb2.Observation.FromString(data).caravan


def test_deals_differ_only_in_the_order_of_the_bag() -> None:
    state = a_position(5, plies=30)
    deals = Deals(seen(state))
    one, other = deals.next(), deals.next()
    assert one.bag != other.bag
    assert seen(one) == seen(other) == seen(state)


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


def test_without_any_time_both_searches_play_the_quick_policys_turn() -> None:
    state = a_position(7, seats=3, plies=20)
    assert search(state.clone, lambda: 1.0).turn == quick_turn(state)
    assert best_turn(state, lambda: 1.0) == quick_turn(state)


def test_a_search_ends_when_a_look_shows_that_its_time_is_over() -> None:
    state = a_position(7, plies=20)
    budget = Looks(40)
    turn = search(Deals(seen(state)).next, budget.spent).turn
    assert turn in candidate_turns(state, width=6, most=12)
    assert 40 * budget.seen <= 46  # Replies, the sweep and the stages each look once more.


def test_a_search_with_the_same_deals_and_looks_finds_the_same_turn() -> None:
    state = a_position(9, seats=3, plies=30)
    found = [search(Deals(seen(state)).next, Looks(59).spent) for _ in range(2)]
    assert found[0] == found[1]


def test_a_search_delivers_when_that_wins_the_match_whatever_it_meant_to_do() -> None:
    """C14, C17: who passes instead leaves the last delivery to the other seat."""
    state = an_open_delivery()
    turn = search(state.clone, Looks(59).spent, (PASS_ACTION,)).turn
    play_turn(state, turn)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.placings == (1, 2)


def test_a_plan_is_what_is_played_when_nothing_could_be_tried_but_only_if_it_is_legal() -> None:
    state = an_open_delivery()
    plan = (state.parse_action("MOVE(3,10)"),)
    assert search(state.clone, chain([0.0], repeat(1.0)).__next__, plan).turn == plan
    illegal = (state.parse_action("PICK_UP(24)"),)
    assert state.is_legal(search(state.clone, chain([0.0], repeat(1.0)).__next__, illegal).turn[0])


def test_mcts_thinks_when_a_turn_begins_and_when_goods_come_from_the_bag(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C6, C15: in between it plays what it has planned."""
    thoughts: list[tuple[int, int]] = []

    def quick(deal: Callable[[], CaravanState], spent: object, plan: Sequence[int]) -> Found:
        state = deal()
        thoughts.append((state.turn, len(state.bag) - state.drawn))
        return Found(quick_turn(state))

    monkeypatch.setattr(mcts, "search", quick)
    state, bot, met = a_position(11), Mcts(), []
    while state.outcome() is None:
        met.append((state.turn, len(state.bag) - state.drawn))
        [action] = ask(CARAVAN, bot, state)
        state.apply(action)
    assert len({turn for turn, _ in met}) < len(thoughts) < len(met)
    assert thoughts == list(dict.fromkeys(met))


def test_a_plan_that_leads_no_further_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """C15: a plan may outlive a refill that took away what its later actions were meant for."""
    monkeypatch.setenv("ARENA_THINK_MS", "1")
    state, bot = an_open_delivery(), Mcts()
    bot.plan = (state.parse_action("PICK_UP(24)"),)
    bot.planned_for = (state.turn, sum(seen(state).bag))
    [action] = ask(CARAVAN, bot, state)
    assert state.is_legal(action)
