"""The legal list of a position, in the order of C22."""

from array import array
from struct import Struct
from typing import Final

from engine.caravan.actions import (
    AT_SHIFT,
    KIND_SHIFT,
    MOVE_GOOD,
    PASS_ACTION,
    PICK_UP,
    PROTECTED,
    good_of,
    steal,
)
from engine.caravan.position import Position
from engine.caravan.tables import BoardTables, cut_to
from engine.game import TERMINAL

_NOTHING: Final = memoryview(b"").cast("I")
_PASS: Final = array("I", [PASS_ACTION]).tobytes()
_PACK: Final = [Struct(f"={count}I").pack for count in range(256)]
"""By number of actions, far more than there can be with goods: what packs so many."""

_view: Final = memoryview
"""Bound once: compiled code looks up a name of the builtins each time."""

_PICK_UP_BITS: Final = PICK_UP << KIND_SHIFT
_MOVE_GOOD_BITS: Final = MOVE_GOOD << KIND_SHIFT


def legal_actions(position: Position) -> memoryview:
    """Return all legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over.

    The position keeps those of them that concern goods, to know them again.
    """
    seat = position.seat_to_act
    if seat == TERMINAL:
        return _NOTHING
    tables = position.setup.tables
    moves_from = tables.moves_from
    rows: list[bytes] = [_PASS, tables.place_anywhere] if position.supply[seat] else [_PASS]
    origins: list[int] = []
    last = -1
    for square in position.empty[seat]:
        if square != last:
            origins.append(square)
            rows.append(moves_from[square])
            last = square
    goods = _good_actions(position, seat, origins) if origins else []
    packed = b""
    if goods:
        position.good_actions = goods
        packed = _PACK[len(goods)](*goods)
    if position.points < 2:  # only squares without any camel can be paid (C8)
        free = tables.targets.translate(None, position.camels)
        return _view(b"".join((_PASS, cut_to(free, rows[1:]), packed))).cast("I")
    rows.append(packed)
    return _view(b"".join(rows)).cast("I")


def _good_actions(position: Position, seat: int, origins: list[int]) -> list[int]:
    """PICK_UP, STEAL and MOVE_GOOD; `origins` are the squares of the seat's empty camels."""
    actions: list[int] = []
    own, laden = position.occupied[seat], position.laden[seat]
    if position.may_carry_more(seat):
        goods = position.goods_on_spaces & own
        if goods:
            for square in origins:
                if goods >> square & 1:
                    actions.append(_PICK_UP_BITS | square << AT_SHIFT)  # noqa: PERF401 - quicker
        if position.theft_markers[seat]:
            for victim, theirs in enumerate(position.laden):
                if theirs and victim != seat and position.occupied[victim] & own:
                    actions += _steals(position, seat, origins)
                    break
    if laden:
        _add_good_moves(position.setup.tables, laden, own, origins, actions)
    return actions


def _add_good_moves(
    tables: BoardTables, laden: tuple[int, ...], own: int, origins: list[int], actions: list[int]
) -> None:
    group, last = 0, -1
    for camel in laden:
        if camel != last:
            last = camel
            square = camel >> AT_SHIFT
            if not group >> square & 1:
                group = tables.group(own, square)
            action = _MOVE_GOOD_BITS | camel
            for origin in origins:
                if group >> origin & 1:
                    actions.append(action | origin)  # noqa: PERF401 - quicker than a list of its own


def _steals(position: Position, seat: int, origins: list[int]) -> list[int]:
    found: list[int] = []
    for victim, laden in enumerate(position.laden):
        if victim != seat:
            for camel in laden:
                square = camel >> AT_SHIFT
                if not camel & PROTECTED and square in origins:
                    found.append(steal(square, victim, good_of(camel)))
    return sorted(set(found)) if len(found) > 1 else found


def squares_of(squares: int) -> list[int]:
    """Return the squares of a set, ascending."""
    found: list[int] = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found
