"""The tiles, and the places on which they lie: read from a data file."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.caravanserai.hexes import Cell, centre, moved, turned
from engine.caravanserai.pieces import COLOUR_COUNT, COLOUR_LETTERS

CATEGORIES: Final = "ABCDEF"
TILE_COUNT: Final = len(CATEGORIES) * COLOUR_COUNT
ROTATIONS: Final = 6
INNS_ON_TILE: Final = 2

_DATA: Final = Path(__file__).parent / "board.toml"


class Shape(NamedTuple):
    """Where the tiles of a match lie; positions are numbered core first, then intermediate, then outer (S5)."""

    core: tuple[Cell, ...]
    intermediate: tuple[Cell, ...]
    outer: tuple[Cell, ...]

    @property
    def places(self) -> tuple[Cell, ...]:
        """All of them, by number of the position."""
        return self.core + self.intermediate + self.outer


class LaidTile(NamedTuple):
    """A tile as it lies on the board."""

    tile: int
    """0 to 29 in the order of S5: five times the category, and the colour."""
    rotation: int
    """How often it was turned by 60 degrees (S11)."""

    @property
    def category(self) -> int:
        """0 for A."""
        return self.tile // COLOUR_COUNT

    @property
    def colour(self) -> int:
        """Of both its inns."""
        return self.tile % COLOUR_COUNT

    def __str__(self) -> str:
        return f"{tile_name(self.tile)}/{self.rotation}"


LAID_TILES: Final = [LaidTile(tile, rotation) for tile in range(TILE_COUNT) for rotation in range(ROTATIONS)]
"""By ROTATIONS * tile + rotation."""


def tile_name(tile: int) -> str:
    """Return the name of the tile, for example "A-W"."""
    return f"{CATEGORIES[tile // COLOUR_COUNT]}-{COLOUR_LETTERS[tile % COLOUR_COUNT]}"


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def shapes() -> dict[int, Shape]:
    """Return the shape of the board by number of seats."""
    return {
        seats: Shape(*(_cells(described[ring]) for ring in Shape._fields))
        for described in _data()["shapes"]
        for seats in described["seats"]
    }


@lru_cache(maxsize=1)
def inn_offsets() -> tuple[tuple[Cell, ...], ...]:
    """By category: where the two inns of a tile lie from its centre while it is not turned."""
    return tuple(_cells(_data()["inns"][category]) for category in CATEGORIES)


def turned_inns(category: int, rotation: int) -> tuple[Cell, ...]:
    """Return where the inns number 0 and 1 of such a tile lie from its centre (S6)."""
    return tuple(turned(offset, rotation) for offset in inn_offsets()[category])


def inns_of(tile: LaidTile, place: Cell) -> tuple[Cell, ...]:
    """Return the inns number 0 and 1 of the tile as it lies on that place (S6)."""
    middle = centre(place)
    return tuple(moved(middle, offset) for offset in turned_inns(tile.category, tile.rotation))


def _cells(pairs: list[list[int]]) -> tuple[Cell, ...]:
    return tuple(Cell(q, r) for q, r in pairs)
