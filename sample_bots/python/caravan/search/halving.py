"""Monte Carlo search over turns by sequential halving (Karnin, Koren and Somekh 2013).

Sweep after sweep all turns that are left are tried on the same deal of the bag, so that luck is equal for all. After
each quarter of the time the worse half is dropped. A try is what planner does once: the turn, then two rounds of the
quick policy. What longer playouts and searched replies came to stands in docs/bots/strengths.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.caravan.quick.playouts import play_on, play_turn
from engine.caravan.quick.turns import Turn, candidate_turns, quick_turn
from engine.caravan.state import CaravanState

ROOT_WIDTH: Final = 6
ROOT_TURNS: Final = 12
HALVINGS: Final = 4
"""The worse half is dropped after each such part of the time."""
ROUNDS: Final = 2
"""Turns of every seat that a playout lasts."""
LEAST_LEFT: Final = 2
"""So many turns are never dropped."""


class Candidate:
    """One turn of the seat to act, and how it has done."""

    __slots__ = ("total", "turn")

    def __init__(self, turn: Turn) -> None:
        """Not tried yet."""
        self.turn = turn
        self.total = 0.0
        """Of the leads after it; all candidates left have been tried equally often."""


def search(deal: Callable[[], CaravanState], spent: Callable[[], float], plan: Turn = ()) -> Turn:
    """The best turn found when the time is over; without any time, what the quick policy plays.

    `deal` gives the position, the rest of the bag in a new order each time. `spent` tells which share of the time is
    used up. `plan`: what was meant to be played from here on, tried with the others; empty for none.
    """
    state = deal()
    if spent() >= 1:
        return quick_turn(state)
    turns = candidate_turns(state, width=ROOT_WIDTH, most=ROOT_TURNS)
    if plan and state.is_legal(plan[0]):
        turns = list(dict.fromkeys((plan, *turns)))
    left = [Candidate(turn) for turn in turns]
    while len(left) > 1:
        leads = _sweep(state, left, spent)
        if leads is None:
            break
        for candidate, lead in zip(left, leads, strict=True):
            candidate.total += lead
        left.sort(key=lambda candidate: -candidate.total)
        left = left[: max(LEAST_LEFT, ROOT_TURNS >> int(HALVINGS * spent()))]
        state = deal()
    return left[0].turn


def _sweep(state: CaravanState, left: list[Candidate], spent: Callable[[], float]) -> list[float] | None:
    """The leads of the seat to act after each candidate; None if the time was over before all were tried."""
    leads = []
    for candidate in left:
        if spent() >= 1:
            return None
        after = state.clone()
        play_turn(after, candidate.turn)
        leads.append(play_on(after, ROUNDS * state.setup.seats)[state.seat_to_act])
    return leads
