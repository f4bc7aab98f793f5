"""Axial coordinates of cells and of tiles."""

from typing import Final, NamedTuple


class Cell(NamedTuple):
    """A place in axial coordinates; ascending cells are in the order of S4."""

    q: int
    r: int

    def __str__(self) -> str:
        return f"({self.q},{self.r})"


OFFSETS: Final = (Cell(1, 0), Cell(0, 1), Cell(-1, 1), Cell(-1, 0), Cell(0, -1), Cell(1, -1))
"""By direction (S3)."""

DIRECTIONS: Final = tuple(range(len(OFFSETS)))


def moved(cell: Cell, offset: Cell) -> Cell:
    """Return the cell that lies by `offset` from `cell`."""
    return Cell(cell.q + offset.q, cell.r + offset.r)


def turned(offset: Cell, times: int) -> Cell:
    """Return the offset after so many turns of 60 degrees (S6)."""
    for _ in range(times):
        offset = Cell(-offset.r, offset.q + offset.r)
    return offset


def centre(place: Cell) -> Cell:
    """Return the centre cell of the tile on that place (S6)."""
    return Cell(2 * place.q - place.r, place.q + 3 * place.r)
