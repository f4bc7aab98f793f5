"""Between positions and observations."""

from functools import lru_cache

from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Observation, Placement, SeatView
from engine.caravanserai.pieces import COLOURS, NO_COLOUR, PIECES
from engine.caravanserai.position import NEVER, Position
from engine.caravanserai.tables import BoardTables
from engine.game import TERMINAL


def observe(position: Position, viewer: int) -> Observation:
    """Return the position as everybody sees it; seats that have not changed are the same objects as before."""
    setup = position.setup
    return Observation(
        options=setup.options,
        tiles=setup.tiles,
        first=setup.first,
        round=position.round,
        trigger=None if position.trigger == NEVER else position.trigger,
        seat_to_act=None if position.seat_to_act == TERMINAL else position.seat_to_act,
        decision=position.decision,
        ending=position.ending,
        market=tuple(position.market),
        loose=_cells_of(setup.tables, position.loose),
        seats=tuple([_seat_view(position, seat) for seat in range(setup.seats)]),
        placement=_placement(position) if position.in_placement else None,
        steal=None if position.steal == NO_COLOUR else COLOURS[position.steal],
        seeds=position.seeds,
        viewer=viewer,
    )


@lru_cache(maxsize=1 << 12)
def _cells_of(tables: BoardTables, cells: int) -> tuple[Cell, ...]:
    """Return the cells of a set, ascending; loose goods change only now and then."""
    found: list[Cell] = []
    while cells:
        lowest = cells & -cells
        found.append(tables.cells[lowest.bit_length() - 1])
        cells ^= lowest
    return tuple(found)


def _seat_view(position: Position, seat: int) -> SeatView:
    view = position.seat_views[seat]
    if view is None:
        caravan = zip(position.cells[seat], position.pieces[seat], strict=True)
        laid = position.setup.tables.laid
        view = SeatView(
            camels=position.camels[seat],
            goods=tuple(position.goods_of(seat)),
            caravan=tuple([laid[cell][piece] for cell, piece in caravan]),
        )
        position.seat_views[seat] = view
    return view


def _placement(position: Position) -> Placement:
    return Placement(
        pieces=tuple([PIECES[piece] for piece in position.laid_pieces()]),
        size=position.size,
        direction=position.direction if position.laid else None,
        declined=tuple(position.declined),
    )
