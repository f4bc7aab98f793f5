"""The count of a placement (S32, S33)."""

from __future__ import annotations

from itertools import groupby

from engine.caravanserai.pieces import COLOUR_COUNT, NO_COLOUR
from engine.caravanserai.position import Position


def omitted_pieces(position: Position) -> int:
    """The goods of all blocks of the finished placement that are not counted."""
    cells = position.cells[position.seat_to_act][-position.laid :]
    omitted = start = 0
    for piece, block in groupby(position.laid_pieces()):
        end = start + len(list(block))
        if piece < COLOUR_COUNT and _is_omitted(position, piece, cells[start:end]):
            omitted += 0 if any(start <= index < end for index in position.declined) else end - start
        start = end
    return omitted


def _is_omitted(position: Position, colour: int, cells: bytes) -> bool:
    """Whether the block covers inns of its own colour and no others."""
    inns = {position.setup.inn_colour[cell] for cell in cells} - {NO_COLOUR}
    return inns == {colour}
