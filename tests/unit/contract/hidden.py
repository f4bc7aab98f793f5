"""How each game with hidden information is dealt anew, and played so that everything hidden comes to matter."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.board import KINDS
from engine.ahldarahd.state import AhldarahdState
from engine.game import State, own
from engine.randomness import Stream
from engine.wasteland import WASTELAND
from tests.unit.contract import hidden_wasteland
from tests.unit.engine.ahldarahd.choosing import choose as choose_in_ahldarahd


@dataclass(frozen=True)
class Hidden:
    """What the tests of hidden information need of a game."""

    deal_anew: Callable[[Sequence[State], int, Stream], State]
    """`(positions, viewer, stream)`: another first position, from which the same actions lead to a position that looks
    to the viewer like the last one, and on the way to which it would have seen the same; the rest is the stream's.
    Where it is secret who is asked, others may be asked more or less often on the way, and then pass."""
    longest: Callable[[State], object]
    """What may stay hidden longest of what a first position holds."""
    choose: Callable[[State, Random], int]
    """A legal action, of the kinds that are never listed, too."""


def _deal_ahldarahd_anew(positions: Sequence[State], viewer: int, stream: Stream) -> State:
    """Cards turned up stay in their order, and chips drawn; start hands and the rest of the deck change.

    Other hands are taken out of what the viewer sees: should they stand there, they are dealt anew all the same.
    """
    before, after = own(positions[0], AhldarahdState), own(positions[-1], AhldarahdState)
    seen = after.observe(viewer)
    seats = [view if seat == viewer else view._replace(hand=None) for seat, view in enumerate(seen.seats)]
    made = AHLDARAHD.from_observation(replace(seen, seats=tuple(seats)), stream)
    dealt = before.clone()
    for seat in range(dealt.setup.seats):
        dealt.hands[seat] = [made.hands[seat][city] - made.gained[seat][city] for city in range(KINDS)]
    dealt.deck = [*after.deck[: after.top], *made.deck[made.top :]]
    return dealt


HIDDEN = {
    AHLDARAHD.spec.id: Hidden(
        _deal_ahldarahd_anew,
        lambda state: own(state, AhldarahdState).hands,
        lambda state, dice: choose_in_ahldarahd(own(state, AhldarahdState), dice),
    ),
    WASTELAND.spec.id: Hidden(
        hidden_wasteland.deal_anew, hidden_wasteland.event_deck, hidden_wasteland.choose
    ),
}
"""By game."""
