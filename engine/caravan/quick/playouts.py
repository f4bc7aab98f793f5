"""How turns turn out: positions played on with the quick policy."""

from engine.caravan.quick.policy import quick_action
from engine.caravan.quick.turns import Turn
from engine.caravan.quick.worth import leads
from engine.caravan.state import CaravanState
from engine.game import TERMINAL


def play_turn(state: CaravanState, turn: Turn) -> None:
    """Play the turn to its end.

    Where the bag brings other goods than the turn was made for, the quick policy continues.
    """
    number = state.turn
    for action in turn:
        if not _running(state, number) or not state.is_legal(action):
            break
        state.apply(action)
    while _running(state, number):
        state.apply(quick_action(state))


def play_on(state: CaravanState, turns: int) -> list[float]:
    """Return the leads by seat after so many turns of the quick policy, or at the end of the match."""
    last = state.turn + turns
    while state.seat_to_act != TERMINAL and state.turn < last:
        state.apply(quick_action(state))
    return leads(state)


def _running(state: CaravanState, turn: int) -> bool:
    return state.seat_to_act != TERMINAL and state.turn == turn
