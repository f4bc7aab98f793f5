"""Runs on either build of the engine: searches some positions and says what was found, visits and values included."""

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3]))  # for the bots; an installed engine comes before it

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.state import AhldarahdState
from engine.caravan import CARAVAN
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.observation import Decision
from engine.caravanserai.quick.paths import Paths
from engine.game import Game, State
from engine.randomness import Stream
from engine.state import COMPILED
from engine.wasteland import WASTELAND
from engine.wasteland.state import WastelandState
from sample_bots.python.ahldarahd.planner import Search
from sample_bots.python.caravan.search.halving import search
from sample_bots.python.caravanserai.search import judgement as caravanserai
from sample_bots.python.search.tree import Settings, Tree
from sample_bots.python.wasteland.planner import Search as WastelandSearch

SIMULATIONS = 40
LOOKS = 400
"""At its clock, after which the time of a search by halving is over."""
POSITIONS = ((2, 0), (2, 41), (3, 60), (4, 90))
"""Seats, and plies before the search."""


def position(game: Game, seats: int, plies: int) -> Any:
    """Return the first position after so many sensible actions in which a turn begins."""
    state = game.new_match(seats, game.options(seats, {}), bytes([seats]) * 32)
    stream = Stream(bytes([plies]) * 32)
    while plies > 0 or not begins(state):
        state.apply(game.sensible_action(state, stream))
        plies -= 1
    return state


def begins(state: Any) -> bool:
    """Whether a whole turn is to be chosen. In Caravan any position will do, in the last two any with a choice."""
    if isinstance(state, (AhldarahdState, WastelandState)):
        return len(state.legal_actions()) > 1
    decision = getattr(state, "decision", Decision.OPEN_CELL)
    return decision is Decision.OPEN_CELL or (decision is Decision.STEP and not state.laid)


def deals(game: Game, state: State) -> Callable[[], Any]:
    """Return the position with what is hidden dealt anew each time."""
    seen, stream = state.observe(state.seat_to_act), Stream(bytes(32))
    return lambda: game.from_observation(seen, stream)


def tell(deal: Callable[[], Any], judgement: Any, settings: Settings) -> None:
    """Return the best move, and the visits and exact totals of all that were tried."""
    tree: Tree[Any] = Tree(deal, judgement, settings)
    for _ in range(SIMULATIONS):
        tree.simulate()
    tried = [(child.visits, *map(float.hex, child.totals)) for child in tree.root.children]
    sys.stdout.write(f"{tree.best()} {tried}\n")


class Looks:
    """A time that is over after so many looks at the clock."""

    def __init__(self, most: int = LOOKS) -> None:
        self._looks, self._most = count(), most

    def spent(self) -> float:
        """Return the part of it that is used up."""
        return next(self._looks) / self._most


def tell_deals(state: AhldarahdState) -> None:
    """Return the best action, and the exact totals of all that were examined."""
    planner = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
    planner.grow(Looks())
    totals = list(map(float.hex, planner._totals))
    sys.stdout.write(f"{planner.best()} {planner.actions} {totals}\n")


def tell_ways(state: WastelandState) -> None:
    """Return the same of Wasteland, where a candidate is some actions in a row and an estimate."""
    planner = WastelandSearch(state.observe(state.seat_to_act), Stream(bytes(32)))
    planner.grow(Looks(LOOKS // 8))
    worths = [candidate.worth.hex() for candidate in planner.candidates]
    totals = list(map(float.hex, planner._totals))
    sys.stdout.write(f"{planner.best().actions} {worths} {totals}\n")


def main() -> None:
    """Search all positions."""
    sys.stdout.write("compiled\n" if COMPILED else "interpreted\n")
    for seats, plies in POSITIONS:
        found = search(deals(CARAVAN, position(CARAVAN, seats, plies)), Looks().spent)
        sys.stdout.write(f"{found}\n")
        state = position(CARAVANSERAI, seats, plies)
        judgement = caravanserai.CaravanseraiJudgement(Paths(state.setup))
        tell(deals(CARAVANSERAI, state), judgement, caravanserai.SETTINGS)
        tell_deals(position(AHLDARAHD, seats, plies))
        tell_ways(position(WASTELAND, seats, plies))


if __name__ == "__main__":
    main()
