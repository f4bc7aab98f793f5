"""The feature list of Caravanserai: the board by cell, in the order in which the rules number cells (S4)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from arena.research.features import (
    LARGEST,
    NONE,
    ActionField,
    Bits,
    Feature,
    GameFeatures,
    one,
    per_seat,
)
from engine.caravanserai.actions import (
    CAMEL_STEP,
    COLOUR_SHIFT,
    CONTINUE,
    DIRECTION_SHIFT,
    KIND_NAMES,
    KIND_SHIFT,
    LYING_STEP,
    OPEN,
    Q_SHIFT,
    SEAT_SHIFT,
    SEED,
    SIZE_SHIFT,
    START,
    STEAL,
)
from engine.caravanserai.hexes import DIRECTIONS, Cell
from engine.caravanserai.observation import Observation
from engine.caravanserai.options import MAX_SEATS, Options
from engine.caravanserai.pieces import CAMELS, COLOUR_COUNT, OWN_GOODS, PIECES, SHARED_GOODS_EXPERT
from engine.caravanserai.state import LAST_ROUND
from engine.caravanserai.tables import BoardTables, tables_for
from engine.caravanserai.tiles import INNS_ON_TILE, ROTATIONS, TILE_COUNT, LaidTile, inns_of

_MOST_GOODS: Final = SHARED_GOODS_EXPERT + OWN_GOODS * MAX_SEATS
"""Of one colour in any match (S56)."""
_DECISIONS: Final = 4


class CaravanseraiFeatures(GameFeatures):
    """What a seat sees of Caravanserai."""

    kinds = KIND_NAMES
    kind_shift = KIND_SHIFT
    fields = (
        ActionField(
            "direction",
            "The direction of the step.",
            dict.fromkeys((CAMEL_STEP, CONTINUE, START, LYING_STEP), Bits(DIRECTION_SHIFT, 3)),
        ),
        ActionField(
            "colour",
            "The colour of the block that starts, or of the good that goes to the board.",
            dict.fromkeys((START, SEED), Bits(COLOUR_SHIFT, 3)),
        ),
        ActionField("size", "The size of the block that starts.", {START: Bits(SIZE_SHIFT, 5)}),
        ActionField(
            "decline", "1 if a loose good is declined.", dict.fromkeys((CONTINUE, START), Bits(13, 1))
        ),
        ActionField("victim", "The seat that is stolen from.", {STEAL: Bits(SEAT_SHIFT, 3)}),
        ActionField("q", "q + 16 of the cell.", dict.fromkeys((OPEN, SEED), Bits(Q_SHIFT, 5))),
        ActionField("r", "r + 16 of the cell.", dict.fromkeys((OPEN, SEED), Bits(0, 5))),
    )

    def features(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Return the features; the cells of the board for so many seats are an axis."""
        return (*_of_the_turn(seats), *_of_the_board(seats), *_of_the_goods(seats))

    def most_actions(self, seats: int, options: Options) -> int:
        """Return the most of goods to the board, one for each inn, and of first steps in all directions."""
        inns = INNS_ON_TILE * len(tables_for(seats).shape.places)
        camels = 2 if options.expert else 1  # standing, lying
        sizes = 1 if options.expert else 2  # of a first block
        ways = camels + sizes * (
            COLOUR_COUNT + 1
        )  # blocks of one colour can begin by declining a loose good, too
        return max(inns, ways * len(DIRECTIONS))


def _of_the_turn(seats: int) -> tuple[Feature, ...]:
    return (
        one("viewer", NONE, seats - 1, "The seat that sees this.", lambda view: view.viewer),
        one("to_act", NONE, seats - 1, "The seat that decides.", lambda view: view.seat_to_act),
        one(
            "decision",
            0,
            _DECISIONS,
            "What it is asked: 1 OPEN_CELL, 2 STEP, 3 STEAL_FROM, 4 SEED_GOOD, 0 nothing.",
            lambda view: view.decision or 0,
        ),
        one("round", 0, LAST_ROUND, "The round, 0 in the opening.", lambda view: view.round),
        one("first", 0, seats - 1, "The seat that begins each round.", lambda view: view.first),
        one(
            "trigger",
            NONE,
            LAST_ROUND,
            "The round in which the market was emptied for the first time.",
            lambda view: view.trigger,
        ),
        Feature(
            "placement",
            (3,),
            NONE,
            LARGEST,
            "Of the placement under way: pieces laid (the head of the caravan), size of the last block, direction"
            " of the last step.",
            _placement,
        ),
        one(
            "steal",
            NONE,
            COLOUR_COUNT - 1,
            "The colour of the good to be stolen.",
            lambda view: view.steal,
        ),
        one("seeds", 0, 2 * CAMELS, "Goods still to go to the board.", lambda view: view.seeds),
    )


def _of_the_board(seats: int) -> tuple[Feature, ...]:
    tables = tables_for(seats)
    cells, positions = len(tables.cells), len(tables.shape.places)
    return (
        Feature(
            "tiles",
            (positions, 2),
            0,
            max(TILE_COUNT, ROTATIONS) - 1,
            "By position: the tile there, and how often it is turned by 60 degrees.",
            lambda view: [number for tile in view.tiles for number in tile],
        ),
        Feature(
            "inns",
            (cells,),
            NONE,
            COLOUR_COUNT - 1,
            "By cell: the colour of the inn there.",
            lambda view: _inns(seats, view.tiles),
        ),
        Feature(
            "loose",
            (cells,),
            0,
            1,
            "By cell: 1 if a loose good lies there; it has the colour of the inn.",
            lambda view: _on_cells(tables, cells, view.loose),
        ),
        Feature(
            "caravans",
            (3, cells),
            NONE,
            max(cells, *PIECES),
            "By cell: the seat whose caravan is there; the piece (0-4 a good by colour, 5 a lying camel, 6 a"
            " camel); its place in the caravan, 0 for the tail.",
            lambda view: _caravans(tables, cells, view),
        ),
        Feature(
            "declined",
            (cells,),
            0,
            1,
            "By cell: 1 if the loose good there was declined in this placement.",
            lambda view: _on_cells(tables, cells, _declined(view)),
        ),
    )


def _of_the_goods(seats: int) -> tuple[Feature, ...]:
    return (
        per_seat(seats, "camels", 0, CAMELS, "By seat: camels in the reserve.", lambda seat: seat.camels),
        Feature(
            "goods",
            (seats, COLOUR_COUNT),
            0,
            _MOST_GOODS,
            "By seat and colour: goods in the reserve.",
            lambda view: [count for seat in view.seats for count in seat.goods],
        ),
        per_seat(
            seats, "score", 0, LARGEST, "By seat: the length of its caravan.", lambda seat: len(seat.caravan)
        ),
        Feature(
            "market",
            (COLOUR_COUNT,),
            0,
            _MOST_GOODS,
            "By colour: goods in the market.",
            lambda view: view.market,
        ),
    )


@lru_cache(maxsize=64)
def _inns(seats: int, tiles: tuple[LaidTile, ...]) -> list[int]:
    """Return by cell the colour of its inn; tiles are the same all match long."""
    tables = tables_for(seats)
    colours = [NONE] * len(tables.cells)
    for tile, place in zip(tiles, tables.shape.places, strict=True):
        for cell in inns_of(tile, place):
            colours[tables.numbers[cell]] = tile.colour
    return colours


def _on_cells(tables: BoardTables, cells: int, found: Iterator[Cell] | tuple[Cell, ...]) -> list[int]:
    plane = [0] * cells
    for cell in found:
        plane[tables.numbers[cell]] = 1
    return plane


def _caravans(tables: BoardTables, cells: int, view: Observation) -> list[int]:
    planes = [NONE] * (3 * cells)
    for seat, seen in enumerate(view.seats):
        for place, (cell, piece) in enumerate(seen.caravan):
            number = tables.numbers[cell]
            planes[number], planes[cells + number], planes[2 * cells + number] = seat, piece, place
    return planes


def _placement(view: Observation) -> tuple[int, int, int]:
    placement = view.placement
    if placement is None:
        return (NONE, NONE, NONE)
    direction = NONE if placement.direction is None else placement.direction
    return (len(placement.pieces), placement.size, direction)


def _declined(view: Observation) -> Iterator[Cell]:
    """Yield the cells of the placement's pieces that replaced a loose good: its pieces are the caravan's head."""
    if view.placement is not None and view.seat_to_act is not None:
        caravan = view.seats[view.seat_to_act].caravan
        first = len(caravan) - len(view.placement.pieces)
        for index in view.placement.declined:
            yield caravan[first + index].cell


FEATURES = CaravanseraiFeatures()
