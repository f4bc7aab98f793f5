"""Everything about the shape of a board that can be computed once.

Cells have numbers from 0 in the order of S4. A set of cells is an int with one bit per cell. One number more, `off`,
stands for everything beyond the board: it always counts as occupied, so that no step needs a check of its own.
"""

from functools import lru_cache
from typing import Final

from engine.caravanserai.actions import CELL_FIELDS, cell_fields
from engine.caravanserai.hexes import DIRECTIONS, OFFSETS, Cell, centre, moved
from engine.caravanserai.observation import CaravanPiece
from engine.caravanserai.pieces import PIECES
from engine.caravanserai.reports import Reports
from engine.caravanserai.tiles import ROTATIONS, Shape, inn_offsets, shapes, turned_inns

_DIRECTION_COUNT = len(DIRECTIONS)

WIDEST_DISC: Final = 8
"""Blocks hardly ever have more goods."""


class BoardTables:
    """The tables of one shape."""

    __slots__ = (
        "beside",
        "beside_bits",
        "bits",
        "cells",
        "discs",
        "fields",
        "inns_on",
        "laid",
        "near",
        "numbers",
        "numbers_by_field",
        "off",
        "onward",
        "rays",
        "reports",
        "shape",
        "ways",
    )

    def __init__(self, shape: Shape) -> None:
        """Compute the tables of `shape`."""
        self.shape: Shape = shape
        centres = [centre(place) for place in shape.places]
        covered = {moved(middle, offset) for middle in centres for offset in OFFSETS} | set(centres)
        self.cells: tuple[Cell, ...] = tuple(sorted(covered))
        """By number."""
        self.laid: list[tuple[CaravanPiece, ...]] = [
            tuple(CaravanPiece(cell, piece) for piece in PIECES) for cell in self.cells
        ]
        """By cell and piece: the piece there, as a view shows it."""
        self.off: int = len(self.cells)
        self.bits: list[int] = [1 << number for number in range(self.off + 1)]
        self.numbers: dict[Cell, int] = {cell: number for number, cell in enumerate(self.cells)}
        self.fields: list[int] = [cell_fields(cell) for cell in self.cells]
        """By cell: what it is in an action."""
        self.numbers_by_field: list[int] = [self.off] * (CELL_FIELDS + 1)
        """The number of the cell, or `off`, by what it is in an action."""
        for number, field in enumerate(self.fields):
            self.numbers_by_field[field] = number
        self.beside: list[int] = [self._neighbour(cell, d) for cell in self.cells for d in DIRECTIONS]
        """By 6 * cell + direction: the neighbour, or `off`."""
        self.beside_bits: list[int] = [self.bits[cell] for cell in self.beside]
        """By 6 * cell + direction: the bit of the neighbour."""
        self.onward: list[int] = [
            _DIRECTION_COUNT * cell + way % _DIRECTION_COUNT for way, cell in enumerate(self.beside)
        ]
        """By 6 * cell + direction: the same of the neighbour."""
        self.ways: list[tuple[int, ...]] = [
            tuple(_DIRECTION_COUNT * number + d for d in DIRECTIONS) for number in range(self.off)
        ]
        """By cell: 6 * cell + direction for each direction."""
        self.near: list[int] = [self._near(number) for number in range(self.off)]
        """By cell: the set of its neighbours on the board."""
        self.rays: list[tuple[int, ...]] = [
            self._ray(number, d) for number in range(self.off) for d in DIRECTIONS
        ]
        """By 6 * cell + direction, then by n: the set of the first n cells that way; the last one has `off`."""
        self.discs: list[tuple[int, ...]] = self._discs()
        """By n, then by cell: the set of cells at most n steps away from it; the last one has all cells."""
        self.inns_on: list[list[tuple[int, ...]]] = self._inns_on()
        """By position, then by 6 * category + rotation of the tile on it: the numbers of its inns 0 and 1 (S6)."""
        self.reports: Reports = Reports(self.cells)
        """The events of this board."""

    def _neighbour(self, cell: Cell, direction: int) -> int:
        return self.numbers.get(moved(cell, OFFSETS[direction]), self.off)

    def _near(self, number: int) -> int:
        first = _DIRECTION_COUNT * number
        neighbours = self.beside[first : first + _DIRECTION_COUNT]
        return sum(self.bits[cell] for cell in neighbours if cell != self.off)

    def _ray(self, number: int, direction: int) -> tuple[int, ...]:
        sets = [0]
        while number != self.off:
            number = self.beside[_DIRECTION_COUNT * number + direction]
            sets.append(sets[-1] | self.bits[number])
        return tuple(sets)

    def _discs(self) -> list[tuple[int, ...]]:
        numbers, everything = range(self.off), self.bits[self.off] - 1
        discs = [tuple(self.bits[: self.off])]
        for _ in range(WIDEST_DISC):
            smaller = (*discs[-1], 0)
            wider = []
            for number in numbers:
                disc = smaller[number]
                for way in self.ways[number]:
                    disc |= smaller[self.beside[way]]
                wider.append(disc)
            discs.append(tuple(wider))
        return [*discs, (everything,) * self.off]

    def disc(self, cell: int, steps: int) -> int:
        """Return a set with all cells that so many steps lead to from the cell, whatever is in the way."""
        return self.discs[min(steps, WIDEST_DISC + 1)][cell]

    def _inns_on(self) -> list[list[tuple[int, ...]]]:
        offsets = [
            turned_inns(category, rotation)
            for category in range(len(inn_offsets()))
            for rotation in range(ROTATIONS)
        ]
        middles = [centre(place) for place in self.shape.places]
        return [
            [tuple([self.numbers[moved(middle, offset)] for offset in pair]) for pair in offsets]
            for middle in middles
        ]


@lru_cache(maxsize=8)
def tables_for(seats: int) -> BoardTables:
    """Return the tables of the board for so many seats, computed once for each shape."""
    return _tables_of(shapes()[seats])


@lru_cache(maxsize=8)
def _tables_of(shape: Shape) -> BoardTables:
    return BoardTables(shape)
