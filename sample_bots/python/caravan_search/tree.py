"""A Monte Carlo tree over turns: each edge is one seat's turn, each simulation has a bag of its own."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Final

from caravan_search.playouts import play_on, play_turn
from caravan_search.turns import Turn, candidate_turns
from engine.caravan.state import CaravanState
from engine.game import TERMINAL

EXPLORATION: Final = 4.0
"""Points of lead that a turn is credited with while little is known of it."""
ROOT_WIDTH: Final = 5
ROOT_TURNS: Final = 10
INNER_WIDTH: Final = 2
INNER_TURNS: Final = 4
VISITS_TO_GROW: Final = 8
"""A turn is followed by a tree of its own once it has been tried so often."""
MOST_ROUNDS: Final = 4
"""Playouts last one to so many turns of every seat, in turn."""


class Node:
    """The position after a sequence of turns, whatever the bag brings."""

    __slots__ = ("children", "total", "turn", "visits")

    def __init__(self, turn: Turn) -> None:
        """`turn` leads here."""
        self.turn = turn
        self.children: list[Node] = []
        self.visits = 0
        self.total = 0.0
        """Of the leads of the seat that played `turn`."""

    def best_child(self) -> Node:
        """The child to be tried next: untried ones first, then by upper confidence bound."""
        spread = log(self.visits + 1)

        def bound(child: Node) -> float:
            if child.visits == 0:
                return float("inf")
            return child.total / child.visits + EXPLORATION * sqrt(spread / child.visits)

        return max(self.children, key=bound)


def search(draw_position: Callable[[], CaravanState], has_time: Callable[[], bool]) -> Turn:
    """The turn that was tried most often.

    `draw_position` gives the position with the rest of the bag in a new order each time. Every candidate is tried
    once, and then as long as there is time.
    """
    state = draw_position()
    root = Node(())
    root.children = [Node(turn) for turn in candidate_turns(state, width=ROOT_WIDTH, most=ROOT_TURNS)]
    if len(root.children) == 1:
        return root.children[0].turn
    while has_time() or root.visits < len(root.children):
        _simulate(root, state)
        state = draw_position()
    return max(root.children, key=lambda child: (child.visits, child.total)).turn


def _simulate(root: Node, state: CaravanState) -> None:
    """One way down the tree, a playout from there, and the result for all nodes passed."""
    passed: list[tuple[Node, int]] = []
    node = root
    while node.children and state.seat_to_act != TERMINAL:
        node = node.best_child()
        passed.append((node, state.seat_to_act))
        play_turn(state, node.turn)
    if node.visits >= VISITS_TO_GROW and state.seat_to_act != TERMINAL:
        turns = candidate_turns(state, width=INNER_WIDTH, most=INNER_TURNS)
        node.children = [Node(turn) for turn in turns]
    rounds = 1 + node.visits % MOST_ROUNDS
    leads = play_on(state, rounds * state.setup.seats)
    root.visits += 1
    for passed_node, seat in passed:
        passed_node.visits += 1
        passed_node.total += leads[seat]
