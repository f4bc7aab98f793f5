"""The set-up of a board: every use of the random stream, in the order of S8 to S12."""

from engine.caravanserai.events import BoardLaid
from engine.caravanserai.options import Options
from engine.caravanserai.pieces import COLOUR_COUNT
from engine.caravanserai.position import Setup
from engine.caravanserai.state import CaravanseraiState
from engine.caravanserai.tiles import CATEGORIES, LAID_TILES, ROTATIONS, TILE_COUNT
from engine.randomness import Stream

_DROPPED_OF_A_CATEGORY = 3
"""With four seats (S9)."""


def lay_out(seats: int, options: Options, stream: Stream) -> CaravanseraiState:
    """Return the position in which the first seat opens."""
    first = stream.uniform(seats)
    tiles = _tiles_in_match(seats, stream)
    stream.shuffle(tiles)
    laid = [LAID_TILES[ROTATIONS * tile + stream.uniform(ROTATIONS)] for tile in tiles]
    setup = Setup(seats, options, first, tuple(laid))
    state = CaravanseraiState(setup)
    state.clear()
    shape = setup.tables.shape
    seeded = []
    for position in range(len(shape.core), len(shape.core) + len(shape.intermediate)):
        inns = setup.inns_on(position)
        seeded.append(inns[stream.uniform(len(inns))])
    for cell in seeded:
        state.loose |= setup.tables.bits[cell]
        state.market[setup.inn_colour[cell]] -= 1
    state.events.append(BoardLaid(first, setup.tiles, tuple([setup.tables.cells[cell] for cell in seeded])))
    state.begin_opening()
    return state


def _tiles_in_match(seats: int, stream: Stream) -> list[int]:
    """Return the tiles that are laid, in the order of S5 (S9)."""
    if seats >= 5:
        return list(range(TILE_COUNT))
    if seats == 4:
        return _without_three_of_a_category(stream)
    tiles = list(range(TILE_COUNT))
    for category_count in range(len(CATEGORIES), len(CATEGORIES) - (1 if seats == 3 else 2), -1):
        _remove_category(tiles, stream.uniform(category_count))
    del tiles[stream.uniform(len(tiles))]
    return tiles


def _remove_category(tiles: list[int], index: int) -> None:
    """Remove the category at that index, of whole categories."""
    del tiles[COLOUR_COUNT * index : COLOUR_COUNT * (index + 1)]


def _without_three_of_a_category(stream: Stream) -> list[int]:
    category = stream.uniform(len(CATEGORIES))
    kept = list(range(COLOUR_COUNT * category, COLOUR_COUNT * (category + 1)))
    for _ in range(_DROPPED_OF_A_CATEGORY):
        del kept[stream.uniform(len(kept))]
    return [tile for tile in range(TILE_COUNT) if tile // COLOUR_COUNT != category or tile in kept]
