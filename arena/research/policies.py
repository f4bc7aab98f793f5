"""Who plays the seats that are not learning: policies by name, and functions of what a seat is given."""

from collections.abc import Callable
from typing import Final

from arena.research.setting import RefusedError, SeatObservation, Setting
from engine.game import State
from engine.randomness import Stream

Policy = str | Callable[[SeatObservation], int]
"""The name of a policy, or a function from what the seat is given to the place of an action."""

_Chooser = Callable[[Setting, State, Stream], int]


def _random(setting: Setting, state: State, stream: Stream) -> int:
    return state.legal_actions()[stream.uniform(setting.legal_count(state))]


def _sensible(setting: Setting, state: State, stream: Stream) -> int:
    """Decide on a position drawn from what the seat sees, so that nothing hidden has any influence."""
    drawn = setting.rules.from_observation(state.observe(state.seat_to_act), stream)
    return setting.rules.sensible_action(drawn, stream)


_NAMED: Final[dict[str, _Chooser]] = {"random": _random, "sensible": _sensible}

POLICY_NAMES: Final = tuple(_NAMED)
"""`random`: any legal action, each with the same chance. `sensible`: the game's own quick plausible play."""


def check_policy(policy: Policy) -> None:
    """Raise RefusedError unless it is the name of a policy or a function."""
    if policy not in _NAMED if isinstance(policy, str) else not callable(policy):
        raise RefusedError(
            f"There is no policy {policy!r}: use {' or '.join(POLICY_NAMES)}, or a function of what a seat is given."
        )


def choose(setting: Setting, state: State, policy: Policy, stream: Stream) -> int:
    """Return the packed action that a policy plays for the seat to act; named policies draw from the stream.

    Raises RefusedError: the function returned what is no place of a legal action.
    """
    if isinstance(policy, str):
        return _NAMED[policy](setting, state, stream)
    return setting.action_at(state, policy(setting.observe(state, state.seat_to_act)))
