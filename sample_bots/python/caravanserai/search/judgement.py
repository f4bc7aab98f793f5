"""What tree search has to know of Caravanserai: a move is a whole turn, or the opening."""

from collections.abc import Sequence
from typing import Final

from engine.caravanserai.actions import cell_of
from engine.caravanserai.observation import Decision
from engine.caravanserai.quick.paths import FREE, Paths
from engine.caravanserai.quick.placements import Finder
from engine.caravanserai.quick.playouts import AHEAD, COUNTED, answer_quickly, quick_placement
from engine.caravanserai.state import CaravanseraiState
from engine.game import Outcome
from sample_bots.python.search.tree import Move, Settings

SETTINGS: Final = Settings(curiosity=2.0, first_moves=3, widening=1.0, ripe=1)
"""For values in pieces. A position is played out the same way each time, so that a second look has to go on."""

ROOT_MOVES: Final = 60
ROOT_COUNTED: Final = 6
"""Pieces of blocks that are not omitted, in a placement at the root."""
SCALE: Final = 6.0
"""A lead over another seat that makes the odds e to one, in pieces."""

MOVES: Final = 24
"""Elsewhere; a placement has `COUNTED` such pieces there."""

_BLOCK: Final = 3
"""Opening cells are tried first round which the most blocks of this size fit."""


class CaravanseraiJudgement:
    """Placements that promise most at the end of the turn, valued by the match played out."""

    def __init__(self, paths: Paths) -> None:
        """`paths`: of the board of the match."""
        self._paths = paths

    def moves(self, state: CaravanseraiState, *, at_root: bool) -> Sequence[Move]:
        """Return the opening cells, or the placements by their worth; a turn is to begin."""
        if state.decision is Decision.OPEN_CELL:
            return self._openings(state)
        counted, most = (ROOT_COUNTED, ROOT_MOVES) if at_root else (COUNTED, MOVES)
        found = Finder(state, state.seat_to_act, self._paths, most_counted=counted).best(most)
        return [placement.steps(state) for _, placement in found]

    def quick_move(self, state: CaravanseraiState) -> Move:
        """Return the first opening cell, or the placement of the quick policy."""
        if state.decision is Decision.OPEN_CELL:
            return self._openings(state)[0]
        return quick_placement(state, self._paths).steps(state)

    def play(self, state: CaravanseraiState, move: Move) -> None:
        """Play the move and answer what is asked after it, to the end of the turn."""
        for action in move:
            state.apply(action)
        answer_quickly(state)

    def values(self, state: CaravanseraiState) -> Sequence[float]:
        """Return how far each seat is ahead of the others at the end, in pieces. In solo: the length."""
        while (outcome := state.outcome()) is None:
            self.play(state, self.quick_move(state))
        return leads(outcome)

    def _openings(self, state: CaravanseraiState) -> list[Move]:
        numbers, paths = state.setup.tables.numbers, self._paths
        cells = sorted(
            state.legal_actions(), key=lambda action: -len(paths.of(numbers[cell_of(action)], FREE, _BLOCK))
        )
        return [(action,) for action in cells]


def leads(outcome: Outcome) -> list[float]:
    """By seat: its length less the mean of the others, and AHEAD for each seat behind it or before it."""
    scores, placings = outcome.scores, outcome.placings
    if len(scores) == 1:
        return [float(scores[0])]
    total, others = sum(scores), len(scores) - 1
    return [
        own - (total - own) / others + AHEAD * sum((its > mine) - (its < mine) for its in placings)
        for own, mine in zip(scores, placings, strict=True)
    ]
