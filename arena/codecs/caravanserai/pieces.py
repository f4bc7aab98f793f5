"""Cells, colours and pieces of Caravanserai on the wire: numbers are the engine's plus one, since 0 is none."""

from collections.abc import Iterable
from typing import Final

from arena.codecs.validation import WireEnum
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import CaravanPiece
from engine.caravanserai.pieces import COLOURS, PIECES


def cell_message(cell: Cell) -> caravanserai_pb2.Cell:
    """Return the cell as a message."""
    return caravanserai_pb2.Cell(q=cell.q, r=cell.r)


def cell_messages(cells: Iterable[Cell]) -> list[caravanserai_pb2.Cell]:
    """Return the cells as messages."""
    return [cell_message(cell) for cell in cells]


def cell_of(wire: caravanserai_pb2.Cell) -> Cell:
    """Return the cell of a message, on the board or not."""
    return Cell(wire.q, wire.r)


def cells_of(wires: Iterable[caravanserai_pb2.Cell]) -> tuple[Cell, ...]:
    """Return the cells of messages, on the board or not."""
    return tuple(cell_of(wire) for wire in wires)


COLOUR: Final = WireEnum(COLOURS, "a colour")
PIECE: Final = WireEnum(PIECES, "a piece")


def caravan_messages(caravan: Iterable[CaravanPiece]) -> list[caravanserai_pb2.CaravanPiece]:
    """Return pieces and their cells as messages."""
    return [
        caravanserai_pb2.CaravanPiece(piece=PIECE.value(piece), cell=cell_message(cell))
        for cell, piece in caravan
    ]


def caravan_of(wires: Iterable[caravanserai_pb2.CaravanPiece]) -> tuple[CaravanPiece, ...]:
    """Return pieces and their cells. Raises UnreadableActionError for an unknown piece."""
    return tuple(CaravanPiece(cell_of(wire.cell), PIECE.member("piece", wire.piece)) for wire in wires)
