"""Chance in play: dice, and cards drawn from decks that are rebuilt when they are empty (section 2 of the rules)."""

from typing import Final

from engine.randomness import Stream
from engine.wasteland.attack_cards import CHECK
from engine.wasteland.event_cards import MOST_CARDS
from engine.wasteland.events import AttackDrawn, Deck, EventDrawn, MissionShown, Rebuilt
from engine.wasteland.position import NO_CARD, Position

_SIDES: Final = 6
_DRAWS: Final = 3
"""For one required Attack card (W37)."""


def roll(position: Position, number: int) -> list[int]:
    """Return so many dice, in the order in which they fall (W12)."""
    stream = Stream(position.seed, position.words)
    dice = [stream.die(_SIDES) for _ in range(number)]
    position.words = stream.words
    return dice


def shuffle(position: Position, deck: list[int]) -> None:
    """Shuffle in place, with the match's stream (W12)."""
    stream = Stream(position.seed, position.words)
    stream.shuffle(deck)
    position.words = stream.words


def _draw(position: Position, deck: list[int], discards: list[int], which: Deck) -> int:
    """Draw the top card; return NO_CARD if there is none anywhere (W10)."""
    if not deck:
        if not discards:
            return NO_CARD
        deck += discards
        discards.clear()
        shuffle(position, deck)
        position.events.append(Rebuilt(which))
    return deck.pop(0)


def show_mission(position: Position, place: int) -> None:
    """Show the next mission on that place, which is the next new one or one whose mission has gone (W14, W58)."""
    mission = _draw(position, position.mission_deck, position.mission_discards, Deck.MISSION)
    if place == len(position.missions):
        position.missions.append(mission)
    else:
        position.missions[place] = mission
    position.events.append(MissionShown(place, mission))


def replace_mission(position: Position, mission: int) -> None:
    """Discard a face-up mission and put the next one in its place (W58)."""
    position.mission_discards.append(mission)
    show_mission(position, position.missions.index(mission))


def draw_event(position: Position, seat: int) -> None:
    """Draw an Event card for the seat, if its hand is not full (W63) and there is one (W10)."""
    if position.hand_size(seat) >= MOST_CARDS:
        return
    card = _draw(position, position.event_deck, position.event_discards, Deck.EVENT)
    if card != NO_CARD:
        position.hands[seat][card] += 1
        position.events.append(EventDrawn(seat, card))


def draw_attackers(position: Position, required: int, *, surprise: bool) -> None:
    """Draw so many required Attack cards for the current player; those that engage join the queue (W37, W38)."""
    draws = 1 if position.setup.deter else _DRAWS
    for _ in range(required):
        for _ in range(draws):
            card = _draw(position, position.attack_deck, position.attack_discards, Deck.ATTACK)
            if card == NO_CARD:
                break
            engages = position.setup.deter or position.total_health(position.current) >= CHECK[card]
            position.events.append(AttackDrawn(card, engages))
            if engages:
                position.queue.append((card, 1 if surprise else 0))
                break
            position.attack_discards.append(card)


def shuffle_back(position: Position, card: int) -> None:
    """Put an Attack card under its deck, which is then shuffled (W11)."""
    position.attack_deck.append(card)
    shuffle(position, position.attack_deck)
