"""Why an action may not be played: the rules of single actions, and their sentences for people."""

from typing import Final

from engine.caravan.actions import (
    AT_SHIFT,
    FIELDS,
    KIND_SHIFT,
    MOVE,
    PASS,
    PICK_UP,
    PLACE,
    SQUARE_MASK,
    STEAL,
    at_of,
    good_of,
    is_protected,
    laden_camel,
    to_of,
    victim_of,
)
from engine.caravan.goods import GOODS
from engine.caravan.position import Position
from engine.game import TERMINAL

_FOREIGN_BITS: Final = [(1 << KIND_SHIFT) - 1 & ~fields for fields in FIELDS]
"""By kind, the bits that none of its fields takes."""

_KINDS: Final = len(FIELDS)
_MOST_COST: Final = 2


def objection(position: Position, action: int) -> str:
    """Return why the action may not be played now, a sentence part with its clause; empty if it may."""
    seat = position.seat_to_act
    if seat == TERMINAL:
        return "the match is over"
    kind = action >> KIND_SHIFT
    if not 0 <= kind < _KINDS or action & _FOREIGN_BITS[kind]:
        return "it is no action of Caravan"
    at, to = action >> AT_SHIFT & SQUARE_MASK, action & SQUARE_MASK
    squares = position.setup.tables.squares
    if at >= squares or to >= squares:
        return f"the board has squares 0 to {squares - 1}"
    if kind == MOVE:
        return _to_move(position, seat, at, to)
    if kind == PLACE:
        return _to_place(position, to)
    return "" if kind == PASS else _to_good_action(position, kind, action)


def _to_good_action(position: Position, kind: int, action: int) -> str:
    if kind == PICK_UP:
        return _to_pick_up(position, at_of(action))
    if kind == STEAL:
        return _to_steal(position, action)
    return _to_move_good(position, action)


def cost_of_target(position: Position, square: int) -> int:
    """Return what it costs to put a camel there: 2 points if any camel stands there, else 1 (C8)."""
    return 2 if square in position.camels else 1


def _to_place(position: Position, to: int) -> str:
    if not position.supply[position.seat_to_act]:
        return "no camel is left in the supply (C8)"
    return "" if position.points >= _MOST_COST else _to_pay(position, to)


def _to_move(position: Position, seat: int, at: int, to: int) -> str:
    if at not in position.empty[seat]:
        return f"no empty camel of yours stands on square {at} (C8, C9)"
    if at == to:
        return "a camel moves to another square than its own (C8)"
    return "" if position.points >= _MOST_COST else _to_pay(position, to)


def _to_pay(position: Position, square: int) -> str:
    cost = cost_of_target(position, square)
    if cost > position.points:
        return f"square {square} costs {cost} points and {position.points} is left (C7, C8)"
    return ""


def _to_pick_up(position: Position, square: int) -> str:
    if not position.goods_on_spaces & position.setup.tables.bits[square]:
        return f"no good lies on square {square} (C10)"
    return _to_take(position, square)


def _to_take(position: Position, square: int) -> str:
    seat = position.seat_to_act
    if square not in position.empty[seat]:
        return f"no empty camel of yours stands on square {square} (C10, C11)"
    if not position.may_carry_more(seat):
        return "one of your camels must stay without a good (C12)"
    return ""


def _to_steal(position: Position, action: int) -> str:
    seat, square, victim, good = position.seat_to_act, at_of(action), victim_of(action), good_of(action)
    if victim == seat or victim >= position.setup.seats:
        return f"there is no other seat {victim} (C11)"
    if not position.theft_markers[seat]:
        return "you hold no theft marker (C11)"
    if laden_camel(square, good) not in position.laden[victim]:
        if laden_camel(square, good, protected=True) in position.laden[victim]:
            return f"the {GOODS[good].name.lower()} of seat {victim} is protected (C11)"
        return f"seat {victim} carries no {GOODS[good].name.lower()} on square {square} (C11)"
    return _to_take(position, square)


def _to_move_good(position: Position, action: int) -> str:
    seat, square, to = position.seat_to_act, at_of(action), to_of(action)
    if laden_camel(square, good_of(action), protected=is_protected(action)) not in position.laden[seat]:
        return f"no camel of yours carries such a good on square {square} (C13)"
    if to not in position.empty[seat]:
        return f"no empty camel of yours stands on square {to} (C13)"
    tables = position.setup.tables
    if not tables.group(position.occupied[seat], square) & tables.bits[to]:
        return f"your camels do not link squares {square} and {to} (C13)"
    return ""
