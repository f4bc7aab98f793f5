"""Chance in play: dice, and cards drawn from decks that are rebuilt when they are empty (section 2 of the rules)."""

from typing import Final

from engine.randomness import Stream
from engine.wasteland.attack_cards import CHECK
from engine.wasteland.event_cards import MOST_CARDS
from engine.wasteland.events import Deck, attack_drawn, event_drawn, mission_shown, rebuilt
from engine.wasteland.position import NO_CARD, Position, changed

_EVENT: Final = Deck.EVENT
_ATTACK: Final = Deck.ATTACK
_MISSION: Final = Deck.MISSION
"""Bound once: a member of an enum is found by a search."""

_SIDES: Final = 6
_DRAWS: Final = 3
"""For one required Attack card (W37)."""


def roll(position: Position, number: int) -> list[int]:
    """Return so many dice, in the order in which they fall (W12)."""
    stream = Stream(position.seed, position.words)
    dice = [stream.die(_SIDES) for _ in range(number)]
    position.words = stream.words
    return dice


def shuffled(position: Position, deck: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards shuffled with the match's stream (W12)."""
    stream, cards = Stream(position.seed, position.words), list(deck)
    stream.shuffle(cards)
    position.words = stream.words
    return tuple(cards)


def _draw(
    position: Position, deck: tuple[int, ...], discards: tuple[int, ...], which: Deck
) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return the top card, NO_CARD if there is none anywhere, and what deck and discards are then (W10)."""
    if not deck:
        if not discards:
            return NO_CARD, deck, discards
        deck, discards = shuffled(position, discards), ()
        position.events.append(rebuilt(which))
    return deck[0], deck[1:], discards


def show_mission(position: Position, place: int) -> None:
    """Show the next mission on that place, which is the next new one or one whose mission has gone (W14, W58)."""
    mission, position.mission_deck, position.mission_discards = _draw(
        position, position.mission_deck, position.mission_discards, _MISSION
    )
    if place == len(position.missions):
        position.missions += (mission,)
    else:
        position.missions = changed(position.missions, place, mission)
    position.events.append(mission_shown(place, mission))


def replace_mission(position: Position, mission: int) -> None:
    """Discard a face-up mission and put the next one in its place (W58)."""
    position.mission_discards += (mission,)
    show_mission(position, position.missions.index(mission))


def draw_event(position: Position, seat: int) -> None:
    """Draw an Event card for the seat, if its hand is not full (W63) and there is one (W10)."""
    if position.hand_size(seat) >= MOST_CARDS:
        return
    card, position.event_deck, position.event_discards = _draw(
        position, position.event_deck, position.event_discards, _EVENT
    )
    if card != NO_CARD:
        position.add_events(seat, card, 1)
        position.events.append(event_drawn(seat, card))


def draw_attackers(position: Position, required: int, *, surprise: bool) -> None:
    """Draw so many required Attack cards for the current player; those that engage join the queue (W37, W38)."""
    draws = 1 if position.setup.deter else _DRAWS
    for _ in range(required):
        for _ in range(draws):
            card, position.attack_deck, position.attack_discards = _draw(
                position, position.attack_deck, position.attack_discards, _ATTACK
            )
            if card == NO_CARD:
                break
            engages = position.setup.deter or position.total_health(position.current) >= CHECK[card]
            position.events.append(attack_drawn(card, engages))
            if engages:
                position.queue += ((card, 1 if surprise else 0),)
                break
            position.attack_discards += (card,)


def shuffle_back(position: Position, card: int) -> None:
    """Put an Attack card under its deck, which is then shuffled (W11)."""
    position.attack_deck = shuffled(position, (*position.attack_deck, card))
