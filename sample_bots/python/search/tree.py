"""Monte Carlo tree search over whole moves, for any number of seats.

A *move* is what a seat plays in one go: an action, or all the actions of its turn. Every node keeps the mean value for
each seat, and the seat to act there follows its own (max^n: Luckhardt and Irani 1986), by UCB1 (Auer, Cesa-Bianchi and
Fischer 2002). A game lists the moves best first; a node begins with few of them and takes up more as it is visited
more often (progressive widening: Coulom 2007; Chaslot et al. 2008). Whatever is hidden is dealt anew for each
simulation, and a node stands for the moves that lead to it, whatever the deal (Cowling, Powley and Whitehouse 2012).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from engine.game import TERMINAL, State

S = TypeVar("S", bound=State)
S_contra = TypeVar("S_contra", bound=State, contravariant=True)

Move = tuple[int, ...]
"""Actions of one seat, in order."""


class Judgement(Protocol[S_contra]):
    """What a search has to know of a game."""

    def moves(self, state: S_contra, *, at_root: bool) -> Sequence[Move]:
        """Return moves of the seat to act that are worth a look, each once and the best first; at least one."""
        ...

    def quick_move(self, state: S_contra) -> Move:
        """Return a move that takes no time to find."""
        ...

    def play(self, state: S_contra, move: Move) -> None:
        """Play the move, as far as it is legal after this deal."""
        ...

    def values(self, state: S_contra) -> Sequence[float]:
        """By seat, what the position promises; it may be played on for that."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """How a tree grows."""

    curiosity: float
    """The constant of UCB1, on the scale of the values."""
    first_moves: int
    """Moves of a node that are looked at from the beginning."""
    widening: float
    """A node that was visited n times has widening * sqrt(n) moves more."""
    ripe: int
    """A node has moves once it was visited so often; before, its position is only valued."""


class Node:
    """A position as one gets there: by moves, whatever was dealt."""

    __slots__ = ("children", "moves", "totals", "visits")

    def __init__(self) -> None:
        """Not visited yet."""
        self.visits = 0
        self.totals: list[float] = []
        """Of the values, by seat."""
        self.moves: Sequence[Move] = ()
        """Empty before the node is ripe."""
        self.children: list[Node] = []
        """Of the first moves."""


@dataclass(slots=True)
class Tree(Generic[S]):
    """The search of one decision."""

    deal: Callable[[], S]
    """Gives the position to search in, what is hidden dealt anew each time."""
    judgement: Judgement[S]
    settings: Settings
    root: Node = field(default_factory=Node)
    simulations: int = 0

    def grow(self, spent: Callable[[], float]) -> None:
        """Simulate until `spent` tells that all of the time is used up."""
        while spent() < 1:
            self.simulate()

    def simulate(self) -> None:
        """Simulate once: down the tree, a value for where it ends, and back."""
        state, node = self.deal(), self.root
        path = [node]
        while state.seat_to_act != TERMINAL and self._is_open(node, state):
            place = self._choose(node, state.seat_to_act)
            self.judgement.play(state, node.moves[place])
            node = node.children[place]
            path.append(node)
        values = self.judgement.values(state)
        for each in path:
            each.visits += 1
            before = each.totals or [0.0] * len(values)
            each.totals = [total + value for total, value in zip(before, values, strict=True)]
        self.simulations += 1

    def best(self) -> Move:
        """Return the move at the root that was visited most often, of equals the first; the quick move if none was."""
        visits = [child.visits for child in self.root.children]
        if not visits:
            return self.judgement.quick_move(self.deal())
        return self.root.moves[visits.index(max(visits))]

    def expected(self) -> list[float]:
        """Return the mean values by seat after the best move; empty if none was tried."""
        tried = [child for child in self.root.children if child.visits]
        if not tried:
            return []
        best = max(tried, key=lambda child: child.visits)
        return [total / best.visits for total in best.totals]

    def _is_open(self, node: Node, state: S) -> bool:
        """Return whether the node has moves; it gets them when it is ripe. The root is from the beginning."""
        if not node.moves and (node is self.root or node.visits >= self.settings.ripe):
            node.moves = self.judgement.moves(state, at_root=node is self.root)
        return bool(node.moves)

    def _choose(self, node: Node, seat: int) -> int:
        """Return the place of the move to look at now."""
        settings, children = self.settings, node.children
        wide = settings.first_moves + int(settings.widening * math.sqrt(node.visits))
        if len(children) < min(wide, len(node.moves)):
            children.append(Node())
            return len(children) - 1
        log = math.log(node.visits)
        best, best_bound = 0, -math.inf
        for place, child in enumerate(children):
            bound = child.totals[seat] / child.visits + settings.curiosity * math.sqrt(log / child.visits)
            if bound > best_bound:
                best, best_bound = place, bound
        return best
