"""The legal list of a position, in the order of S46."""

from __future__ import annotations

from array import array
from typing import Final

from engine.caravanserai.actions import (
    COLOUR_SHIFT,
    DECLINE,
    SIZE_SHIFT,
    camel_step,
    continue_step,
    lying_step,
    start_step,
    steal,
)
from engine.caravanserai.chains import can_end, goods_suffice, has_room
from engine.caravanserai.hexes import DIRECTIONS
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_NUMBERS
from engine.caravanserai.position import WAYS, Position

_CAMELS: Final = [camel_step(direction) for direction in DIRECTIONS]
_CONTINUES: Final = [continue_step(direction) for direction in DIRECTIONS]
_STARTS: Final = [start_step(direction, 0, 0) for direction in DIRECTIONS]
_LYINGS: Final = [lying_step(direction) for direction in DIRECTIONS]


def legal_actions(position: Position) -> memoryview:
    """All legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    return memoryview(array("I", _listed(position)).tobytes()).cast("I")


def _listed(position: Position) -> list[int]:
    decision = position.decision
    match decision:
        case Decision.STEP:
            return _steps(position)
        case Decision.SEED_GOOD:
            return _seeds(position)
        case Decision.OPEN_CELL:
            return [action for bit, action in position.setup.openings if not bit & position.occupied]
        case Decision.STEAL_FROM:
            return [steal(seat) for seat in position.robbable(position.seat_to_act, position.steal)]
        case None:
            return []


def _seeds(position: Position) -> list[int]:
    actions: list[int] = []
    taken = position.occupied | position.loose
    for colour in COLOUR_NUMBERS:
        if position.market[colour]:
            actions += [action for bit, action in position.setup.seedings[colour] if not bit & taken]
    return actions


def _steps(position: Position) -> list[int]:
    tables = position.setup.tables
    first = WAYS * position.cells[position.seat_to_act][-1]
    directions = DIRECTIONS if position.may_turn() else (position.direction,)
    targets = [(direction, tables.beside[first + direction]) for direction in directions]
    targets = [target for target in targets if not tables.bits[target[1]] & position.occupied]
    if position.missing:
        return _continuations(position, targets)
    actions = [_CAMELS[direction] for direction, _ in targets]
    actions += _beginnings(position, targets)
    if position.may_lay_lying():
        actions += [_LYINGS[direction] for direction, cell in targets if position.has_room_beside(cell)]
    return actions


def _continuations(position: Position, targets: list[tuple[int, int]]) -> list[int]:
    seat, missing = position.seat_to_act, position.missing - 1
    colour = position.pieces[seat][-1]
    own = position.goods[COLOUR_COUNT * seat + colour]
    actions: list[int] = []
    for direction, cell in targets:
        way = WAYS * cell + direction
        used = position.loose_colour(cell) == colour
        if (used or own) and can_end(position, colour, way, missing, own if used else own - 1):
            actions.append(_CONTINUES[direction])
        if used and own and can_end(position, colour, way, missing, own - 1):
            actions.append(_CONTINUES[direction] | DECLINE)
    return actions


def _beginnings(position: Position, targets: list[tuple[int, int]]) -> list[int]:
    """START, by direction, then colour, then size."""
    sizes, goods = position.next_sizes(), position.goods_of(position.seat_to_act)
    before = position.colour_before()
    colours = [colour for colour in COLOUR_NUMBERS if colour != before]
    affordable = [
        (colour << COLOUR_SHIFT | size << SIZE_SHIFT, size)
        for colour in colours
        for size in sizes
        if goods[colour] >= size
    ]
    loose_may_help = _loose_may_help(position, colours, goods, sizes)
    actions: list[int] = []
    for direction, cell in targets:
        way, start = WAYS * cell + direction, _STARTS[direction]
        fitting = [size for size in sizes if has_room(position, way, size - 1)]
        if loose_may_help or position.loose & position.setup.tables.bits[cell]:
            for colour in colours if fitting else ():
                _add_beginnings_on_loose_goods(position, colour, way, fitting, actions)
        else:
            actions += [start | fields for fields, size in affordable if size in fitting]
    return actions


def _loose_may_help(position: Position, colours: list[int], goods: list[int], sizes: tuple[int, ...]) -> bool:
    """Whether a block that begins with a good of the reserve may need loose goods further on, and find them."""
    for colour in colours:
        for size in sizes:
            if 0 < goods[colour] < size:
                loose = position.loose & position.setup.inns_of[colour]
                if goods[colour] + loose.bit_count() >= size:
                    return True
    return False


def _add_beginnings_on_loose_goods(
    position: Position, colour: int, way: int, sizes: list[int], actions: list[int]
) -> None:
    """START of blocks that have room, with a look at the loose goods that may help out (S26, S28)."""
    used = position.loose_colour(way // WAYS) == colour
    stock = position.goods[COLOUR_COUNT * position.seat_to_act + colour] - 1
    if not used and stock < 0:
        return
    start = _STARTS[way % WAYS] | colour << COLOUR_SHIFT
    for size in sizes:
        if goods_suffice(position, colour, way, size - 1, stock + used):
            actions.append(start | size << SIZE_SHIFT)
        if used and stock >= 0 and goods_suffice(position, colour, way, size - 1, stock):
            actions.append(start | size << SIZE_SHIFT | DECLINE)
