"""Why an action may not be played, for people: the clause, and what would have to hold."""

from typing import Final

from engine.game import TERMINAL
from engine.wasteland.actions import (
    BOOST,
    BUY,
    COOK,
    DELIVER,
    DETER,
    DISCARD,
    DITCH,
    DONE,
    FIGHT,
    HEAL,
    HIT,
    KEEP,
    KIND_NAMES,
    LOAD,
    LOSE,
    OUTRIDER,
    PASS,
    PAY,
    PLAY,
    REROLL,
    START_CITY,
    STEP,
    STOP,
    card_of,
    field_of,
    is_scout,
    kind_of,
    space_of,
)
from engine.wasteland.attack_cards import ATTACKER_NAMES
from engine.wasteland.board import CITY, LINKED, OFFERS, SPACE_IDS, SPACE_KINDS, SPACES, TOWN, WILD
from engine.wasteland.caravan_cards import CARD_IDS, CARDS
from engine.wasteland.event_cards import EVENT_IDS, EVENTS, WINDOW_NAMES
from engine.wasteland.gains import has_room
from engine.wasteland.location import can_heal
from engine.wasteland.missions import MISSION_IDS, MISSION_TOWN, MISSIONS
from engine.wasteland.position import (
    ASK_BOOST,
    ASK_CITY,
    ASK_COOK,
    ASK_DISCARD,
    ASK_DODGE,
    ASK_EVENT,
    ASK_HIT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_OVERFLOW,
    ASK_REROLL,
    ASK_RESPOND,
    ASK_SPOIL,
    DECISION_NAMES,
    NOT_IN_PLAY,
    Position,
)
from engine.wasteland.resources import KINDS, NAMES

_ANSWERS: Final[dict[int, tuple[int, ...]]] = {
    ASK_CITY: (START_CITY,),
    ASK_EVENT: (PASS, PLAY),
    ASK_RESPOND: (PASS, PLAY),
    ASK_SPOIL: (LOSE,),
    ASK_MOVE: (STEP, OUTRIDER, STOP),
    ASK_DODGE: (FIGHT, PAY, DETER),
    ASK_BOOST: (PASS, BOOST),
    ASK_REROLL: (PASS, REROLL),
    ASK_HIT: (HIT,),
    ASK_OVERFLOW: (LOSE,),
    ASK_LOCATION: (LOAD, DITCH, BUY, DELIVER, HEAL, DONE),
    ASK_DISCARD: (KEEP, DISCARD),
    ASK_COOK: (PASS, COOK),
}
"""By kind of decision, the kinds of actions (W72)."""


def objection(position: Position, action: int) -> str:
    """Return why the action, which is not in the legal list, may not be played now: a sentence part with its clause."""
    if position.seat_to_act == TERMINAL:
        return "the match is over"
    kind = kind_of(action)
    if not 0 <= kind < len(KIND_NAMES):
        return "it is no action of Wasteland"
    if kind not in _ANSWERS[position.decision]:
        return f"the decision is {DECISION_NAMES[position.decision]} (W72)"
    if kind == PLAY:
        return _to_play(position, card_of(action))
    if kind in (STEP, OUTRIDER):
        return _to_move(position, action)
    if kind in (LOAD, DITCH, BUY, DELIVER, HEAL):
        return _in_location(position, kind, field_of(action))
    return _to_small(position, kind)


def _to_play(position: Position, card: int) -> str:
    if card >= EVENTS or not position.hands[position.seat_to_act][card]:
        return "you hold no such card (W26)"
    name = EVENT_IDS[card]
    if position.decision == ASK_RESPOND:
        return f"{name} is no answer to an attack (W29)"
    window = WINDOW_NAMES[position.window]
    return f"{name} may not be played now, in the window {window}, by you, or with this target (W8)"


def _to_move(position: Position, action: int) -> str:
    if kind_of(action) == OUTRIDER:
        return "Outrider Bikes and 1 Fuel are needed, once, before the first step of a Movement (W33)"
    space = space_of(action)
    if space >= SPACES or space not in LINKED[position.spaces[position.current]]:
        return f"no link leads there from {SPACE_IDS[position.spaces[position.current]]} (W32)"
    if space in position.road_blocks:
        return f"{SPACE_IDS[space]} is blocked in this turn (W35)"
    if position.sandstorm and SPACE_KINDS[space] == WILD:
        return "under a Sandstorm no Wild may be entered (W35)"
    if not is_scout(action):
        return "it has fields that a step does not have (W72)"
    return "only a step into a Wild can be scouted, with Scout Rig and 1 Fuel (W34)"


def _in_location(position: Position, kind: int, field: int) -> str:
    seat = position.current
    space = position.spaces[seat]
    if kind == HEAL:
        if can_heal(position, seat):
            return "it takes two Hits off, or the only one (W59)"
        return "Field Hospital and 1 Medicine are needed, once per turn (W59)"
    if kind == DELIVER:
        return _to_delivery(position, space, field)
    if kind == BUY:
        return _to_purchase(position, seat, space, field)
    if field >= KINDS:
        return "there is no such resource (W3)"
    if SPACE_KINDS[space] == TOWN:
        return "nothing is loaded or ditched in a Town (W55, W56)"
    if kind == DITCH:
        return f"you have no {NAMES[field]} (W56)"
    return _to_load(position, seat, space, field)


def _to_load(position: Position, seat: int, space: int, resource: int) -> str:
    name = NAMES[resource]
    if resource not in OFFERS[space] or resource in position.dry:
        return f"{name} is not offered here (W55)"
    if resource in position.ditched:
        return f"{name} was ditched in this turn (W55)"
    assert not has_room(position, seat, resource)
    return f"there is no slot for {name} (W20)"


def _to_delivery(position: Position, space: int, mission: int) -> str:
    if mission >= MISSIONS or mission not in position.missions:
        return "no such mission lies face up (W58)"
    if MISSION_TOWN[mission] != space:
        return f"{MISSION_IDS[mission]} is delivered at {SPACE_IDS[MISSION_TOWN[mission]]} (W58)"
    return f"you do not have all that {MISSION_IDS[mission]} needs (W58)"


def _to_purchase(position: Position, seat: int, space: int, card: int) -> str:
    if SPACE_KINDS[space] != CITY:
        return "Caravan cards are sold in Cities (W57)"
    if card >= CARDS or position.hits[seat][card] != NOT_IN_PLAY:
        return "no such card is in your deck (W57)"
    return f"{CARD_IDS[card]} costs {position.price(card)}, and you have {position.cash[seat]} Cash (W57)"


def _to_small(position: Position, kind: int) -> str:
    if kind == PAY:
        return f"{ATTACKER_NAMES[position.fight]} asks for nothing of the kind, or you do not have it (W40)"
    if kind == DETER:
        return "a card is deterred only with check_rule deter, and if its Check is met (W38)"
    if kind == HIT:
        return "no such card of yours is in play (W47)"
    if kind == LOSE:
        return "it must be a resource that the rule allows to be given up (W30, W49)"
    if kind == START_CITY:
        return "there is no such City (W15)"
    if kind == DISCARD:
        return "you hold no such card (W62)"
    return "it has no fields (W72)"
