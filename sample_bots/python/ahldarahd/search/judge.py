"""What decisions of Ahldarahd are worth: the actions that planner looks at, played on and valued as it does."""

from collections.abc import Callable, Sequence
from typing import Final

from engine.ahldarahd.position import Position
from engine.ahldarahd.quick.policy import play_on
from engine.ahldarahd.quick.worth import POINT, seat_worth
from engine.ahldarahd.state import AhldarahdState
from engine.randomness import Stream
from sample_bots.python.ahldarahd.search.candidates import candidates
from sample_bots.python.search.tree import Move

HORIZON: Final = 2
"""So many turns ahead a position is played on before it is valued; this one counts."""

LEAST_SPREAD: Final = 0.8
"""At the end of the match."""
SPREAD_OF_DECK: Final = 7.0
"""More of it while the deck is full."""


class AhldarahdJudge:
    """A move is an action."""

    bot = "planner"

    def moves(self, state: AhldarahdState) -> Sequence[Move]:
        """Return the actions that planner looks at."""
        return [(action,) for action in candidates(state)]

    def continues(self, before: AhldarahdState, after: AhldarahdState) -> bool:
        """Return False: each action is a decision by itself."""
        return False

    def play_on(self, state: AhldarahdState, root: AhldarahdState, stream: Stream) -> None:
        """Play this turn to its end and the next one."""
        play_on(state, stream, root.turn + HORIZON)

    def points(self, state: AhldarahdState) -> Sequence[float]:
        """Return all that the seats have, in points."""
        return [seat_worth(state, seat) / POINT for seat in range(state.setup.seats)]

    def spread(self, state: AhldarahdState) -> float:
        """Return less and less as the deck becomes empty."""
        return LEAST_SPREAD + SPREAD_OF_DECK * deck_part(state)

    def advice(self, deal: Callable[[], AhldarahdState], seed: bytes) -> Move | None:
        """Return None: planner compares the same actions in the same way."""
        return None


def deck_part(position: Position) -> float:
    """Return the part of the cards that is still in the deck."""
    return position.deck_size / max(1, len(position.deck))


JUDGE: Final = AhldarahdJudge()
