"""What decisions of Wasteland are worth: what planner looks at, played on and valued as it does."""

from collections.abc import Callable, Sequence
from typing import Final

from engine.randomness import Stream
from engine.wasteland.position import ASK_LOCATION, ASK_MOVE
from engine.wasteland.quick.policy import play_on, quick_action, turn_number
from engine.wasteland.quick.worth import seat_worth, turns_left
from engine.wasteland.state import WastelandState
from sample_bots.python.search.tree import Move
from sample_bots.python.wasteland.search.candidates import candidates

HORIZON: Final = 2
"""So many turns of each seat a position is played on before it is valued; this one counts."""

OTHERS: Final = 6
"""Listed actions that are looked at where planner looks at one only."""

LEAST_SPREAD: Final = 6.0
"""At the end of the match."""
SPREAD_OF_TURN: Final = 3.0
"""More of it for each turn to come."""

_PARTS: Final = (ASK_MOVE, ASK_LOCATION)
"""Decisions that come several in a row."""


class WastelandJudge:
    """A move is a Movement, or an action."""

    bot = "planner"

    def moves(self, state: WastelandState) -> Sequence[Move]:
        """Return what planner looks at; where it has one choice only, some of the listed actions too."""
        found = [candidate.actions for candidate in candidates(state)]
        if len(found) == 1:
            listed = [(action,) for action in state.legal_actions()]
            found = list(
                dict.fromkeys([*found, (quick_action(state),), *listed[:: max(1, len(listed) // OTHERS)]])
            )
        return found

    def continues(self, before: WastelandState, after: WastelandState) -> bool:
        """Return whether a Movement or a Location goes on."""
        return (
            before.decision == after.decision and after.decision in _PARTS and before.current == after.current
        )

    def play_on(self, state: WastelandState, root: WastelandState, stream: Stream) -> None:
        """Play two turns of each seat, this one included."""
        play_on(state, turn_number(root) + HORIZON * root.setup.seats)

    def points(self, state: WastelandState) -> Sequence[float]:
        """Return all that the seats have, in Cash."""
        return [seat_worth(state, seat) for seat in range(state.setup.seats)]

    def spread(self, state: WastelandState) -> float:
        """Return less and less as the end of the match comes near."""
        return LEAST_SPREAD + SPREAD_OF_TURN * turns_left(state)

    def advice(self, deal: Callable[[], WastelandState], seed: bytes) -> Move | None:
        """Return None: planner compares the same candidates in the same way."""
        return None


JUDGE: Final = WastelandJudge()
