"""Finds the best placements of its turn, and plays the match out after each of them."""

import math
import os
from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.codecs.caravanserai.codec import CODEC
from arena.sdk import caravanserai
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.actions import cell_of
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import PIECE_LETTERS
from engine.caravanserai.plans import Plan
from engine.caravanserai.quick.paths import FREE, Paths
from engine.caravanserai.quick.placements import Finder, Placement
from engine.caravanserai.quick.playouts import (
    COUNTED,
    Spent,
    play_out,
    play_turn,
    quick_answer,
    quick_placement,
)
from engine.caravanserai.state import CaravanseraiState
from engine.game import Outcome
from engine.randomness import SEED_BYTES, Stream
from sample_bots.python.budget import Budget
from sample_bots.python.caravanserai.search.judgement import SCALE, leads
from sample_bots.python.expectation import send_leads

THINK_MS: Final = 150
"""Processor time of one decision, unless ARENA_THINK_MS says otherwise."""

CANDIDATES: Final = 24
"""Placements after which the match is played out, if there is time."""

MOST_COUNTED: Final = 6
"""Pieces of blocks that are not omitted, in a candidate."""

_BLOCK: Final = 3
"""Opening cells are tried first round which the most blocks of this size fit."""

_NOTHING_HIDDEN: Final = bytes(SEED_BYTES)


def best_placement(state: CaravanseraiState, paths: Paths, spent: Spent) -> tuple[Placement, Outcome | None]:
    """Return the candidate after which the match ends best, of those for which there is time, and that end.

    The end is None if there was no time to come to any.
    """
    if spent() >= 1:
        return quick_placement(state, paths), None
    seat = state.seat_to_act
    found = Finder(state, seat, paths, most_counted=MOST_COUNTED).best(CANDIDATES)
    best, best_end, outcome = found[0][1], -math.inf, None
    for _, placement in found:
        after = state.clone()
        play_turn(after, placement)
        end = play_out(after, seat, paths, spent)
        if end is None:
            break
        if end > best_end:
            best, best_end, outcome = placement, end, after.outcome()
    return best, outcome


def best_opening(state: CaravanseraiState, paths: Paths, spent: Spent) -> int:
    """Return the opening cell with the best first turn, of those for which there is time, others left aside."""
    numbers, seat = state.setup.tables.numbers, state.seat_to_act

    def blocks(action: int) -> int:
        return len(paths.of(numbers[cell_of(action)], FREE, _BLOCK))

    cells = sorted(state.legal_actions(), key=blocks, reverse=True)
    best, best_worth = cells[0], None
    for action in cells:
        if spent() >= 1:
            break
        after = state.clone()
        after.apply(action)
        found = Finder(after, seat, paths, most_counted=COUNTED).best(1)
        if found and (best_worth is None or found[0][0] > best_worth):
            best, best_worth = action, found[0][0]
    return best


class Planner(caravanserai.PackedBot):
    """Answers each turn with a plan; given time, the same whenever the position is the same."""

    name = "planner"
    games = (arena.sdk.Plays("caravanserai", (CARAVANSERAI.spec.rules_version,)),)
    matches = 4

    paths: Paths | None = None
    """Of the board of the match."""

    def choose(
        self,
        observation: caravanserai.Observation,
        legal_actions: Sequence[int],
        clock: arena.sdk.Clock,
    ) -> int | caravanserai.Action:
        """Return a place in the list, or a plan."""
        spent = Budget(clock, float(os.environ.get("ARENA_THINK_MS", THINK_MS))).spent
        seen = CODEC.observation_of(observation)
        state = CARAVANSERAI.from_observation(seen, Stream(_NOTHING_HIDDEN))
        if self.paths is None:
            self.paths = Paths(state.setup)
        match state.decision:
            case Decision.OPEN_CELL:
                return list(legal_actions).index(best_opening(state, self.paths, spent))
            case Decision.STEP if not state.laid:
                placement, outcome = best_placement(state, self.paths, spent)
                if outcome is not None:
                    send_leads(self, leads(outcome), state.seat_to_act, scale=SCALE, how="")
                return _message(placement.plan(state))
            case Decision.STEP | None:
                return 0  # a placement that another program has begun is brought to its end
            case Decision.STEAL_FROM | Decision.SEED_GOOD:
                return list(legal_actions).index(quick_answer(state))


def _message(plan: Plan) -> caravanserai.Action:
    cells = [caravanserai.Cell(q=cell.q, r=cell.r) for cell in plan.cells]
    pieces = [caravanserai.Piece.ValueType(PIECE_LETTERS.index(letter) + 1) for letter in plan.pieces]
    return caravanserai.Action(plan=caravanserai.Plan(pieces=pieces, cells=cells))


if __name__ == "__main__":
    arena.sdk.run(Planner)
