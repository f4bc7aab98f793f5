"""The legal list of a position, in the order of S46."""

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
from engine.caravanserai.chains import goods_suffice, has_room
from engine.caravanserai.hexes import DIRECTIONS
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import COLOUR_COUNT, NO_COLOUR
from engine.caravanserai.position import WAYS, Position
from engine.game import packed

_CONTINUES: Final = [continue_step(direction) for direction in DIRECTIONS]
_STARTS: Final = [start_step(direction, 0, 0) for direction in DIRECTIONS]

_DIRECTION_SETS: Final = [
    [direction for direction in DIRECTIONS if directions >> direction & 1]
    for directions in range(1 << len(DIRECTIONS))
]
_CAMEL_ROWS: Final = [
    array("I", [camel_step(direction) for direction in directions]).tobytes()
    for directions in _DIRECTION_SETS
]
_LYING_ROWS: Final = [
    array("I", [lying_step(direction) for direction in directions]).tobytes()
    for directions in _DIRECTION_SETS
]
"""By set of directions: the steps of a camel, packed."""

_OPEN_CELL: Final = Decision.OPEN_CELL
_STEP: Final = Decision.STEP
_STEAL_FROM: Final = Decision.STEAL_FROM
_SEED_GOOD: Final = Decision.SEED_GOOD
"""Members of an enum are slow to look up."""


def legal_actions(position: Position) -> memoryview:
    """Return all legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    decision = position.decision
    if decision is _STEP:
        return _continuations(position) if position.missing else _beginnings(position)
    if decision is _SEED_GOOD:
        return _seeds(position)
    if decision is _OPEN_CELL:
        return packed([action for bit, action in position.setup.openings if not bit & position.occupied])
    if decision is _STEAL_FROM:
        return packed([steal(seat) for seat in position.robbable(position.seat_to_act, position.steal)])
    return packed([])


def _seeds(position: Position) -> memoryview:
    setup, market = position.setup, position.market
    rows = [
        setup.seeds(colour, position.free_inns(colour)) for colour in range(COLOUR_COUNT) if market[colour]
    ]
    return memoryview(b"".join(rows)).cast("I")


_continuation_lists: Final[dict[int, memoryview]] = {}
"""By set of 2 * direction, and 1 more for a decline: the list of these steps, once it was asked for."""


def _continuations(position: Position) -> memoryview:
    """CONTINUE (S21)."""
    first = WAYS * position.cells[position.seat_to_act][-1]
    found = 0
    if position.may_turn():
        for direction in range(WAYS):
            found |= _continuing(position, first + direction) << 2 * direction
    else:
        found = _continuing(position, first + position.direction) << 2 * position.direction
    listed = _continuation_lists.get(found)
    if listed is None:
        listed = _continuation_lists[found] = packed(
            [
                step | (DECLINE if declined else 0)
                for direction, step in enumerate(_CONTINUES)
                for declined in range(2)
                if found >> 2 * direction + declined & 1
            ]
        )
    return listed


def _continuing(position: Position, way: int) -> int:
    """Return how the block can go on that way, as a set: 1 in the simplest manner, 2 by declining a loose good."""
    setup, tables = position.setup, position.setup.tables
    bit = tables.beside_bits[way]
    if bit & position.occupied:
        return 0
    cell, onward, missing = tables.beside[way], tables.onward[way], position.missing - 1
    if not has_room(position, cell, onward, missing):
        return 0
    seat = position.seat_to_act
    colour = position.pieces[seat][-1]
    own = position.goods[COLOUR_COUNT * seat + colour]
    with_own = own > 0 and goods_suffice(position, colour, cell, onward, missing, own - 1)
    if setup.inn_colour[cell] != colour or not bit & position.loose:
        return 1 if with_own else 0
    used = goods_suffice(position, colour, cell, onward, missing, own)
    return (1 if used else 0) | (2 if with_own else 0)


class _Blocks:
    """The blocks that may begin now, as far as the reserve goes. Sets of colours are ints with a bit for each."""

    __slots__ = ("before", "enough", "enough_for_larger", "helped", "larger", "size")

    def __init__(self, position: Position, head: int) -> None:
        """`head`: the cell of the leading piece."""
        setup = position.setup
        self.before: int = position.colour_before()
        """The colour that is out (S23)."""
        self.size: int = position.size + 1
        """Of the block (S22, S24)."""
        self.larger: int = 2 if position.size == 0 and not setup.options.expert else 0
        """The other size that a first block may have, or 0 (S22)."""
        self.enough: int = 0
        """The colours of which the reserve has so many goods."""
        self.enough_for_larger: int = 0
        self.helped: int = 0
        """Those of which a block that begins with a good of the reserve may need loose goods further on (S26)."""
        first, largest = COLOUR_COUNT * position.seat_to_act, self.larger or self.size
        loose = position.loose & setup.tables.disc(head, largest)
        for colour in range(COLOUR_COUNT):
            own = position.goods[first + colour]
            if own == 0 or colour == self.before:
                continue
            if own >= self.size:
                self.enough |= 1 << colour
            if own < largest:  # one good of the reserve is enough for a smaller size, if there is one
                if loose and own + (loose & setup.inns_of[colour]).bit_count() >= largest:
                    self.helped |= 1 << colour
            elif self.larger:
                self.enough_for_larger |= 1 << colour


def _beginnings(position: Position) -> memoryview:
    """CAMEL, START, LYING."""
    head = position.cells[position.seat_to_act][-1]
    blocks, lying = _Blocks(position, head), position.may_lay_lying()
    if position.may_turn():
        return _in_all_directions(position, blocks, WAYS * head, lying)
    return _in_one_direction(position, blocks, WAYS * head + position.direction, lying)


_straight_lists: Final[dict[int, memoryview]] = {}
"""By key of the blocks (`_key`), doubled, and 1 more for a lying camel: the list, once it was asked for."""


def _in_one_direction(position: Position, blocks: _Blocks, way: int, lying: bool) -> memoryview:
    tables, directions = position.setup.tables, 1 << position.direction
    if tables.beside_bits[way] & position.occupied:
        return packed([])
    lying = lying and position.has_room_beside(tables.beside[way])
    key = _key(position, blocks, way, position.direction)
    if key == _JUDGED:
        rows = [_CAMEL_ROWS[directions], _judged(position, blocks, way, position.direction)]
        if lying:
            rows.append(_LYING_ROWS[directions])
        return memoryview(b"".join(rows)).cast("I")
    listed = _straight_lists.get(key * 2 + int(lying))
    if listed is None:
        row = _CAMEL_ROWS[directions] + _starts(key) + (_LYING_ROWS[directions] if lying else b"")
        listed = _straight_lists[key * 2 + int(lying)] = memoryview(row).cast("I")
    return listed


def _in_all_directions(position: Position, blocks: _Blocks, first: int, lying: bool) -> memoryview:
    """`first`: the way in direction 0."""
    tables, occupied = position.setup.tables, position.occupied
    camels = lyings = 0
    rows = [b""]
    for direction in range(WAYS):
        way = first + direction
        if tables.beside_bits[way] & occupied:
            continue
        camels |= 1 << direction
        if lying and position.has_room_beside(tables.beside[way]):
            lyings |= 1 << direction
        key = _key(position, blocks, way, direction)
        rows.append(_judged(position, blocks, way, direction) if key == _JUDGED else _starts(key))
    rows[0] = _CAMEL_ROWS[camels]
    rows.append(_LYING_ROWS[lyings])
    return memoryview(b"".join(rows)).cast("I")


_JUDGED: Final = -1
"""In place of a key: the blocks have to be judged one by one."""


def _sizes_with_room(position: Position, blocks: _Blocks, way: int) -> int:
    """Return how many of the sizes of the block have room; where a block fits, smaller ones do."""
    tables = position.setup.tables
    cell, onward = tables.beside[way], tables.onward[way]
    if blocks.larger and has_room(position, cell, onward, blocks.larger - 1):
        return 2
    return 1 if has_room(position, cell, onward, blocks.size - 1) else 0


def _key(position: Position, blocks: _Blocks, way: int, direction: int) -> int:
    """Return which blocks may begin that way, as a key of `_starts`; _JUDGED if loose goods have a say (S26, S28)."""
    if blocks.helped:
        return _JUDGED
    if position.loose_colour(position.setup.tables.beside[way]) not in (NO_COLOUR, blocks.before):
        return _JUDGED
    sizes = _sizes_with_room(position, blocks, way)
    if sizes == 0:
        return direction
    larger = blocks.enough_for_larger if sizes == 2 else 0
    return blocks.size << 13 | larger << 8 | blocks.enough << 3 | direction


_rows: Final[dict[int, bytes]] = {}
"""By key, once they were asked for; there are as many as sizes, sets of colours and directions."""


def _starts(key: int) -> bytes:
    """START, packed: bits 0-2 are the direction, 3-7 the colours of the size from bit 13 on, 8-12 those of one more."""
    row = _rows.get(key)
    if row is None:
        start, size = _STARTS[key & 7], key >> 13
        actions: list[int] = []
        for colour in range(COLOUR_COUNT):
            if key >> 3 + colour & 1:
                actions.append(start | colour << COLOUR_SHIFT | size << SIZE_SHIFT)
            if key >> 8 + colour & 1:
                actions.append(start | colour << COLOUR_SHIFT | size + 1 << SIZE_SHIFT)
        row = _rows[key] = array("I", actions).tobytes()
    return row


def _judged(position: Position, blocks: _Blocks, way: int, direction: int) -> bytes:
    """START of blocks in one direction, packed, where loose goods may help out (S26, S28)."""
    tables, goods = position.setup.tables, position.goods
    cell, onward, first = tables.beside[way], tables.onward[way], COLOUR_COUNT * position.seat_to_act
    lies = position.loose_colour(cell)
    sizes = _sizes_with_room(position, blocks, way)
    actions: list[int] = []
    for colour in range(COLOUR_COUNT):
        if colour == blocks.before:
            continue
        own, start = goods[first + colour], _STARTS[direction] | colour << COLOUR_SHIFT
        for size in range(blocks.size, blocks.size + sizes):
            if colour == lies:
                if goods_suffice(position, colour, cell, onward, size - 1, own):
                    actions.append(start | size << SIZE_SHIFT)
                if own and goods_suffice(position, colour, cell, onward, size - 1, own - 1):
                    actions.append(start | size << SIZE_SHIFT | DECLINE)
            elif own >= size or (
                blocks.helped >> colour & 1
                and goods_suffice(position, colour, cell, onward, size - 1, own - 1)
            ):
                actions.append(start | size << SIZE_SHIFT)
    return array("I", actions).tobytes()
