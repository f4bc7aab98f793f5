"""The count of a placement (S32, S33)."""

from engine.caravanserai.pieces import COLOUR_COUNT, NO_COLOUR
from engine.caravanserai.position import Position


def omitted_pieces(position: Position) -> int:
    """Return the number of goods of all blocks of the finished placement that are not counted."""
    seat = position.seat_to_act
    cells, pieces = position.cells[seat], position.pieces[seat]
    first, last = len(pieces) - position.laid, len(pieces)
    omitted, start = 0, first
    while start < last:
        piece, end = pieces[start], start + 1
        while end < last and pieces[end] == piece:
            end += 1
        if piece < COLOUR_COUNT and _is_omitted(position, piece, cells[start:end]):
            declined = any(start <= first + index < end for index in position.declined)
            omitted += 0 if declined else end - start
        start = end
    return omitted


def _is_omitted(position: Position, colour: int, cells: bytes) -> bool:
    """Return whether the block covers inns of its own colour and no others."""
    own = False
    for cell in cells:
        inn = position.setup.inn_colour[cell]
        if inn == colour:
            own = True
        elif inn != NO_COLOUR:
            return False
    return own
