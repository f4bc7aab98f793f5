"""Everything about the shape of a board that can be computed once.

Cells have numbers from 0 in the order of S4. A set of cells is an int with one bit per cell. One number more, `off`,
stands for everything beyond the board: it always counts as occupied, so that no step needs a check of its own.
"""

from functools import lru_cache

from engine.caravanserai.hexes import DIRECTIONS, OFFSETS, Cell, centre, moved
from engine.caravanserai.observation import CaravanPiece
from engine.caravanserai.pieces import PIECES
from engine.caravanserai.tiles import Shape, shapes

_DIRECTION_COUNT = len(DIRECTIONS)


class BoardTables:
    """The tables of one shape."""

    __slots__ = (
        "around",
        "beside",
        "beside_bits",
        "bits",
        "cells",
        "laid",
        "near",
        "numbers",
        "off",
        "onward",
        "rays",
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
        self.around: list[list[tuple[int, int, int]]] = [
            [(d, self.beside[way], self.bits[self.beside[way]]) for d, way in enumerate(self.ways[number])]
            for number in range(self.off)
        ]
        """By cell, for each direction: it, the neighbour or `off`, and its bit."""
        self.near: list[int] = [self._near(number) for number in range(self.off)]
        """By cell: the set of its neighbours on the board."""
        self.rays: list[tuple[int, ...]] = [
            self._ray(number, d) for number in range(self.off) for d in DIRECTIONS
        ]
        """By 6 * cell + direction, then by n: the set of the first n cells that way; the last one has `off`."""

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


@lru_cache(maxsize=8)
def tables_for(seats: int) -> BoardTables:
    """Return the tables of the board for so many seats, computed once for each shape."""
    return _tables_of(shapes()[seats])


@lru_cache(maxsize=8)
def _tables_of(shape: Shape) -> BoardTables:
    return BoardTables(shape)
