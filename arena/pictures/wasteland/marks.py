"""The marks of what has changed in a position of Wasteland, and what chance brought in a few words."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.drawings.wasteland.words import event_card
from arena.pictures.picture import Layer, Moment, Part
from arena.pictures.svg import arrow, badge, circle, element, rectangle
from arena.pictures.wasteland import table
from arena.pictures.wasteland.board import BOX_HEIGHT, BOX_WIDTH, piece_at, space_at
from engine.game import Event, own
from engine.wasteland import actions as packing
from engine.wasteland.attack_cards import ATTACKER_NAMES
from engine.wasteland.board import NOWHERE, SPACE_IDS
from engine.wasteland.caravan_cards import CARD_IDS
from engine.wasteland.events import (
    AttackDefeated,
    AttackDrawn,
    AttackGone,
    Deck,
    Destroyed,
    EventDrawn,
    FightBegan,
    MissionShown,
    Rebuilt,
    Rolled,
    Side,
    StartDie,
)
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.observation import Observation

_DICE_OF_ATTACK: Final = 320
"""Left edge of the dice of the Attack card."""


def marks(moment: Moment, seen: Observation) -> Iterator[Part]:
    """Yield what an action and its events have changed; numbers mark their changes themselves."""
    before = own(moment.step.before, Observation)
    if moment.acts:
        yield Part("actor", *table.seat_at(moment.step.seat), circle(0, 0, 20, "ring"), Layer.MARKS)
    moved = moment.acts or packing.kind_of(moment.step.action) not in (packing.STEP, packing.START_CITY)
    for seat, (old, new) in enumerate(zip(before.seats, seen.seats, strict=True)):
        if moved and new.space not in (old.space, NOWHERE):
            if old.space != NOWHERE:
                x, y = piece_at(before, seat)
                to = piece_at(seen, seat)
                yield Part(f"way-{seat}", x, y, arrow((0, 0), (to[0] - x, to[1] - y)), Layer.MARKS)
                yield Part(f"ghost-{seat}", x, y, element("g", badge(seat, 12), class_="ghost"), Layer.TRACES)
            place = rectangle(
                -BOX_WIDTH / 2 - 3, -BOX_HEIGHT / 2 - 3, BOX_WIDTH + 6, BOX_HEIGHT + 6, "ring", 10
            )
            yield Part(f"reached-{SPACE_IDS[new.space]}-{seat}", *space_at(new.space), place, Layer.MARKS)
    for index, mission in enumerate(seen.missions):
        if mission not in before.missions:
            x, y = table.mission_at(index, seen)
            frame = rectangle(-2, -2, table.mission_width(seen) + 4, 110, "ring", 9)
            yield Part(f"shown-{MISSION_IDS[mission]}", x, y, frame, Layer.MARKS)
    yield from _cards(before, seen)
    if not (seen.fight is not None and seen.fight.dice):
        yield from _dice(moment.events)


def _cards(before: Observation, seen: Observation) -> Iterator[Part]:
    """Yield frames around the Caravan cards that came into play."""
    for seat, (old, new) in enumerate(zip(before.seats, seen.seats, strict=True)):
        had, has = table.cards_of(old), table.cards_of(new)
        for card in set(has) - set(had):
            x, y, width = table.card_at(seat, has, card)
            yield Part(
                f"new-{seat}-{CARD_IDS[card]}",
                x,
                y,
                rectangle(-2, -15, width + 4, 30, "ring", 7),
                Layer.MARKS,
            )


def _dice(events: Sequence[Event]) -> Iterator[Part]:
    """Yield the dice of the last roll of each side."""
    for event in events:
        if isinstance(event, Rolled):
            attack = event.side is Side.ATTACK
            if event is _last(events, attack=attack):
                left = _DICE_OF_ATTACK if attack else 12
                owner, side = ("attack", "Attack card") if attack else ("rolled", "caravan")
                yield from table.dice(owner, event.dice, side, left, Layer.MARKS)


def _last(events: Sequence[Event], *, attack: bool) -> Event:
    return [each for each in events if isinstance(each, Rolled) and (each.side is Side.ATTACK) is attack][-1]


def caption(events: Sequence[Event]) -> str:
    """Return what chance brought, for example "Dice: caravan 2 5 6; attack 3. Defeated: Lone Raider"."""
    return ". ".join(words for event in events if (words := _words(event)))


def _words(event: Event) -> str:  # noqa: PLR0911 - one sentence for each kind
    match event:
        case Rolled():
            return f"{event.side.name.capitalize()}: dice {' '.join(map(str, event.dice))}"
        case AttackDrawn():
            engages = "" if event.engages else ", which does not engage"
            return f"Attack card {ATTACKER_NAMES[event.card]}{engages}"
        case FightBegan():
            return f"Fight: {ATTACKER_NAMES[event.card]}"
        case AttackDefeated():
            return f"Defeated: {ATTACKER_NAMES[event.card]}, for {event.bounty} Cash"
        case AttackGone():
            return f"{ATTACKER_NAMES[event.card]} leaves"
        case Destroyed():
            return f"Seat {event.seat} loses a card"
        case EventDrawn():
            return (
                f"Seat {event.seat} draws {'an Event card' if event.card is None else event_card(event.card)}"
            )
        case MissionShown():
            return f"Mission {MISSION_IDS[event.mission]}"
        case Rebuilt():
            return f"The {Deck(event.deck).name.lower()} deck is shuffled"
        case StartDie():
            return f"Seat {event.seat} rolls {event.die}"
    return ""


CHANCE: Final = (AttackDrawn, Rolled, EventDrawn, MissionShown, Rebuilt, StartDie)
"""Events that come from dice or decks."""
