"""Tree search, on games that are small enough to know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count

import pytest

from engine.game import TERMINAL
from sample_bots.python.search.tree import Move, Settings, Tree
from tests.unit.core.toy_game import ToyState

SETTINGS = Settings(curiosity=1.0, first_moves=2, widening=1.0, ripe=1)


class Subtraction(ToyState):
    """Seats in turn take one to three of a heap; who takes the last one wins."""

    def __init__(self, heap: int, seats: int = 2) -> None:
        super().__init__(seats)
        self.heap, self.last = heap, TERMINAL

    def legal_actions(self) -> Sequence[int]:
        return range(1, min(3, self.heap) + 1)

    def apply(self, action: int) -> None:
        self.heap -= action
        self.last = self.seat_to_act
        self.seat_to_act = (self.seat_to_act + 1) % self.seats if self.heap else TERMINAL

    def clone(self) -> Subtraction:
        copy = Subtraction(self.heap, self.seats)
        copy.seat_to_act, copy.last = self.seat_to_act, self.last
        return copy


class TakesAll:
    """Lists all moves, in the order given; a heap that is left is worth nothing to anybody."""

    def __init__(self, *, backwards: bool = False) -> None:
        self.backwards = backwards
        self.asked = 0

    def moves(self, state: Subtraction, *, at_root: bool) -> Sequence[Move]:
        self.asked += 1
        return [(action,) for action in sorted(state.legal_actions(), reverse=self.backwards)]

    def quick_move(self, state: Subtraction) -> Move:
        return (1,)

    def play(self, state: Subtraction, move: Move) -> None:
        for action in move:
            state.apply(action)

    def values(self, state: Subtraction) -> Sequence[float]:
        return [float(state.last == seat) if not state.heap else 0.5 for seat in range(state.seats)]


def best(heap: int, *, seats: int = 2, simulations: int = 2000, backwards: bool = False) -> int:
    tree = Tree(lambda: Subtraction(heap, seats), TakesAll(backwards=backwards), SETTINGS)
    for _ in range(simulations):
        tree.simulate()
    return tree.best()[0]


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10])
def test_a_search_leaves_a_multiple_of_four_wherever_the_good_move_is_listed(
    heap: int, backwards: bool
) -> None:
    assert best(heap, backwards=backwards) == heap % 4


def test_each_of_three_seats_follows_its_own_advantage() -> None:
    """From three everybody takes all; so with four left, whatever one takes, the next seat wins."""
    tree = Tree(lambda: Subtraction(4, 3), TakesAll(), SETTINGS)
    for _ in range(2000):
        tree.simulate()
    shares = [total / tree.root.visits for total in tree.root.totals]
    assert shares[1] > 0.9
    assert shares[0] < 0.1


def test_without_a_simulation_the_quick_move_is_played() -> None:
    assert best(7, simulations=0) == 1


def test_growing_stops_when_the_time_is_spent() -> None:
    looks = count()
    tree = Tree(lambda: Subtraction(9), TakesAll(), SETTINGS)
    tree.grow(lambda: next(looks) / 25)
    assert tree.simulations == 25


def test_the_same_simulations_build_the_same_tree() -> None:
    visits = []
    for _ in range(2):
        tree = Tree(lambda: Subtraction(10, 3), TakesAll(), SETTINGS)
        for _ in range(300):
            tree.simulate()
        visits.append([child.visits for child in tree.root.children])
    assert visits[0] == visits[1]
    assert sum(visits[0]) == 300


def test_a_node_takes_up_moves_only_as_it_is_visited_more_often() -> None:
    settings = Settings(curiosity=1.0, first_moves=1, widening=0.5, ripe=1)
    tree = Tree(lambda: Subtraction(9), TakesAll(), settings)
    widths = {}
    for visits in range(1, 41):
        tree.simulate()
        widths[visits] = len(tree.root.children)
    assert all(width <= min(3, 1 + int(0.5 * math.sqrt(visits))) for visits, width in widths.items())
    assert (widths[1], widths[40]) == (1, 3)


def test_moves_are_looked_for_only_where_a_node_is_ripe() -> None:
    judgement = TakesAll()
    tree = Tree(lambda: Subtraction(9), judgement, Settings(1.0, 3, 0.0, ripe=1000))
    for _ in range(50):
        tree.simulate()
    assert judgement.asked == 1
