"""The legal list of a position, in the order of C22."""

from __future__ import annotations

from array import array
from typing import Final

from engine.caravan.actions import (
    AT_SHIFT,
    KIND_SHIFT,
    MOVE,
    MOVE_GOOD,
    PASS_ACTION,
    PLACE,
    PROTECTED,
    good_of,
    pick_up,
    steal,
)
from engine.caravan.position import Position
from engine.game import TERMINAL

_NOTHING: Final = memoryview(b"").cast("I")
_PASS: Final = array("I", [PASS_ACTION]).tobytes()
_PLACE_BITS: Final = PLACE << KIND_SHIFT
_MOVE_BITS: Final = MOVE << KIND_SHIFT
_MOVE_GOOD_BITS: Final = MOVE_GOOD << KIND_SHIFT


def legal_actions(position: Position) -> memoryview:
    """All legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    seat = position.seat_to_act
    if seat == TERMINAL:
        return _NOTHING
    bits = position.setup.tables.bits
    empties = 0
    origins: list[int] = []
    for square in position.empty[seat]:
        if not empties & bits[square]:
            empties |= bits[square]
            origins.append(square)
    if position.points >= 2:
        pieces = _camel_actions_anywhere(position, seat, origins)
    else:
        pieces = _camel_actions_to_free_squares(position, seat, origins)
    goods = _good_actions(position, seat, empties)
    if goods:
        pieces.append(array("I", goods).tobytes())
    return memoryview(b"".join(pieces)).cast("I")


def _camel_actions_anywhere(position: Position, seat: int, origins: list[int]) -> list[bytes]:
    """PASS, PLACE and MOVE with two points or more: every target can be paid (C8)."""
    tables = position.setup.tables
    pieces = [_PASS, tables.place_anywhere] if position.supply[seat] else [_PASS]
    moves_from = tables.moves_from
    for origin in origins:
        pieces.append(moves_from[origin])  # noqa: PERF401 - quicker than a list of its own
    return pieces


def _camel_actions_to_free_squares(position: Position, seat: int, origins: list[int]) -> list[bytes]:
    """PASS, PLACE and MOVE with one point: only squares without any camel can be paid (C8)."""
    tables = position.setup.tables
    targets = tables.targets_in(tables.all_squares & ~position.camels_anywhere())
    kinds = [_PLACE_BITS] if position.supply[seat] else []
    kinds += [_MOVE_BITS | origin << AT_SHIFT for origin in origins]
    return [_PASS, *tables.actions_to(targets, kinds)]


def _good_actions(position: Position, seat: int, empties: int) -> list[int]:
    """PICK_UP, STEAL and MOVE_GOOD; `empties` are the squares of the seat's empty camels."""
    actions: list[int] = []
    if empties and position.may_carry_more(seat):
        if empties & position.goods_on_spaces:
            actions = [pick_up(square) for square in squares_of(empties & position.goods_on_spaces)]
        if position.theft_markers[seat]:
            actions += _steals(position, seat, empties)
    if empties and position.laden[seat]:
        _add_good_moves(position, seat, empties, actions)
    return actions


def _steals(position: Position, seat: int, empties: int) -> list[int]:
    bits = position.setup.tables.bits
    found: list[int] = []
    for victim, laden in enumerate(position.laden):
        if laden and victim != seat and position.occupied[victim] & empties:
            for camel in laden:
                square = camel >> AT_SHIFT
                if not camel & PROTECTED and bits[square] & empties:
                    found.append(steal(square, victim, good_of(camel)))
    return sorted(set(found)) if len(found) > 1 else found


def _add_good_moves(position: Position, seat: int, empties: int, actions: list[int]) -> None:
    tables = position.setup.tables
    targets: list[int] = []
    group = last = 0
    for camel in position.laden[seat]:
        square = camel >> AT_SHIFT
        if not group & tables.bits[square]:
            group = tables.group(position.occupied[seat], square)
            targets = squares_of(group & empties)
        elif camel == last:
            continue
        last = camel
        laden = _MOVE_GOOD_BITS | camel
        actions += [laden | target for target in targets]


def squares_of(squares: int) -> list[int]:
    """The squares of a set, ascending."""
    found: list[int] = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found
