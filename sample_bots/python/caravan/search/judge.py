"""What decisions of Caravan are worth: the turns that mcts tries, played on and valued as planner does."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from engine.caravan.goods import GOODS_COUNT
from engine.caravan.position import Position
from engine.caravan.quick.policy import quick_action
from engine.caravan.quick.turns import Turn, candidate_turns
from engine.caravan.quick.worth import prospects
from engine.caravan.state import CaravanState
from engine.game import TERMINAL
from engine.randomness import Stream
from sample_bots.python.caravan.search.halving import search
from sample_bots.python.caravan.search.outlook import CANDIDATES, ROUNDS, WIDTH

EFFORT: Final = 80
"""So many looks at its clock the search of an advice has."""

LEAST_SPREAD: Final = 0.5
"""At the end of the match."""
SPREAD_OF_BAG: Final = 12.5
"""More of it while the bag is full."""


class CaravanJudge:
    """A move is all that is left of a turn."""

    bot = "mcts"

    def moves(self, state: CaravanState) -> Sequence[Turn]:
        """Return good turns."""
        return candidate_turns(state, width=WIDTH, most=CANDIDATES)

    def continues(self, before: CaravanState, after: CaravanState) -> bool:
        """Return whether the turn is not over."""
        return before.turn == after.turn

    def play_on(self, state: CaravanState, root: CaravanState, stream: Stream) -> None:
        """Play to the end of the turn, and two turns of each seat."""
        last = root.turn + 1 + ROUNDS * root.setup.seats
        while state.seat_to_act != TERMINAL and state.turn < last:
            state.apply(quick_action(state))

    def points(self, state: CaravanState) -> Sequence[float]:
        """Return the scores, with what is carried and free."""
        return [state.score(seat) + prospects(state, seat) for seat in range(state.setup.seats)]

    def spread(self, state: CaravanState) -> float:
        """Return less and less as the bag becomes empty."""
        return LEAST_SPREAD + SPREAD_OF_BAG * bag_part(state)

    def advice(self, deal: Callable[[], CaravanState], seed: bytes) -> Turn:
        """Return the turn of mcts."""
        looks = count()
        return search(deal, lambda: next(looks) / EFFORT).turn


def bag_part(position: Position) -> float:
    """Return the part of all goods of the match that is still in the bag."""
    return sum(position.bag_left) / sum(GOODS_COUNT[position.setup.options.goods])


JUDGE: Final = CaravanJudge()
