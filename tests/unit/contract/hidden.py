"""How each game with hidden information is dealt anew, and played so that everything hidden comes to matter."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.board import KINDS
from engine.ahldarahd.state import AhldarahdState
from engine.game import State, own
from engine.randomness import Stream
from engine.wasteland import WASTELAND
from engine.wasteland.position import NOBODY
from engine.wasteland.state import WastelandState
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


_SENSIBLE_IN_WASTELAND = 0.5


def _choose_in_wasteland(state: State, dice: Random) -> int:
    """Sensible actions and any others, so that Event cards are played and Attack cards are met."""
    if dice.random() < _SENSIBLE_IN_WASTELAND:
        return WASTELAND.sensible_action(state, Stream(dice.randbytes(32)))
    return dice.choice(list(state.legal_actions()))


def _event_deck(state: State) -> object:
    """Return the Event cards to come."""
    return own(state, WastelandState).event_deck


def _deal_wasteland_anew(positions: Sequence[State], viewer: int, stream: Stream) -> WastelandState:
    """Return the first position, with another order of what lies hidden from the viewer in the last one.

    The Event cards that others still hold and those that nobody has drawn change places among each other, and so do the
    Attack cards and missions to come; a deck that was shuffled since stays as it is.
    """
    seen = [own(each, WastelandState) for each in positions]
    dealt = seen[0].clone()
    dealt.attack_deck = _reshuffled([each.attack_deck for each in seen], stream)
    dealt.mission_deck = _reshuffled([each.mission_deck for each in seen], stream)
    places, event_deck = _hidden_places(seen, viewer), list(dealt.event_deck)
    cards = [event_deck[place] for place in places]
    stream.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        event_deck[place] = card
    dealt.event_deck = tuple(event_deck)
    return dealt


def _reshuffled(way: Sequence[tuple[int, ...]], stream: Stream) -> tuple[int, ...]:
    """Return a deck as it was first, with another order of the cards that are left in the end."""
    deck = way[0]
    if not _is_as_it_was(way):
        return deck
    rest = list(deck[len(deck) - len(way[-1]) :])
    stream.shuffle(rest)
    return (*deck[: len(deck) - len(rest)], *rest)


def _hidden_places(positions: Sequence[WastelandState], viewer: int) -> list[int]:
    """Places of the first Event deck whose cards the viewer has not seen by the last position."""
    deck, last = positions[0].event_deck, positions[-1]
    if not _is_as_it_was([each.event_deck for each in positions]):
        return []
    drawn = len(deck) - len(last.event_deck)
    hidden = list(range(drawn, len(deck)))
    held = [list(hand) for hand in last.hands]
    for place, seat in reversed(list(_draws(positions))):
        if seat not in (viewer, NOBODY) and held[seat][deck[place]]:
            held[seat][deck[place]] -= 1
            hidden.append(place)
    return hidden


def _is_as_it_was(way: Sequence[tuple[int, ...]]) -> bool:
    """Whether a deck was never shuffled on its way through the positions: cards have only left it from the top."""
    return all(before[len(before) - len(after) :] == after for before, after in pairwise(way))


def _draws(positions: Sequence[WastelandState]) -> list[tuple[int, int]]:
    """(place in the first Event deck, seat that drew it), in order; NOBODY where several turns ended at once."""
    size = len(positions[0].event_deck)
    found = []
    for before, after in pairwise(positions):
        places = range(size - len(before.event_deck), size - len(after.event_deck))
        found += [(place, before.current if len(places) == 1 else NOBODY) for place in places]
    return found


HIDDEN = {
    AHLDARAHD.spec.id: Hidden(
        _deal_ahldarahd_anew,
        lambda state: own(state, AhldarahdState).hands,
        lambda state, dice: choose_in_ahldarahd(own(state, AhldarahdState), dice),
    ),
    WASTELAND.spec.id: Hidden(_deal_wasteland_anew, _event_deck, _choose_in_wasteland),
}
"""By game."""
