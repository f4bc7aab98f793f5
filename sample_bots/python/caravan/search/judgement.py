"""What tree search has to know of Caravan: a move is a whole turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.caravan.quick.playouts import play_on, play_turn
from engine.caravan.quick.turns import Turn, candidate_turns, quick_turn
from engine.caravan.state import CaravanState
from sample_bots.python.search.tree import Settings

SETTINGS: Final = Settings(curiosity=0.4, first_moves=4, widening=0.5, ripe=16)
"""For values in points."""

ROOT_WIDTH: Final = 4
ROOT_TURNS: Final = 10
WIDTH: Final = 2
"""Of the beam elsewhere; a wider one takes longer than what it finds is worth."""
TURNS: Final = 5
ROUNDS: Final = 4
"""Turns of every seat that a playout lasts."""


class CaravanJudgement:
    """Turns found by a beam, valued by what the quick policy makes of them."""

    def moves(self, state: CaravanState, *, at_root: bool) -> Sequence[Turn]:
        """The turns that a beam finds."""
        width, most = (ROOT_WIDTH, ROOT_TURNS) if at_root else (WIDTH, TURNS)
        return candidate_turns(state, width=width, most=most)

    def quick_move(self, state: CaravanState) -> Turn:
        """The turn of the quick policy."""
        return quick_turn(state)

    def play(self, state: CaravanState, move: Turn) -> None:
        """The turn; where the bag brought other goods than it was made for, the quick policy goes on."""
        play_turn(state, move)

    def values(self, state: CaravanState) -> Sequence[float]:
        """How far each seat is ahead some rounds later, in points."""
        return play_on(state, ROUNDS * state.setup.seats)
