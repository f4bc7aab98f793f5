"""The completability mask (S28): whether a placement can still be ended once a piece of a block is laid."""

from typing import Final

from engine.caravanserai.pieces import NO_COLOUR
from engine.caravanserai.position import WAYS, Position, Setup

_PLENTY: Final = 1 << 30


def can_end(position: Position, colour: int, way: int, missing: int, stock: int) -> bool:
    """Return whether the block can be completed and a camel laid behind it.

    `way`: from the piece just laid on, WAYS * cell + direction of its step; `missing`: pieces that the block lacks
    after it; `stock`: goods of its colour in the reserve after it.
    """
    return has_room(position, way, missing) and goods_suffice(position, colour, way, missing, stock)


def has_room(position: Position, way: int, missing: int) -> bool:
    """Return whether the board has cells for it, whatever goods there are."""
    setup, cells, cell = position.setup, missing + 1, way // WAYS
    if setup.inn_colour[cell] != NO_COLOUR:
        if missing == 0:
            return position.has_room_beside(cell)
    else:
        ray = setup.tables.rays[way]
        if cells < len(ray) and not ray[cells] & position.occupied:
            return True
        if setup.tables.beside_bits[way] & position.occupied:
            return False
    return _Search(setup, 0).reaches(way, cells, _PLENTY, position.occupied | setup.tables.bits[cell])


def goods_suffice(position: Position, colour: int, way: int, missing: int, stock: int) -> bool:
    """Return whether the block can be completed, the reserve and the loose goods on its way considered; it has room."""
    if stock >= missing:
        return True
    setup = position.setup
    loose = position.loose & setup.inns_of[colour]
    if stock + loose.bit_count() < missing:
        return False
    taken = position.occupied | setup.tables.bits[way // WAYS]
    return _Search(setup, loose).reaches(way, missing + 1, stock, taken)


class _Search:
    """Chains of free cells that turn on inns only; goods on the cells `loose` spare one of the reserve each."""

    __slots__ = ("loose", "setup")

    def __init__(self, setup: Setup, loose: int) -> None:
        self.setup: Setup = setup
        self.loose: int = loose

    def reaches(self, way: int, cells: int, stock: int, taken: int) -> bool:
        """Return whether so many cells can follow, of which the last one is the camel's and the others take `stock`.

        Straight lines are looked up, which settles the last cell; other chains are walked. `taken`: cells that cannot.
        """
        tables = self.setup.tables
        turns = self.setup.inn_colour[way // WAYS] != NO_COLOUR
        ways = tables.ways[way // WAYS] if turns else (way,)
        if stock >= cells - 1:
            for straight in ways:
                ray = tables.rays[straight]
                if cells < len(ray) and not ray[cells] & taken:
                    return True
        elif stock + (self.loose & ~taken).bit_count() < cells - 1:
            return False
        for straight in ways:
            bit = tables.beside_bits[straight]
            if not taken & bit:
                left = stock if bit & self.loose else stock - 1
                if left >= 0 and self.reaches(tables.onward[straight], cells - 1, left, taken | bit):
                    return True
        return False
