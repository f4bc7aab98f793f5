"""The legal list of a position, in the order of S46."""

from array import array
from functools import lru_cache
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
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_NUMBERS, NO_COLOUR
from engine.caravanserai.position import WAYS, Position
from engine.game import packed

_CAMELS: Final = [array("I", [camel_step(direction)]).tobytes() for direction in DIRECTIONS]
_CONTINUES: Final = [continue_step(direction) for direction in DIRECTIONS]
_STARTS: Final = [start_step(direction, 0, 0) for direction in DIRECTIONS]
_LYINGS: Final = [array("I", [lying_step(direction)]).tobytes() for direction in DIRECTIONS]


_OPEN_CELL: Final = Decision.OPEN_CELL
_STEP: Final = Decision.STEP
_STEAL_FROM: Final = Decision.STEAL_FROM
_SEED_GOOD: Final = Decision.SEED_GOOD
"""Members of an enum are slow to look up."""


def legal_actions(position: Position) -> memoryview:
    """Return all legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    if position.decision is _STEP:
        return memoryview(b"".join(_steps(position))).cast("I")
    return packed(_answers(position))


def _answers(position: Position) -> list[int]:
    """Return the legal answers to all questions but for a step."""
    decision = position.decision
    if decision is _SEED_GOOD:
        return _seeds(position)
    if decision is _OPEN_CELL:
        return [action for bit, action in position.setup.openings if not bit & position.occupied]
    if decision is _STEAL_FROM:
        return [steal(seat) for seat in position.robbable(position.seat_to_act, position.steal)]
    return []


def _seeds(position: Position) -> list[int]:
    actions: list[int] = []
    taken = position.occupied | position.loose
    for colour in COLOUR_NUMBERS:
        if position.market[colour]:
            actions += [action for bit, action in position.setup.seedings[colour] if not bit & taken]
    return actions


def _steps(position: Position) -> list[bytes]:
    """Return the list in packed parts."""
    tables = position.setup.tables
    around, occupied = tables.around[position.cells[position.seat_to_act][-1]], position.occupied
    if position.may_turn():
        targets = [(direction, cell) for direction, cell, bit in around if not bit & occupied]
    else:
        direction, cell, bit = around[position.direction]
        targets = [] if bit & occupied else [(direction, cell)]
    if position.missing:
        return [array("I", _continuations(position, targets)).tobytes()]
    parts = [_CAMELS[direction] for direction, _ in targets]
    parts += _beginnings(position, targets)
    if position.may_lay_lying():
        parts += [_LYINGS[direction] for direction, cell in targets if position.has_room_beside(cell)]
    return parts


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


def _beginnings(position: Position, targets: list[tuple[int, int]]) -> list[bytes]:
    """START, by direction, then colour, then size."""
    sizes, goods = position.next_sizes(), position.goods_of(position.seat_to_act)
    before = position.colour_before()
    colours = [colour for colour in COLOUR_NUMBERS if colour != before]
    helped = _helped_by_loose_goods(position, colours, goods, sizes)
    affordable = tuple([_affordable(colours, goods, size) for size in sizes])
    parts: list[bytes] = []
    for direction, cell in targets:
        way = WAYS * cell + direction
        count = _sizes_with_room(position, way, sizes)
        if not count:
            continue
        if not helped and position.loose_colour(cell) in (NO_COLOUR, before):
            parts.append(_starts(direction, sizes[:count], affordable[:count]))
        else:
            actions = _beginnings_with_loose_goods(position, way, colours, sizes[:count], helped)
            parts.append(array("I", actions).tobytes())
    return parts


def _affordable(colours: list[int], goods: list[int], size: int) -> int:
    """Return the set of those colours of which the reserve has enough for a block."""
    found = 0
    for colour in colours:
        if goods[colour] >= size:
            found |= 1 << colour
    return found


def _sizes_with_room(position: Position, way: int, sizes: tuple[int, ...]) -> int:
    """Return how many of the sizes have room; where a block fits, smaller ones do."""
    count = len(sizes)
    while count and not has_room(position, way, sizes[count - 1] - 1):
        count -= 1
    return count


@lru_cache(maxsize=4096)
def _starts(direction: int, sizes: tuple[int, ...], affordable: tuple[int, ...]) -> bytes:
    """START in a direction, packed; `affordable`: by size, the set of colours."""
    actions = [
        _STARTS[direction] | colour << COLOUR_SHIFT | size << SIZE_SHIFT
        for colour in COLOUR_NUMBERS
        for size, enough in zip(sizes, affordable, strict=True)
        if enough >> colour & 1
    ]
    return array("I", actions).tobytes()


def _helped_by_loose_goods(
    position: Position, colours: list[int], goods: list[int], sizes: tuple[int, ...]
) -> list[int]:
    """Return the colours of which a block that begins with a good of the reserve may need loose goods further on."""
    helped: list[int] = []
    for colour in colours:
        if (
            0 < goods[colour] < sizes[-1]
        ):  # one good of the reserve is enough for a smaller size, if there is one
            loose = position.loose & position.setup.inns_of[colour]
            if goods[colour] + loose.bit_count() >= sizes[-1]:
                helped.append(colour)
    return helped


def _beginnings_with_loose_goods(
    position: Position, way: int, colours: list[int], sizes: tuple[int, ...], helped: list[int]
) -> list[int]:
    """START of blocks that have room, in one direction, where loose goods may help out (S26, S28)."""
    goods = position.goods_of(position.seat_to_act)
    lies = position.loose_colour(way // WAYS)
    actions: list[int] = []
    for colour in colours:
        own = goods[colour]
        start = _STARTS[way % WAYS] | colour << COLOUR_SHIFT
        for size in sizes:
            if colour == lies:
                if goods_suffice(position, colour, way, size - 1, own):
                    actions.append(start | size << SIZE_SHIFT)
                if own and goods_suffice(position, colour, way, size - 1, own - 1):
                    actions.append(start | size << SIZE_SHIFT | DECLINE)
            elif own >= size or (
                colour in helped and goods_suffice(position, colour, way, size - 1, own - 1)
            ):
                actions.append(start | size << SIZE_SHIFT)
    return actions
