"""The completability mask (S28): whether a placement can still be ended once a piece of a block is laid.

Questions name the cell of this piece and the way onward from it, WAYS * cell + direction of its step. Straight lines
are looked up; chains that turn are walked, and only where an inn lets them turn.
"""

from typing import Final

from engine.caravanserai.pieces import NO_COLOUR
from engine.caravanserai.position import Position, Setup

_PLENTY: Final = 1 << 30


def can_end(position: Position, colour: int, cell: int, way: int, missing: int, stock: int) -> bool:
    """Return whether the block can be completed and a camel laid behind it.

    `missing`: pieces that the block lacks after the one on the cell; `stock`: goods of its colour in the reserve then.
    """
    return has_room(position, cell, way, missing) and goods_suffice(
        position, colour, cell, way, missing, stock
    )


def has_room(position: Position, cell: int, way: int, missing: int) -> bool:
    """Return whether the board has cells for it, whatever goods there are."""
    setup, occupied, cells = position.setup, position.occupied, missing + 1
    if setup.inn_colour[cell] == NO_COLOUR:
        ray = setup.tables.rays[way]
        if cells < len(ray) and not ray[cells] & occupied:
            return True
        if not ray[min(missing, len(ray) - 1)] & setup.inns:
            return False
        return _goes_on(setup, 0, way, cells, _PLENTY, occupied | setup.tables.bits[cell])
    if missing == 0:
        return position.has_room_beside(cell)
    return _turns(setup, 0, cell, cells, _PLENTY, occupied | setup.tables.bits[cell])


def goods_suffice(position: Position, colour: int, cell: int, way: int, missing: int, stock: int) -> bool:
    """Return whether the block can be completed, the reserve and the loose goods on its way considered; it has room."""
    if stock >= missing:
        return True
    setup = position.setup
    loose = position.loose & setup.inns_of[colour] & setup.tables.disc(cell, missing)
    if stock + loose.bit_count() < missing:
        return False
    taken = position.occupied | setup.tables.bits[cell]
    if setup.inn_colour[cell] == NO_COLOUR:
        return _goes_on(setup, loose, way, missing + 1, stock, taken)
    return _turns(setup, loose, cell, missing + 1, stock, taken)


def _goes_on(setup: Setup, loose: int, way: int, cells: int, stock: int, taken: int) -> bool:
    """Return whether so many cells can follow that way, of which the last is the camel's and the others take `stock`.

    Goods on the cells `loose` spare one of the stock each; `taken`: cells that cannot follow.
    """
    tables = setup.tables
    while not tables.beside_bits[way] & taken:
        bit, cell = tables.beside_bits[way], tables.beside[way]
        cells -= 1
        if cells == 0:
            return True
        if not bit & loose:
            stock -= 1
            if stock < 0:
                return False
        taken |= bit
        if setup.inn_colour[cell] != NO_COLOUR:
            return _turns(setup, loose, cell, cells, stock, taken)
        way = tables.onward[way]
    return False


def _turns(setup: Setup, loose: int, cell: int, cells: int, stock: int, taken: int) -> bool:
    """Return the same for chains that leave an inn in any direction (S19)."""
    tables = setup.tables
    if stock >= cells - 1:
        for way in tables.ways[cell]:
            ray = tables.rays[way]
            if cells < len(ray) and not ray[cells] & taken:
                return True
    elif stock + (loose & ~taken).bit_count() < cells - 1:
        return False
    return any(_goes_on(setup, loose, way, cells, stock, taken) for way in tables.ways[cell])
