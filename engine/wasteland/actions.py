"""Actions as ints: a public packing (W72).

::

    bits 27-31  kind: START_CITY ... COOK
    START_CITY            bits 0-1 the City
    PLAY                  bits 16-20 the Event card, bits 0-15 its target: a space, a resource, a mission or Hits
    LOSE, LOAD, DITCH     bits 0-1 the resource
    STEP                  bits 0-4 the space, bit 8 with Scout Rig
    PAY                   bits 0-2 1 + the resource, where the card leaves the choice
    HIT, BUY              bits 0-3 the Caravan card
    DELIVER               bits 0-5 the mission
    HEAL                  bits 0-7 Hits
    DISCARD               bits 0-4 the Event card

Hits are the Caravan cards of the Hits removed, ascending: bits 0-3 the first one, bits 4-7 1 + the second one, 0 if
there is only one.
"""

from typing import Final

START_CITY: Final = 0
PASS: Final = 1
PLAY: Final = 2
LOSE: Final = 3
STEP: Final = 4
OUTRIDER: Final = 5
STOP: Final = 6
FIGHT: Final = 7
PAY: Final = 8
DETER: Final = 9
BOOST: Final = 10
REROLL: Final = 11
HIT: Final = 12
LOAD: Final = 13
DITCH: Final = 14
BUY: Final = 15
DELIVER: Final = 16
HEAL: Final = 17
DONE: Final = 18
KEEP: Final = 19
DISCARD: Final = 20
COOK: Final = 21

KIND_NAMES: Final = (
    "start_city",
    "pass",
    "play",
    "lose",
    "step",
    "outrider",
    "stop",
    "fight",
    "pay",
    "deter",
    "boost",
    "reroll",
    "hit",
    "load",
    "ditch",
    "buy",
    "deliver",
    "heal",
    "done",
    "keep",
    "discard",
    "cook",
)

KIND_SHIFT: Final = 27
CARD_SHIFT: Final = 16
CARD_MASK: Final = 0x1F
TARGET_MASK: Final = 0xFFFF
SCOUT: Final = 1 << 8
SPACE_MASK: Final = 0x1F
HIT_MASK: Final = 0xF
SECOND_SHIFT: Final = 4
_FIELDS: Final = (1 << KIND_SHIFT) - 1

PASS_ACTION: Final = PASS << KIND_SHIFT
OUTRIDER_ACTION: Final = OUTRIDER << KIND_SHIFT
STOP_ACTION: Final = STOP << KIND_SHIFT
FIGHT_ACTION: Final = FIGHT << KIND_SHIFT
PAY_ACTION: Final = PAY << KIND_SHIFT
DETER_ACTION: Final = DETER << KIND_SHIFT
BOOST_ACTION: Final = BOOST << KIND_SHIFT
REROLL_ACTION: Final = REROLL << KIND_SHIFT
DONE_ACTION: Final = DONE << KIND_SHIFT
KEEP_ACTION: Final = KEEP << KIND_SHIFT
COOK_ACTION: Final = COOK << KIND_SHIFT


def start_city(city: int) -> int:
    """Return where to begin, or to begin again (W15, W53)."""
    return START_CITY << KIND_SHIFT | city


def play(card: int, target: int = 0) -> int:
    """Return the play of an Event card, with the field that it asks for (W8)."""
    return PLAY << KIND_SHIFT | card << CARD_SHIFT | target


def lose(resource: int) -> int:
    """Return the loss of a unit (W30, W49)."""
    return LOSE << KIND_SHIFT | resource


def step(space: int) -> int:
    """Return one Movement (W32)."""
    return STEP << KIND_SHIFT | space


def scout(space: int) -> int:
    """Return a step into a Wild for which Scout Rig burns 1 Fuel (W34)."""
    return STEP << KIND_SHIFT | SCOUT | space


def pay_resource(resource: int) -> int:
    """Return the payment that a card asks for, in the resource of one's choice (W40)."""
    return PAY << KIND_SHIFT | 1 + resource


def hit(card: int) -> int:
    """Return where a Hit goes (W47)."""
    return HIT << KIND_SHIFT | card


def load(resource: int) -> int:
    """Return the loading of a unit (W55)."""
    return LOAD << KIND_SHIFT | resource


def ditch(resource: int) -> int:
    """Return the ditching of a unit (W56)."""
    return DITCH << KIND_SHIFT | resource


def buy(card: int) -> int:
    """Return the purchase of a Caravan card (W57)."""
    return BUY << KIND_SHIFT | card


def deliver(mission: int) -> int:
    """Return the delivery of a face-up mission (W58)."""
    return DELIVER << KIND_SHIFT | mission


def heal(hits: int) -> int:
    """Return the removal of Hits by Field Hospital (W59)."""
    return HEAL << KIND_SHIFT | hits


def discard(card: int) -> int:
    """Return the discard of an Event card at the end of a turn (W62)."""
    return DISCARD << KIND_SHIFT | card


def one_hit(card: int) -> int:
    """Return the Hits field for the only Hit there is."""
    return card


def two_hits(first: int, second: int) -> int:
    """Return the Hits field for two Hits, in any order."""
    low, high = (first, second) if first <= second else (second, first)
    return 1 + high << SECOND_SHIFT | low


def hits_of(field: int) -> tuple[int, ...]:
    """Return the Caravan cards of a Hits field, ascending."""
    first, second = field & HIT_MASK, field >> SECOND_SHIFT & HIT_MASK
    return (first, second - 1) if second else (first,)


def kind_of(action: int) -> int:
    """START_CITY ... COOK; greater for what is no action."""
    return action >> KIND_SHIFT


def field_of(action: int) -> int:
    """Return what is beside the kind: the only field of most actions."""
    return action & _FIELDS


def card_of(action: int) -> int:
    """Return the Event card of a play."""
    return action >> CARD_SHIFT & CARD_MASK


def target_of(action: int) -> int:
    """Return the target of a play."""
    return action & TARGET_MASK


def space_of(action: int) -> int:
    """Return where a step leads."""
    return action & SPACE_MASK


def is_scout(action: int) -> bool:
    """Return whether a step uses Scout Rig."""
    return action & SCOUT != 0
