"""The position and the legal actions of a decision as text, for bots that ask for them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from arena.codecs.serialized import embedded
from arena.core.match import MatchSetup
from arena.drawings.drawing import drawing_for
from arena.v1 import play_pb2
from engine.game import State
from engine.randomness import SEED_BYTES
from engine.registry import GAMES

FEATURE: Final = "text"
"""The name of the ability in `Welcome.features`."""

_POSITION: Final = play_pb2.Decision.POSITION_TEXT_FIELD_NUMBER
_NOTATION: Final = play_pb2.Decision.LEGAL_ACTION_NOTATIONS_FIELD_NUMBER


def position_text(game: str, observation: object) -> bytes:
    """Return the field Decision.position_text, which holds nothing but what the observation does."""
    return embedded(_POSITION, drawing_for(game).draw(observation).plain.encode())


def action_notations(setup: MatchSetup, actions: Sequence[int]) -> bytes:
    """Return the field Decision.legal_action_notations."""
    state = _some_position(setup.game, len(setup.seats), setup.options)
    return b"".join([embedded(_NOTATION, state.format_action(action).encode()) for action in actions])


@lru_cache(maxsize=64)
def _some_position(game: str, seats: int, options: object) -> State:
    """Return a position of another match with these options: notations tell nothing of the position of this one."""
    return GAMES[game].new_match(seats, options, bytes(SEED_BYTES))
