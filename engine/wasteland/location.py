"""What is done at a space: loading, buying, delivering, healing (section 10 of the rules)."""

from typing import Final

from engine.wasteland.actions import (
    BUY,
    DELIVER,
    DITCH,
    DONE,
    DONE_ACTION,
    LOAD,
    buy,
    deliver,
    ditch,
    field_of,
    heal,
    hits_of,
    kind_of,
    load,
)
from engine.wasteland.board import CITY, OFFERS, SPACE_KINDS, TOWN
from engine.wasteland.caravan_cards import CARDS, FIELD_HOSPITAL
from engine.wasteland.decks import replace_mission
from engine.wasteland.events import Delivered
from engine.wasteland.gains import gain_cash, has_room
from engine.wasteland.missions import MISSION_TOWN, NEEDS, REWARD
from engine.wasteland.position import NOT_IN_PLAY, Position
from engine.wasteland.resources import KINDS, MEDICINE
from engine.wasteland.windows import removable, remove_hits

MOST_ACTIONS: Final = 40
"""W60."""

_BONUS: Final = 2
"""Cash of a Bonus Contract (W8)."""


def choices(position: Position) -> list[int]:
    """Return what the current player may do where it is (W55-W59)."""
    seat = position.current
    space = position.spaces[seat]
    found: list[int] = []
    if SPACE_KINDS[space] == TOWN:
        found += _deliveries(position, seat, space)
    else:
        found += _loads(position, seat, space)
        found += [ditch(kind) for kind in range(KINDS) if position.stores[seat][kind]]
    if SPACE_KINDS[space] == CITY:
        found += [
            buy(card)
            for card in range(CARDS)
            if position.hits[seat][card] == NOT_IN_PLAY and position.cash[seat] >= position.price(card)
        ]
    if can_heal(position, seat):
        found += [heal(hits) for hits in removable(position, seat)]
    return [*found, DONE_ACTION]


def _loads(position: Position, seat: int, space: int) -> list[int]:
    offered = [kind for kind in OFFERS[space] if kind not in position.dry and kind not in position.ditched]
    return [load(kind) for kind in offered if has_room(position, seat, kind)]


def _deliveries(position: Position, seat: int, space: int) -> list[int]:
    return [
        deliver(mission)
        for mission in position.missions
        if MISSION_TOWN[mission] == space and has_all(position.stores[seat], mission)
    ]


def has_all(stored: list[int], mission: int) -> bool:
    """Return whether the resources of the mission are there."""
    return all(stored[kind] >= NEEDS[mission][kind] for kind in range(KINDS))


def can_heal(position: Position, seat: int) -> bool:
    """Field Hospital, once per turn, for 1 Medicine (W59)."""
    can_pay = position.has_card(seat, FIELD_HOSPITAL) and position.stores[seat][MEDICINE] > 0
    return can_pay and not position.healed


def act(position: Position, action: int) -> bool:
    """Carry out one of `choices`; return whether Location is over (W54, W60)."""
    seat = position.current
    kind, field = kind_of(action), field_of(action)
    if kind == DONE:
        return True
    if kind == LOAD:
        position.add_units(seat, field, 1)
    elif kind == DITCH:
        position.add_units(seat, field, -1)
        if field not in position.ditched:
            position.ditched = tuple(sorted([*position.ditched, field]))
    elif kind == BUY:
        position.cash[seat] -= position.price(field)
        position.bargain = False
        position.set_hits(seat, field, 0)
    elif kind == DELIVER:
        _deliver(position, seat, field)
    else:
        position.add_units(seat, MEDICINE, -1)
        position.healed = True
        remove_hits(position, seat, hits_of(field))
    position.actions += 1
    return position.actions == MOST_ACTIONS


def _deliver(position: Position, seat: int, mission: int) -> None:
    for kind in range(KINDS):
        position.add_units(seat, kind, -NEEDS[mission][kind])
    cash = REWARD[mission] + (_BONUS if position.bonus else 0)
    position.bonus = False
    position.events.append(Delivered(seat, mission, cash))
    gain_cash(position, seat, cash)
    replace_mission(position, mission)
