"""Where blocks can lie: all paths of a length that leave a cell, found once for each board."""

from collections.abc import Iterator
from typing import Final

from engine.caravanserai.pieces import NO_COLOUR
from engine.caravanserai.position import WAYS, Setup

FREE: Final = WAYS
"""Stands for a direction where any may be taken."""

MIXED: Final = -2
"""Stands for the colour of a path over inns of several colours."""


class Path:
    """Cells in a row that turns on inns only (S19)."""

    __slots__ = ("cells", "colour", "mask", "onward", "size")

    def __init__(self, cells: tuple[int, ...], mask: int, onward: int, colour: int) -> None:
        """`mask`: the set of the cells."""
        self.cells: tuple[int, ...] = cells
        self.size: int = len(cells)
        self.mask: int = mask
        self.onward: int = onward
        """The direction that the next piece must take, or FREE."""
        self.colour: int = colour
        """Of the inns on it; NO_COLOUR if there are none, MIXED if they differ."""


class Paths:
    """The paths of one board, whatever stands on it."""

    def __init__(self, setup: Setup) -> None:
        """Nothing is found before it is asked for."""
        self._inn_colour = setup.inn_colour
        self._tables = setup.tables
        self._known: dict[tuple[int, int, int], tuple[Path, ...]] = {}

    def of(self, cell: int, direction: int, size: int) -> tuple[Path, ...]:
        """Return the paths of `size` cells that begin beside `cell`; `direction` may be FREE."""
        key = cell, direction, size
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(self._find(cell, direction, size))
        return found

    def _find(self, cell: int, direction: int, size: int) -> Iterator[Path]:
        if size == 0:
            yield Path((), 0, direction, NO_COLOUR)
            return
        for way in range(WAYS) if direction == FREE else (direction,):
            first = self._tables.beside[WAYS * cell + way]
            if first == self._tables.off:
                continue
            colour, bit = self._inn_colour[first], self._tables.bits[first]
            for rest in self.of(first, way if colour == NO_COLOUR else FREE, size - 1):
                if not rest.mask & bit:
                    cells, mask = (first, *rest.cells), rest.mask | bit
                    yield Path(cells, mask, rest.onward, _both(colour, rest.colour))


def _both(one: int, other: int) -> int:
    if one in (NO_COLOUR, other):
        return other
    return one if other == NO_COLOUR else MIXED
