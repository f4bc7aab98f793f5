"""Turns as a quick policy plays them, and whole matches played out by it."""

from collections.abc import Callable
from typing import Final

from engine.caravanserai.actions import cell_of, victim_of
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision
from engine.caravanserai.quick.paths import Paths
from engine.caravanserai.quick.placements import Finder, Placement
from engine.caravanserai.state import CaravanseraiState

Spent = Callable[[], float]
"""Tells which share of the time is used up."""

COUNTED: Final = 3
"""Pieces of blocks that are not omitted, in a placement of the quick policy."""

AHEAD: Final = 2
"""Being placed before another seat counts like so many pieces."""

_STEAL_FROM: Final = Decision.STEAL_FROM
_SEED_GOOD: Final = Decision.SEED_GOOD
"""Members of an enum are slow to look up."""


def quick_placement(state: CaravanseraiState, paths: Paths) -> Placement:
    """Return the placement that is worth most at the end of the turn. The first step of a turn is asked for."""
    [(_, placement)] = Finder(state, state.seat_to_act, paths, most_counted=COUNTED).best(1)
    return placement


def quick_answer(state: CaravanseraiState) -> int:
    """Steal from the longest caravan; put goods near the own leading camel and away from the others."""
    listed = state.legal_actions()
    if state.decision is _STEAL_FROM:
        return max(listed, key=lambda action: len(state.cells[victim_of(action)]))
    cells = state.setup.tables.cells
    heads = [cells[caravan[-1]] for caravan in state.cells]
    own = heads.pop(state.seat_to_act)
    return min(listed, key=lambda action: _farness(cell_of(action), own, heads))


def _farness(cell: Cell, own: Cell, others: list[Cell]) -> int:
    nearest = min((_distance(cell, other) for other in others), default=0)
    return 2 * _distance(cell, own) - nearest


def _distance(one: Cell, other: Cell) -> int:
    """Return the number of steps from one cell to the other."""
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r))


def play_turn(state: CaravanseraiState, placement: Placement) -> None:
    """Lay the placement and answer what is asked after it, to the end of the turn."""
    for step in placement.steps(state):
        state.apply(step)
    answer_quickly(state)


def answer_quickly(state: CaravanseraiState) -> None:
    """Answer what is asked between two turns."""
    while state.decision is _STEAL_FROM or state.decision is _SEED_GOOD:
        state.apply(quick_answer(state))


def play_out(state: CaravanseraiState, seat: int, paths: Paths, spent: Spent) -> float | None:
    """Play the match to its end; return how far the seat is ahead of the others there, in pieces; in solo, its length.

    None if the time is over before it has ended.
    """
    while (outcome := state.outcome()) is None:
        if spent() >= 1:
            return None
        play_turn(state, quick_placement(state, paths))
    own, others = outcome.scores[seat], len(outcome.scores) - 1
    if not others:
        return own
    behind = sum(placing > outcome.placings[seat] for placing in outcome.placings)
    return own - (sum(outcome.scores) - own) / others + AHEAD * behind
