"""Cells, colours, pieces and the board of Caravanserai on the wire: numbers are the engine's plus one, 0 is none."""

from typing import Final

from arena.codecs.record import Convert, several
from arena.codecs.validation import WireEnum
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine.caravanserai.hexes import Cell, centre
from engine.caravanserai.observation import CaravanPiece
from engine.caravanserai.pieces import COLOUR_COUNT, COLOURS, PIECES
from engine.caravanserai.tiles import CATEGORIES, LaidTile, inns_of, shapes
from engine.game import UnreadableActionError

COLOUR: Final = WireEnum(COLOURS, "a colour")
PIECE: Final = WireEnum(PIECES, "a piece")

CELL: Final = Convert(
    lambda cell: caravanserai_pb2.Cell(q=cell.q, r=cell.r), lambda _field, wire: Cell(wire.q, wire.r)
)
"""A cell, on the board or not."""

CELLS: Final = several(CELL)

CARAVAN: Final = several(
    Convert(
        lambda laid: caravanserai_pb2.CaravanPiece(piece=PIECE.value(laid.piece), cell=CELL.write(laid.cell)),
        lambda _field, wire: CaravanPiece(Cell(wire.cell.q, wire.cell.r), PIECE.member("piece", wire.piece)),
    )
)
"""Pieces and their cells."""

_TURNS = 6
_SHAPES = {len(shape.places): shape for shape in shapes().values()}
"""By number of tiles."""


def board_message(first: int, tiles: tuple[LaidTile, ...]) -> caravanserai_pb2.Board:
    """Return the board with those tiles, by position, and their cells, so that bots need no tables; `first` begins."""
    shape = _SHAPES[len(tiles)]
    rings = [caravanserai_pb2.Tile.RING_CORE] * len(shape.core)
    rings += [caravanserai_pb2.Tile.RING_INTERMEDIATE] * len(shape.intermediate)
    rings += [caravanserai_pb2.Tile.RING_OUTER] * (len(tiles) - len(rings))
    return caravanserai_pb2.Board(first_seat=first, tiles=map(_tile_message, tiles, shape.places, rings))


def tiles_of(wire: caravanserai_pb2.Board) -> tuple[LaidTile, ...]:
    """Return the tiles of a board, by position. Raises UnreadableActionError if they make no board."""
    if len(wire.tiles) not in _SHAPES:
        allowed = ", ".join(map(str, sorted(_SHAPES)))
        raise UnreadableActionError(f"The field board has {len(wire.tiles)} tiles: a board has {allowed}.")
    return tuple(_tile(tile) for tile in wire.tiles)


def _tile_message(
    tile: LaidTile, place: Cell, ring: caravanserai_pb2.Tile.Ring.ValueType
) -> caravanserai_pb2.Tile:
    return caravanserai_pb2.Tile(
        colour=COLOUR.value(tile.colour),
        centre=CELL.write(centre(place)),
        inns=CELLS.write(inns_of(tile, place)),
        ring=ring,
        category=tile.category,
        rotation=tile.rotation,
    )


def _tile(wire: caravanserai_pb2.Tile) -> LaidTile:
    if wire.category >= len(CATEGORIES) or wire.rotation >= _TURNS:
        raise UnreadableActionError(
            f"The field board has a tile of category {wire.category} and rotation {wire.rotation}: "
            f"both go from 0 to {_TURNS - 1}."
        )
    return LaidTile(COLOUR_COUNT * wire.category + COLOUR.member("tiles.colour", wire.colour), wire.rotation)
