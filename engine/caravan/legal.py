"""The legal list of a position, in the order of C22."""

from __future__ import annotations

from array import array
from typing import Final

from engine.caravan.actions import (
    AT_SHIFT,
    KIND_SHIFT,
    MOVE_GOOD,
    PASS_ACTION,
    PROTECTED,
    good_of,
    pick_up,
    steal,
)
from engine.caravan.position import Position
from engine.caravan.tables import actions_to
from engine.game import TERMINAL

_NOTHING: Final = memoryview(b"").cast("I")
_PASS: Final = array("I", [PASS_ACTION]).tobytes()
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
        bit = bits[square]
        if not empties & bit:
            empties |= bit
            origins.append(square)
    if position.points >= 2:
        pieces = _camel_actions_anywhere(position, seat, origins)
    else:
        pieces = _camel_actions_to_free_squares(position, seat, origins)
    if origins:
        goods = _good_actions(position, seat, origins, empties)
        if goods:
            pieces.append(array("I", goods).tobytes())
    return memoryview(b"".join(pieces)).cast("I")


def _camel_actions_anywhere(position: Position, seat: int, origins: list[int]) -> list[bytes | bytearray]:
    """PASS, PLACE and MOVE with two points or more: every target can be paid (C8)."""
    tables = position.setup.tables
    pieces: list[bytes | bytearray] = [_PASS, tables.place_anywhere] if position.supply[seat] else [_PASS]
    moves_from = tables.moves_from
    for origin in origins:
        pieces.append(moves_from[origin])  # noqa: PERF401 - quicker than a list of its own
    return pieces


def _camel_actions_to_free_squares(
    position: Position, seat: int, origins: list[int]
) -> list[bytes | bytearray]:
    """PASS, PLACE and MOVE with one point: only squares without any camel can be paid (C8)."""
    tables = position.setup.tables
    targets = tables.targets_in(tables.all_squares & ~position.camels_anywhere())
    actions = [tables.place_anywhere] if position.supply[seat] else []
    actions += [tables.moves_from[origin] for origin in origins]
    return [_PASS, actions_to(targets, actions)]


def _good_actions(position: Position, seat: int, origins: list[int], empties: int) -> list[int]:
    """PICK_UP, STEAL and MOVE_GOOD; `origins` and `empties` are the squares of the seat's empty camels."""
    actions: list[int] = []
    if position.may_carry_more(seat):
        goods = position.goods_on_spaces
        if goods & empties:
            bits = position.setup.tables.bits
            actions = [pick_up(square) for square in origins if goods & bits[square]]
        if position.theft_markers[seat]:
            actions += _steals(position, seat, empties)
    if position.laden[seat]:
        _add_good_moves(position, seat, origins, actions)
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


def _add_good_moves(position: Position, seat: int, origins: list[int], actions: list[int]) -> None:
    tables = position.setup.tables
    bits = tables.bits
    targets: list[int] = []
    group = last = 0
    for camel in position.laden[seat]:
        square = camel >> AT_SHIFT
        if not group & bits[square]:
            group = tables.group(position.occupied[seat], square)
            targets = [origin for origin in origins if group & bits[origin]]
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
