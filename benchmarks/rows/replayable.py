"""The least that a match can be played again from: its seed, its options, and which legal action was chosen when."""

from collections.abc import Iterator, Sequence

from arena.codecs.codec import codec_for
from arena.core.match import MatchSetup
from engine.registry import GAMES
from engine.state import TERMINAL, State


def replayable(setup: MatchSetup, actions: Sequence[int]) -> bytes:
    """Seed, options as a message, and the choices as one number, whose digits are places in the lists of legal actions.

    Raises ValueError for actions that are not listed: offers.
    """
    state, choices = _begin(setup), []
    for action in actions:
        legal = list(state.legal_actions())
        choices.append((legal.index(action), len(legal)))
        state.apply(action)
    number = 0
    for place, count in reversed(choices):
        number = number * count + place
    options = codec_for(setup.game).encode_options(setup.options).SerializeToString()
    return setup.seed + options + number.to_bytes((number.bit_length() + 7) // 8)


def actions_again(setup: MatchSetup, number: int) -> Iterator[int]:
    """Return the actions of a match that ended by the rules, with the choices of `number` from the start of `setup`."""
    state = _begin(setup)
    while state.seat_to_act != TERMINAL:
        legal = state.legal_actions()
        number, place = divmod(number, len(legal))
        yield legal[place]
        state.apply(legal[place])


def _begin(setup: MatchSetup) -> State:
    return GAMES[setup.game].new_match(len(setup.seats), setup.options, setup.seed)
