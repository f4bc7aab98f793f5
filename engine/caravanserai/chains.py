"""The completability mask (S28): whether a placement can still be ended once a piece of a block is laid."""

from __future__ import annotations

from collections.abc import Sequence

from engine.caravanserai.pieces import NO_COLOUR
from engine.caravanserai.position import WAYS, Position

_PLENTY = 1 << 30


def can_end(position: Position, colour: int, way: int, missing: int, stock: int) -> bool:
    """Whether the block can be completed and a camel laid behind it.

    `way`: from the piece just laid on, WAYS * cell + direction of its step; `missing`: pieces that the block lacks
    after it; `stock`: goods of its colour in the reserve after it.
    """
    return has_room(position, way, missing) and goods_suffice(position, colour, way, missing, stock)


def has_room(position: Position, way: int, missing: int) -> bool:
    """Whether the board has cells for it, whatever goods there are."""
    setup, cells = position.setup, missing + 1
    if setup.inn_colour[way // WAYS] != NO_COLOUR:
        if missing == 0:
            return position.has_room_beside(way // WAYS)
    else:
        ray = setup.tables.rays[way]
        if cells < len(ray) and not ray[cells] & position.occupied:
            return True
    return _Search(position, None, way).reaches(way, cells, _PLENTY)


def goods_suffice(position: Position, colour: int, way: int, missing: int, stock: int) -> bool:
    """Whether the block can be completed, the reserve and the loose goods on its way considered; it has room."""
    if stock >= missing:
        return True
    if stock + (position.loose & position.setup.inns_of[colour]).bit_count() < missing:
        return False
    return _Search(position, colour, way).reaches(way, missing + 1, stock)


class _Search:
    """Chains of free cells that turn on inns only, from one cell on."""

    __slots__ = ("beside", "bits", "inns", "loose", "rays", "taken")

    def __init__(self, position: Position, colour: int | None, way: int) -> None:
        setup = position.setup
        self.bits = setup.tables.bits
        self.beside = setup.tables.beside
        self.rays = setup.tables.rays
        self.inns = setup.inns
        self.loose = 0 if colour is None else position.loose & setup.inns_of[colour]
        """Cells whose good spares one of the reserve."""
        self.taken = position.occupied | self.bits[way // WAYS]

    def reaches(self, way: int, cells: int, stock: int) -> bool:
        """Whether so many cells can follow, of which the last one is the camel's and the others take `stock`."""
        return self._reaches(way, cells, stock, self.taken)

    def _reaches(self, way: int, cells: int, stock: int, taken: int) -> bool:
        """As `reaches`. Straight lines are looked up, which settles the last cell; other chains are walked."""
        ways = self._ways(way)
        if stock >= cells - 1:
            for straight in ways:
                ray = self.rays[straight]
                if cells < len(ray) and not ray[cells] & taken:
                    return True
        elif stock + (self.loose & ~taken).bit_count() < cells - 1:
            return False
        for straight in ways:
            cell = self.beside[straight]
            bit = self.bits[cell]
            if taken & bit:
                continue
            left = stock if bit & self.loose else stock - 1
            if left >= 0 and self._reaches(WAYS * cell + straight % WAYS, cells - 1, left, taken | bit):
                return True
        return False

    def _ways(self, way: int) -> Sequence[int]:
        """The ways that the chain may take out of its last cell."""
        cell = way // WAYS
        return range(WAYS * cell, WAYS * cell + WAYS) if self.bits[cell] & self.inns else (way,)
