"""The canonical bytes of a position and their SHA-256.

::

    text   "caravan-state-v1", seats, options and board, one line
    bytes  turn (4), points, seat to act + 1, idle, idle turns (4), ending or 0, words of the stream used (8)
           each seat: supply, theft markers, demand markers, delivered by kind (8),
                      number of empty camels and their squares, number of laden camels and them (4 each)
           the eight goods spaces: good + 1, demand markers
           the goods left in the bag, in their order
    All numbers are big-endian and take one byte unless said otherwise.
"""

from hashlib import sha256
from struct import Struct
from typing import Final

from engine.caravan.position import KINDS, Position, Setup

_CLOCK: Final = Struct(">IBBBIBQ")


def digest(position: Position) -> bytes:
    """Return 32 bytes, equal iff the positions are equal, the order of the bag included."""
    setup = position.setup
    if not setup.text:
        setup.text = _setup_text(setup)
    parts = [setup.text, _clock(position)]
    parts += [_seat(position, seat) for seat in range(setup.seats)]
    parts.append(bytes([good + 1 for good in position.space_goods]))
    parts.append(bytes(position.space_markers))
    parts.append(position.bag[position.drawn :])
    return sha256(b"".join(parts)).digest()


def _setup_text(setup: Setup) -> bytes:
    options, board = setup.options, setup.board
    numbers = (options.camels, options.goods.value, options.no_progress_turns, options.turn_limit)
    squares = (board.rows, board.columns, *board.goods_spaces, *board.cities)
    return " ".join(
        map(str, ("caravan-state-v1", setup.seats, *numbers, board.name, *squares, "\n"))
    ).encode()


def _clock(position: Position) -> bytes:
    return _CLOCK.pack(
        position.turn,
        position.points,
        position.seat_to_act + 1,
        position.idle,
        position.idle_turns,
        position.ending or 0,
        position.stream_words,
    )


def _seat(position: Position, seat: int) -> bytes:
    empty, laden = position.empty[seat], position.laden[seat]
    markers = position.theft_markers[seat], position.demand_markers[seat]
    delivered = position.delivered[KINDS * seat : KINDS * (seat + 1)]
    small = bytes((position.supply[seat], *markers, *delivered, len(empty), *empty, len(laden)))
    return small + b"".join([camel.to_bytes(4, "big") for camel in laden]) if laden else small
