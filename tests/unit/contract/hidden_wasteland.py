"""Another deal of Wasteland in which all that has been seen so far happens again."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from engine.game import State, own
from engine.randomness import Stream
from engine.wasteland import WASTELAND
from engine.wasteland.position import NOBODY
from engine.wasteland.state import WastelandState

_SENSIBLE = 0.5


def choose(state: State, dice: Random) -> int:
    """Sensible actions and any others, so that Event cards are played and Attack cards are met."""
    if dice.random() < _SENSIBLE:
        return WASTELAND.sensible_action(state, Stream(dice.randbytes(32)))
    return dice.choice(list(state.legal_actions()))


def event_deck(state: State) -> object:
    """Return the Event cards to come."""
    return own(state, WastelandState).event_deck


def deal_anew(positions: Sequence[State], viewer: int, stream: Stream) -> WastelandState:
    """Return the first position, with another order of what lies hidden from the viewer in the last one.

    The Event cards that others still hold and those that nobody has drawn change places among each other, and so do the
    Attack cards and missions to come; a deck that was shuffled since stays as it is.
    """
    seen = [own(each, WastelandState) for each in positions]
    dealt = seen[0].clone()
    for deck, way in (
        (dealt.attack_deck, [each.attack_deck for each in seen]),
        (dealt.mission_deck, [each.mission_deck for each in seen]),
    ):
        if _is_as_it_was(way):
            rest = deck[len(deck) - len(way[-1]) :]
            stream.shuffle(rest)
            deck[len(deck) - len(rest) :] = rest
    places = _hidden_places(seen, viewer)
    cards = [dealt.event_deck[place] for place in places]
    stream.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        dealt.event_deck[place] = card
    return dealt


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


def _is_as_it_was(way: Sequence[list[int]]) -> bool:
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
